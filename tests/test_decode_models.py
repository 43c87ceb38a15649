"""Answers that do not belong to their model, or are not whole, are refused with a reason."""

from __future__ import annotations

import io
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringdoku import InputError, Puzzle, Status, check, maximise, ring_weights
from ringdoku.exports import EXPORTS, decode, export
from ringdoku.exports.about_reader import read_about
from ringdoku.sat.options import TEXTBOOK

PUZZLE = Puzzle.of_rows([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
OTHER = Puzzle.of_rows([[4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]])
RING = ring_weights(PUZZLE.board)


@cache
def exported(name: str, puzzle: Puzzle = PUZZLE, objective: bool = True) -> bytes:
    stream = io.BytesIO()
    wanted = RING if objective and EXPORTS[name].has_objective else None
    export(puzzle, name, stream, wanted, encoding=TEXTBOOK)
    return stream.getvalue()


def literals_of(puzzle: Puzzle) -> list[int]:
    """The textbook formula's assignment for the best solution of a puzzle."""
    grid = maximise(puzzle, backend="search").grid
    assert grid is not None
    return [
        (1 if digit == held else -1) * (cell * 4 + digit)
        for cell, held in enumerate(grid.digits)
        for digit in range(1, 5)
    ]


def named_values(puzzle: Puzzle) -> str:
    """The same as a solution file."""
    lines = [
        f"x_{(abs(lit) - 1) // 16 + 1}_{(abs(lit) - 1) // 4 % 4 + 1}_{(abs(lit) - 1) % 4 + 1} {int(lit > 0)}"
        for lit in literals_of(puzzle)
    ]
    return "\n".join(["Model status", "Optimal", "# Columns 64", *lines, ""])


def numbers_of(puzzle: Puzzle) -> str:
    grid = maximise(puzzle, backend="search").grid
    assert grid is not None
    return " ".join(map(str, grid.digits))


@cache
def answer_to(name: str, puzzle: Puzzle) -> str:
    """What a solver of this format would answer with the best solution of `puzzle`."""
    literals, numbers = literals_of(puzzle), numbers_of(puzzle)
    named = numbers.split()
    return {
        "cnf": f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n",
        "wcnf": f"s OPTIMUM FOUND\nv {''.join('01'[lit > 0] for lit in literals)}\n",
        "opb": f"s OPTIMUM FOUND\nv {' '.join(f'x{lit}' if lit > 0 else f'-x{-lit}' for lit in literals)}\n",
        "lp": named_values(puzzle),
        "mps": named_values(puzzle),
        "mzn": f"{numbers}\n----------\n==========\n",
        "cpsat": "status: OPTIMAL\n" + "".join(f"solution: {number}\n" for number in named),
        "smt2": "sat\n(" + "".join(f"(digit_{i // 4 + 1}_{i % 4 + 1} {n})\n" for i, n in enumerate(named)) + ")\n",
        "xcsp3": "s OPTIMUM FOUND\nv <instantiation> <list> grid[][] </list>\n"
        f"v <values> {numbers} </values>\nv </instantiation>\n",
    }[name]


@pytest.mark.parametrize("name", EXPORTS)
def test_right_answer_is_decoded(name: str) -> None:
    decoded = decode(exported(name), answer_to(name, PUZZLE).encode())
    best = maximise(PUZZLE, backend="search")
    assert decoded.puzzle == PUZZLE
    assert decoded.result.grid == best.grid
    if EXPORTS[name].has_objective:
        assert (decoded.result.status, decoded.result.score) == (Status.OPTIMAL, best.score)
    else:
        assert (decoded.result.status, decoded.result.score) == (Status.SATISFIABLE, None)


@pytest.mark.parametrize("name", [name for name in EXPORTS if EXPORTS[name].has_objective])
def test_without_an_objective_an_answer_is_a_solution(name: str) -> None:
    result = decode(exported(name, objective=False), answer_to(name, PUZZLE).encode()).result
    assert (result.status, result.score) == (Status.SATISFIABLE, None)


def plain_glpk(name: str, status: str = "o") -> list[str]:
    """The best solution as `glpsol --write` writes it: columns by their place in the model's file."""
    words = exported(name).decode().split()
    columns = list(dict.fromkeys(word for word in words if word.startswith("x_") and word[2].isdigit()))
    values = dict(line.split() for line in named_values(PUZZLE).splitlines() if line.startswith("x_"))
    score, formula = maximise(PUZZLE, backend="search").score, read_about(exported(name), name).score
    assert score is not None
    assert formula is not None
    value = next(value for value in range(-1000, 1000) if formula.gives(value, score))
    lines = ["c Problem:    ringdoku", "c Status:     INTEGER OPTIMAL", "c", f"s mip 1 {len(columns)} {status} {value}"]
    return [*lines, "i 1 1", *(f"j {number} {values[column]}" for number, column in enumerate(columns, 1)), "e o f"]


@pytest.mark.parametrize("name", ["lp", "mps"])
def test_the_plain_file_of_glpk_is_decoded(name: str) -> None:
    best = maximise(PUZZLE, backend="search")
    result = decode(exported(name), "\n".join(plain_glpk(name)).encode()).result
    assert (result.status, result.grid, result.score) == (Status.OPTIMAL, best.grid, best.score)
    for status, expected in (("f", Status.FEASIBLE), ("n", Status.INFEASIBLE), ("u", Status.UNKNOWN)):
        assert decode(exported(name), "\n".join(plain_glpk(name, status)).encode()).result.status is expected


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("s mip 1 64 o", "s mip 1 63 o", "<answer>:4: found 63 columns, expected 64, as the model has"),
        ("s mip 1 64 o", "s bas 1 64 f f", "<answer>:4: found 's bas 1 64 f f 9', expected s mip"),
        ("j 64 ", "j 65 ", "<answer>:69: found column 65, expected one of the model's 64"),
        ("j 7 ", "j 8 ", "found a second value for x_1_2_4, expected one"),
        ("j 64 0\n", "", "found values of 63 columns, expected all 64; is the file complete?"),
        ("j 64 0", "j 64 0.5", "<answer>:69: found x_4_4_4 = 0.5, expected a whole number"),
    ],
)
def test_a_broken_file_of_glpk_is_refused(old: str, new: str, complaint: str) -> None:
    text = "\n".join(plain_glpk("mps"))
    assert old in text
    with pytest.raises(InputError) as error:
        decode(exported("mps"), text.replace(old, new).encode())
    assert complaint in str(error.value)


@pytest.mark.parametrize("name", EXPORTS)
def test_answer_to_another_puzzle_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="an answer to this model"):
        decode(exported(name), answer_to(name, OTHER).encode())


@pytest.mark.parametrize("name", EXPORTS)
def test_every_truncation_is_refused(name: str) -> None:
    model, answer = exported(name), answer_to(name, PUZZLE).rstrip("\n").encode()
    whole = decode(model, answer).result
    for length in range(len(answer)):
        try:
            result = decode(model, answer[:length]).result
        except InputError:
            continue
        # what is lost at the end may be no part of the answer, or only the word that it is best
        assert result.grid == whole.grid


@pytest.mark.parametrize(
    ("name", "answer", "status"),
    [
        ("cnf", "s UNSATISFIABLE", Status.INFEASIBLE),
        ("wcnf", "s UNKNOWN", Status.UNKNOWN),
        ("opb", "s UNSATISFIABLE", Status.INFEASIBLE),
        ("lp", "Model status\nInfeasible", Status.INFEASIBLE),
        ("mps", "Model status\nTime limit reached", Status.UNKNOWN),
        ("mzn", "=====UNSATISFIABLE=====", Status.INFEASIBLE),
        ("cpsat", "status: INFEASIBLE", Status.INFEASIBLE),
        ("smt2", "unsat", Status.INFEASIBLE),
        ("xcsp3", "s UNSATISFIABLE", Status.INFEASIBLE),
    ],
)
def test_answers_without_a_grid(name: str, answer: str, status: Status) -> None:
    result = decode(exported(name), answer.encode()).result
    assert (result.status, result.grid, result.score) == (status, None, None)


@pytest.mark.parametrize(
    ("name", "answer", "complaint"),
    [
        ("cnf", "s SATISFIABLE", "status satisfiable without an assignment"),
        ("cnf", "s SATISFIABLE\nv 1 0", "without variable 2"),
        ("cnf", "s SATISFIABLE\nv 65 0", "variable 65"),
        ("cnf", answer_to("cnf", PUZZLE).replace(" 0\n", "\n"), "without a closing 0"),
        ("cnf", answer_to("cnf", PUZZLE).replace("v 1 -2", "v -1 2"), "r1c1 is 2, but the clue is 1"),
        ("opb", "s OPTIMUM FOUND\nv x1 x2", "1 and 2 in r1c1"),
        ("opb", "s OPTIMUM FOUND\nv x1 -x2", "without variable 3"),
        ("opb", "o 5\n" + answer_to("opb", PUZZLE), "objective value 5 with a grid that scores"),
        ("wcnf", "o 999\n" + answer_to("wcnf", PUZZLE), "objective value 999 with a grid that scores"),
        ("wcnf", "s OPTIMUM FOUND\nv 0101", "answer"),
        ("lp", "Model status\nOptimal\nx_9_1_1 1\n", ":3: found variable x_9_1_1"),
        ("lp", "Model status\nOptimal\nx_1_1_1 1\n", "r1c2 is blank"),
        ("lp", "Model status\nOptimal\nx_1_1_1 2\n", ":3: found x_1_1_1 = 2"),
        ("lp", "Model status\nOptimal\nx_1_1_1 1\nx_1_1_2 1\n", ":4: found x_1_1_2 = 1, a second digit for r1c1"),
        ("mzn", "1 2 3\n----------\n", "3 digits"),
        ("mzn", f"{numbers_of(PUZZLE).replace('4', '5')}\n----------\n", "digit 5"),
        ("cpsat", "solution: 1\n", "no `status:`"),
        ("cpsat", "status: OPTIMAL\n", "0 digits"),
        ("cpsat", answer_to("cpsat", PUZZLE) + "objective_value: 5\n", "objective value 5 with a grid that scores"),
        ("smt2", "sat\n((digit_1_1 1))\n", "no value of digit_1_2"),
        ("xcsp3", answer_to("xcsp3", PUZZLE).replace("grid[][]", "x[]"), "values of 'x[]'"),
        ("xcsp3", "s OPTIMUM FOUND\n", "status optimal without an assignment"),
    ],
)
def test_wrong_answers_are_refused(name: str, answer: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(exported(name), answer.encode(), "model", "answer")
    assert str(caught.value).startswith("answer:")
    assert complaint in str(caught.value)


HEADER = exported("opb").decode()


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        ("", "found no `ringdoku model:`"),
        ("p cnf 1 1\n1 0\n", "found no `ringdoku model:`"),
        ("c ringdoku model: doc\nc boxes: 1x1 x\nc clues:\nc   1\nc variables: none\n", "a model of format 'doc'"),
        ("c ringdoku model: cnf\n", "found no `boxes:`"),
        (HEADER.replace("2x2", "two"), ":3: found 'two (height x width)', expected HEIGHTxWIDTH"),
        (HEADER.replace("2x2", "0x2"), ":3: found"),
        (HEADER.replace("2x2", "999x999"), ":3: found"),
        (HEADER.replace("*   1 . . .\n", ""), "3 rows of clues, expected 4 rows of 4"),
        (HEADER.replace("  1 . . .", "  1 . . 5"), ":5: found '5', expected a number from 0 to 4"),
        (HEADER.replace("  1 . . .", "  1 . . １"), ":5: found"),
        (HEADER.replace("objective: maximise", "objective: improve"), "expected maximise or minimise"),
        (HEADER.replace("* value, value", "value, value"), "expected CONSTANT + FACTOR * value"),
        (HEADER.split("* variables")[0], "no `variables:`"),
        ("\n".join(HEADER.splitlines()[:6]), "2 rows of clues"),
    ],
)
def test_wrong_models_are_refused(model: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(model.encode(), b"s UNSATISFIABLE", "model")
    assert str(caught.value).startswith("model:")
    assert complaint in str(caught.value)


@pytest.mark.parametrize("count", ["65x", "-1", "9" * 5000, ""])
def test_unreadable_count_of_variables_is_none(count: str) -> None:
    with pytest.raises(InputError, match="one of the formula's 0"):
        decode(HEADER.replace("#variable= 64", f"#variable= {count}").encode(), answer_to("opb", PUZZLE).encode())


@pytest.mark.parametrize("table", ["r9c1 1=1", "r1c1 9=1", "r1c1 1=0", "r1c1 1=x", "r1c1", "r1c1 1=99999999999"])
def test_wrong_variable_tables_are_refused(table: str) -> None:
    start = HEADER.split("* variables")[0]
    with pytest.raises(InputError, match="expected a"):
        read_about(f"{start}* variables: digit=literal\n*   {table}\n".encode(), "model")


def test_windows_line_ends_are_read() -> None:
    answer = answer_to("opb", PUZZLE).replace("\n", "\r\n")
    assert decode(HEADER.replace("\n", "\r\n").encode(), answer.encode()).result.status is Status.OPTIMAL


@given(st.sampled_from(sorted(EXPORTS)), st.data())
def test_damaged_answers_are_refused_or_right(name: str, data: st.DataObject) -> None:
    answer = answer_to(name, PUZZLE)
    place = data.draw(st.integers(0, len(answer)))
    length = data.draw(st.integers(0, 3))
    damage = data.draw(st.text(alphabet="01279-x v\ns(){}[];.é", max_size=3))
    try:
        decoded = decode(exported(name), (answer[:place] + damage + answer[place + length :]).encode())
    except InputError:
        return
    if decoded.result.grid is not None:
        assert check(PUZZLE, decoded.result.grid) == []


@given(st.sampled_from(sorted(EXPORTS)), st.data())
def test_damaged_models_raise_nothing_else(name: str, data: st.DataObject) -> None:
    model = exported(name)
    place = data.draw(st.integers(0, len(model)))
    damage = data.draw(st.binary(max_size=3))
    answer = answer_to(name, PUZZLE).encode()
    try:
        decoded = decode(model[:place] + damage + model[place + data.draw(st.integers(0, 9)) :], answer)
    except InputError:
        return
    assert decoded.result.grid is not None
    assert check(decoded.puzzle, decoded.result.grid) == []


def test_no_answer_at_all_is_refused() -> None:
    for name in EXPORTS:
        for answer in (b"", b"\0\xff", b"hello"):
            with pytest.raises(InputError):
                decode(exported(name), answer)
