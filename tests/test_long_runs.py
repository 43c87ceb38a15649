"""Long runs of one separator: every reader takes time in proportion to their length, not to its square.

A quadratic reader needs minutes for such runs, and it ends at the time limit of the test.
"""

from collections.abc import Callable
from io import BytesIO

import pytest
from modelling import exported

from ringdoku import InputError, Puzzle
from ringdoku.exports import decode
from ringdoku.exports.base import read_metadata
from ringdoku.text import ReadOptions, read, read_stated, read_weights

# below the most characters that readers of answers take in a line
LENGTH = 10_000
SEPARATORS = [*" \t\r\v\f.,;:|-_*?+=~'\"`()[]{}<>/\\#%0xA", "\x1b[", ", ", " |", "- ", "x ", "·", "─"]
LIMIT = 100
"""Seconds for a test, which takes a tenth of it."""
ENDS_OF_LINE = ["\n", "\r\n"]

Reader = Callable[[bytes], object]


def puzzles(name: str | None) -> Reader:
    return lambda data: list(read(BytesIO(data), "<stdin>", ReadOptions(format=name)))


def answer(name: str) -> Reader:
    model = exported(Puzzle.blank(1), name)
    return lambda data: decode(model, data)


# the run stands in the place of ~
TEXTS: dict[str, tuple[Reader, list[str]]] = {
    "puzzles": (puzzles(None), ["Title~x\n\n1 2 . .\n", "~x", "1..4............~x"]),
    "boxed": (puzzles("boxed"), ["|1 ~2|. .|\n", "|1~\n"]),
    "packed": (puzzles("packed"), ["12..\n....~\n....\n....\n", "1~x"]),
    "spaced": (puzzles("spaced"), ["1 2~\n3 4\n", "1,~2,3,4~x\n", "1\t~x\n"]),
    "csv": (puzzles("line"), ["puzzle,solution\n~x", 'quiz,name\n1..4............,"~"\n', '1..4............,"a~x']),
    "json": (puzzles("json"), ['{"grid": [[~1, 0], ~', '{"grid~']),
    "claims": (lambda data: list(read_stated(BytesIO(data))), ["12\n~1234\n", "no solution~\n12..\n"]),
    "weights": (lambda data: read_weights(BytesIO(data)), ["1~2\n3 4\n", "1 2\n~x"]),
    "model": (
        lambda data: read_metadata(data, "model"),
        ["c~ringdoku model: cnf\nc ", "ringdoku model: lp\nboxes: 3x3~x\n", "ringdoku model: lp\nclues~:\n  ~x\n"],
    ),
}
ANSWERS = {
    "opb": ["s SATISFIABLE\nv 1~x\n", "SAT\n1~x", "s~UNKNOWN\n", "v ~\ns SATISFIABLE"],
    "mzn": [f"{text}\n----------" for text in ("1~x", "%~objective = 3", "grid~=[1]", "grid = [~1~x")],
    "cpsat": ["status: OPTIMAL\nsolution: [1~x", "status: OPTIMAL\nobjective_value:~x", "status~: x"],
    "smt2": ["sat\n(~(x 1~x", "sat\n((x~1)", "~(error"],
    "lp": ["Objective~x", "x~*~y", "1~x 1", "Status:~x", "A~ - objective value x", "x_1_1_1 1~", "c~\ns mip 1 0 o 5~"],
    "xcsp3": [
        *("s~x", "s SATISFIABLE\n<instantiation~><values>1~x"),
        "s SATISFIABLE\n<instantiation cost~='1'><list>~",
    ],
}
TEXTS |= {name: (answer(name), texts) for name, texts in ANSWERS.items()}


@pytest.mark.timeout(LIMIT)
@pytest.mark.parametrize("name", TEXTS)
def test_a_long_run(name: str) -> None:
    reader, texts = TEXTS[name]
    cases = [(text, separator) for text in texts for separator in SEPARATORS]
    for text, separator in [*cases, *((texts[0], end) for end in ENDS_OF_LINE)]:
        data = text.replace("~", separator * (LENGTH // len(separator))).encode()
        said = ""
        try:
            assert reader(data) is not None
        except InputError as error:
            said = str(error)
        # the line is there, and the run is not said again
        assert len(said) < 300, separator
        assert said.count("\n") == 0, separator


@pytest.mark.timeout(LIMIT)
def test_many_lines_of_text() -> None:
    lines = 10_000
    # a hundred lines without a puzzle are one error
    assert sum(1 for _ in read(BytesIO(b"aaa\n" * lines))) == lines // 100
