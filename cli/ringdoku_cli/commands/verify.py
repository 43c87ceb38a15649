"""`ringdoku verify`: what a certificate proves of a puzzle, or where it is wrong."""

import os
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Annotated, BinaryIO, cast

import typer

from ringdoku import Claim, MalformedError, RefutedError, TimeLimitError, UsageError
from ringdoku.proofs import verifying
from ringdoku.proofs.claim import FORMS
from ringdoku_cli.exits import Exit, printable
from ringdoku_cli.inputs import open_binary
from ringdoku_cli.options import Reading, Scores, TimeLimit, argument, option

CLAIM_HELP = f"What it has to prove: {FORMS}. Otherwise it is what the proof, with its model, concludes."
MODEL_HELP = "The model to compare with the puzzle's. Default: the file of the proof's name with .opb, if there is one."
EXPLAIN_HELP = "Say in sentences what the first 200 statements derive, and why."


def verify(
    scores: Scores,
    reading: Reading,
    source: Annotated[str, argument("PUZZLE", "The puzzle; - is standard input.")],
    proof: Annotated[str, argument("PROOF", "The proof, as `--certificate` writes it.")],
    claim: Annotated[str | None, option("--claim CLAIM", CLAIM_HELP)] = None,
    model: Annotated[str | None, option("--model FILE", MODEL_HELP)] = None,
    narrated: Annotated[bool, option("--explain", EXPLAIN_HELP)] = False,
    time_limit: TimeLimit = None,
) -> Exit:
    """The certificate is a proof in the format VeriPB 3.0. Its model is made again from the puzzle, and compared with
    the file of the model where there is one. No solver takes part.

    Exit status: 0 it proves what is printed, 1 it is refuted, 2 malformed input or usage, 3 the time limit was
    reached, 130 interrupted.
    """
    reading.require_one_standard_input(source, proof, model, scores.weights)
    required = Claim.parse(claim) if claim is not None else None
    entry = reading.single_puzzle(source, "a certificate is about one")
    objective, place = scores.objective_of(entry), printable(str(entry.place))
    print_sentence = (lambda sentence: typer.echo(printable(sentence))) if narrated else None
    try:
        with _open_text(proof) as steps, _open_text(name := model or _model_beside(proof)) as stated:
            concluded = verifying.claim_of(entry.puzzle, objective, _tail(steps), _tail(stated))
            required = required or concluded
            compared = None if name == os.devnull else stated
            verifying.verify(entry.puzzle, steps, required, objective, compared, time_limit, print_sentence)
    except RefutedError as error:
        other = "" if required == concluded else f"it is about another claim, {str(concluded)!r}: "
        may_count = claim is None and name == os.devnull and concluded.count
        hint = "; if it counts those from a score, --claim 'count N from SCORE' says so" if may_count else ""
        typer.echo(f"{place}: refuted: {other}{printable(str(error))}{hint}")
        return Exit.NEGATIVE
    except MalformedError as error:
        raise UsageError(f"{proof}: {error}") from None
    except TimeLimitError:
        typer.echo(f"{place}: unknown: the time limit was reached")
        return Exit.UNKNOWN
    typer.echo(f"{place}: proved: {required.sentence(scores.sense)}")
    return Exit.OK


def _model_beside(proof: str) -> str:
    """The file of the model beside a proof, or the null device if there is none."""
    beside = str(Path(proof).with_suffix(".opb"))
    return beside if Path(beside).is_file() and beside != proof else os.devnull


def _open_text(path: str) -> TextIOWrapper:
    """The file as a text stream that can rewind; the content of a pipe is held in memory."""
    stream = open_binary(path)
    return TextIOWrapper(stream if stream.seekable() else BytesIO(stream.read()), "ascii", "replace")


def _tail(text: TextIOWrapper) -> str:
    """The last 4 MiB, which hold the last statements of the file; the stream is rewound."""
    stream = cast(BinaryIO, text.buffer)
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - (1 << 22)))
    tail = stream.read().decode("ascii", "replace")
    stream.seek(0)
    return tail
