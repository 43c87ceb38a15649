"""Exported models mean what the puzzle means: the same solutions, the same scores, and a header that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
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


@pytest.mark.parametrize("puzzle", [FOUR, SIX, ONE, SOLVED, CONTRADICTORY])
@pytest.mark.parametrize("name", EXPORTS)
def test_header_says_what_the_file_is(name: str, puzzle: Puzzle) -> None:
    senses = list(Sense) if EXPORTS[name].has_objective else []
    for objective in (None, *(ring_weights(puzzle.board, sense) for sense in senses)):
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


def opb_solutions(text: str) -> Iterator[tuple[str, int]]:
    """Every answer to an OPB file as `v` literals, with the objective's value, by CP-SAT."""
    model = cp_model.CpModel()
    variables: dict[str, cp_model.IntVar] = {}

    def variable(name: str) -> cp_model.IntVar:
        if name not in variables:
            variables[name] = model.new_bool_var(name)
        return variables[name]

    def total(terms: str) -> cp_model.LinearExprT:
        return sum(int(factor) * variable(name) for factor, name in re.findall(r"([+-][0-9]+) (x[0-9]+)", terms))

    objective: cp_model.LinearExprT = 0
    for line in text.splitlines():
        if line.startswith("min:"):
            objective = total(line)
        elif constraint := re.fullmatch(r"((?:[+-]1 x[0-9]+ )+)(>?=) (-?[0-9]+) ;", line):
            bound = int(constraint[3])
            model.add(total(constraint[1]) == bound if constraint[2] == "=" else total(constraint[1]) >= bound)
        else:
            assert line.startswith("*"), line
    found = []

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            literals = " ".join(name if self.value(var) else f"-{name}" for name, var in variables.items())
            found.append((literals, self.value(objective) if variables else 0))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, Collector())
    yield from found


@pytest.mark.parametrize("encoding", [PRESOLVED, TEXTBOOK], ids=["presolved", "textbook"])
@pytest.mark.parametrize("projected", [True, False])
@pytest.mark.parametrize("objective", [ring_weights(FOUR.board), SIGNED], ids=["ring", "signed"])
def test_opb_has_the_puzzles_solutions_and_scores(
    objective: Objective, projected: bool, encoding: EncodingOptions
) -> None:
    data = exported(FOUR, "opb", objective, projected=projected, encoding=encoding)
    found = set()
    for literals, value in opb_solutions(data.decode()):
        result = decode(data, f"o {value}\ns OPTIMUM FOUND\nv {literals}\n".encode()).result
        assert result.grid is not None
        assert result.score == objective.score(result.grid)
        found.add(result.grid)
    assert found == expected(FOUR)


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


def test_variables_of_the_textbook_formula_follow_a_rule() -> None:
    about = read_metadata(exported(SIX, "cnf", encoding=TEXTBOOK), "file")
    assert about.literals is not None
    assert about.rule.startswith("(row*6 + column)*6 + digit")
    assert about.literals.reshape(-1).tolist() == list(range(1, 6**3 + 1))


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
