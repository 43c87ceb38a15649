"""Read a model in the OPB format; and as a program, check the two files of a certificate.

The first line is `* #variable= 64 …`. `min: -6 x1 … ;` is the objective, `preserved: x1 … ;` names the variables by
which two solutions differ, and each other line is a constraint, `+1 x1 +1 x2 >= 1 ;` or with `=`.

`python -m ringdoku.proofs.check_files NAME.opb NAME.pbp` prints what is proved. It needs nothing but this file, the
checker's and Python: with both in a folder `proofs` it is `python -m proofs.check_files`.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

# relative, so that the two files run anywhere
from .checker import MalformedError, Model, OutOfTimeError, RefutedError, Row, check_proof, integer, malformed

MOST_VARIABLES = 10**8


def read_model(lines: Iterable[str]) -> Model:
    """The model in the lines of an OPB file. Raises `MalformedError`."""
    numbered = ((number, line.split()) for number, line in enumerate(lines, 1))
    number, words = next(numbered, (0, []))
    if not number:
        raise MalformedError("the model is empty")
    count = integer(words[2], number) if words[:2] == ["*", "#variable="] and len(words) > 2 else -1
    if not 0 <= count < MOST_VARIABLES:
        malformed(number, words, "* #variable= and how many there are")
    model, literal_of = Model(count), {f"x{var}": var for var in range(1, count + 1)}
    for number, words in numbered:
        match words:
            case [] | ["*", *_]:
                pass
            case ["preserved:", *names, ";"] if not set(names) - set(literal_of):
                model.preserved = frozenset([literal_of[name] for name in names])
            case ["min:", *terms, ";"]:
                model.objective = _sums(terms, literal_of, number)
            case [*terms, (">=" | "=") as relation, total, ";"]:
                sums, least = _sums(terms, literal_of, number), integer(total, number)
                model.rows.append(Row.of(sums, least))
                if relation == "=":
                    model.rows.append(Row.of({var: -factor for var, factor in sums.items()}, -least))
            case _:
                malformed(number, words, "min:, preserved:, or a sum with >= or =, and ; at the end")
    return model


def _sums(words: list[str], literal_of: dict[str, int], number: int) -> dict[int, int]:
    factors = [integer(word, number) for word in words[::2]]
    sums = {literal_of.get(word, 0): factor for word, factor in zip(words[1::2], factors, strict=False)}
    if 2 * len(sums) != len(words) or 0 in sums:
        malformed(number, words, "a factor and a variable in turn, each variable once")
    return sums


def main(arguments: Sequence[str]) -> int:
    """Check `MODEL PROOF [SECONDS]`. Returns the exit status: 0 for verified, 1 refuted, 2 malformed, 3 out of time."""
    if len(arguments) < 2:
        print("expected the files of a model and of a proof, and if there is a limit its seconds")
        return 2
    end = time.monotonic() + float(arguments[2]) if len(arguments) > 2 else float("inf")
    try:
        with Path(arguments[0]).open(errors="replace") as opb, Path(arguments[1]).open(errors="replace") as proof:
            proved = check_proof(read_model(opb), proof, lambda: time.monotonic() > end)
    except (RefutedError, MalformedError, OutOfTimeError, OSError) as error:
        print(f"{type(error).__name__}: {error}")
        return {RefutedError: 1, OutOfTimeError: 3}.get(type(error), 2)
    print(f"verified: {proved.kind}, value {proved.value}, solutions listed {len(proved.solutions)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
