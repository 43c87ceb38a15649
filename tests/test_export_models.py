"""Exported models mean what the puzzle means: the same solutions, the same scores, and a header that says so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from modelling import cnf_solutions, exported
from ortools.sat.python import cp_model  # noqa: TID253 - this test is about it

from ringdoku import Grid, Objective, Puzzle, Sense, Status, UsageError, ring_weights, solutions
from ringdoku.exports import EXPORTS, decode
from ringdoku.exports.metadata import read_metadata
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.options import PRESOLVED, TEXTBOOK, ClauseSet, EncodingOptions

FOUR = Puzzle.of_rows([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
SIX = Puzzle.of_rows([[0] * 6, [1, 2, 3, 4, 5, 6], [0] * 6, [0] * 6, [0] * 6, [0] * 6], box=(2, 3))
ONE = Puzzle.blank(1)
SOLVED = Puzzle.of_rows([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]])
CONTRADICTORY = Puzzle.of_rows([[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
SIGNED = Objective.of_rows([[5, -3, 0, 2], [0, 0, 7, -1], [1, 1, 1, 1], [-9, 0, 0, 4]], Sense.MINIMISE)

ENCODINGS = [
    *(EncodingOptions(digits=name) for name in DIGITS),
    *(EncodingOptions(at_most_one=name, presolve=True) for name in AT_MOST_ONE),
    *(EncodingOptions(clause_set=member, triads=True) for member in ClauseSet),
    EncodingOptions(ClauseSet.MINIMAL, "log", "product", triads=True, presolve=True),
]


def expected(puzzle: Puzzle) -> set[Grid]:
    return set(solutions(puzzle, "search"))


@pytest.mark.parametrize("puzzle", [FOUR, ONE, SOLVED, CONTRADICTORY])
@pytest.mark.parametrize("name", EXPORTS)
def test_header_says_what_the_file_is(name: str, puzzle: Puzzle) -> None:
    objective = ring_weights(puzzle.board, Sense.MINIMISE) if EXPORTS[name].has_objective else None
    data = exported(puzzle, name, objective)
    assert data.isascii()
    assert data.endswith(b"\n")
    assert b"\r" not in data
    about = read_metadata(data, "file")
    assert (about.format_name, about.puzzle) == (name, puzzle)
    assert (about.score.objective if about.score else None) == objective


@pytest.mark.parametrize("encoding", ENCODINGS, ids=str)
def test_cnf_has_the_puzzles_solutions(encoding: EncodingOptions) -> None:
    assert cnf_solutions(exported(FOUR, "cnf", encoding=encoding)) == expected(FOUR)


@pytest.mark.parametrize("binary", [False, True])
def test_cpsat_has_the_puzzles_solutions_and_scores(binary: bool) -> None:
    data = exported(FOUR, "cpsat", SIGNED, binary=binary)
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    if binary:
        from ortools.sat import cp_model_pb2

        message = cp_model_pb2.CpModelProto()
        message.ParseFromString(data)
        assert model.proto.parse_text_format(str(message))
    else:
        assert model.proto.parse_text_format(data.decode())
    assert solver.solve(model) == cp_model.OPTIMAL
    result = decode(data, str(solver.response_proto).encode()).result
    assert (result.status, result.score) == (Status.OPTIMAL, min(SIGNED.score(grid) for grid in expected(FOUR)))


def coefficients(puzzle: Puzzle, objective: Objective, projected: bool) -> list[int]:
    """Those of the cells in a MiniZinc model."""
    text = exported(puzzle, "mzn", objective, projected=projected).decode()
    matrix = text.partition("coefficients = [|")[2].partition("|]")[0]
    return list(map(int, matrix.replace("|", ",").split(",")))


def test_an_equal_objective_on_few_cells_is_written_or_the_weights() -> None:
    nine = Puzzle.blank(9)
    assert sum(map(abs, coefficients(nine, ring_weights(nine.board), True))) <= 21
    assert coefficients(FOUR, SIGNED, False) == list(SIGNED.weights)


def test_presolve_leaves_out_what_follows() -> None:
    presolved, textbook = (exported(SIX, "opb", encoding=encoding) for encoding in (PRESOLVED, TEXTBOOK))
    assert read_metadata(presolved, "file").known.reshape(6, 6)[1].tolist() == [1, 2, 3, 4, 5, 6]
    assert not read_metadata(textbook, "file").known.any()
    assert len(presolved) < len(textbook)


@pytest.mark.parametrize("name", ["cnf", "wcnf", "opb", "lp", "mps"])
@pytest.mark.parametrize("puzzle", [SOLVED, CONTRADICTORY, ONE])
def test_what_presolve_decides_is_written_as_the_textbook_has_it(name: str, puzzle: Puzzle) -> None:
    presolved, textbook = (
        exported(puzzle, name, encoding=replace(PRESOLVED, presolve=presolve)) for presolve in (True, False)
    )
    assert presolved == textbook


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("cnf", {"objective": ring_weights(FOUR.board)}, "format cnf has no objective; those that have: wcnf, opb"),
        ("lp", {"encoding": EncodingOptions(digits="order")}, "format lp has no CNF encoding; those that have: cnf"),
        ("mps", {"binary": True}, "format mps has no binary variant; those that have: cpsat"),
        ("doc", {}, "no model format is called 'doc'; there are: cnf"),
        ("opb", {"objective": ring_weights(SIX.board)}, "36 weights"),
        ("opb", {"objective": Objective((10**9,) * 16)}, None),
    ],
)
def test_what_a_format_does_not_have_is_refused(name: str, options: dict[str, object], complaint: str | None) -> None:
    if complaint is None:
        assert exported(FOUR, name, **options)  # type: ignore[arg-type]
        return
    with pytest.raises(UsageError) as caught:
        exported(FOUR, name, **options)  # type: ignore[arg-type]
    assert complaint in str(caught.value)
