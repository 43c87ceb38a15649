"""Answers to exported models: what solvers write is read, and what does not belong to a model is refused by place."""

import contextlib
import json
import re
import tracemalloc
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from conftest import FIXTURES
from hypothesis import given
from hypothesis import strategies as st
from modelling import exported as model_of

from ringdoku import Board, Grid, InputError, Objective, Puzzle, Ruleset, Status, check, maximise, parse, ring_weights
from ringdoku.exports import EXPORTS, decode
from ringdoku.limits import PORTION
from ringdoku.sat.options import TEXTBOOK

PUZZLE = Puzzle.of_rows([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
OTHER = Puzzle.of_rows([[4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3]])

BOARDS = {
    "cell": (Board(1, 1, 1, 3), (7,)),
    "pair": (Board(1, 2, 1, 9), (28, 11)),
    "square": (Board(2, 2, 1, 2), (1, 1, 2, 2)),
    "extra": (Board(1, 2, -2, 1, ("a",)), (1, 1)),
}
"""Small boards without rules, and weights of their cells."""


@cache
def small(name: str, board_name: str, weighted: bool = False) -> bytes:
    """A model of a small board."""
    board, weights = BOARDS[board_name]
    objective = Objective(weights) if weighted else None
    return model_of(Puzzle(Ruleset(board, ()), Grid.blank(board)), name, objective, encoding=TEXTBOOK, projected=False)


def cases(name: str) -> list[Any]:
    """A list on each line of a fixture."""
    return list(map(json.loads, (FIXTURES / f"{name}.jsonl").read_text().splitlines()))


@pytest.mark.parametrize(("name", "board", "answer", "status", "digits"), cases("read_answers"))
def test_answers_are_read(name: str, board: str, answer: str, status: str, digits: list[int] | None) -> None:
    """A board with * has its weights; the answers are those of many programs."""
    result = decode(small(name, board.rstrip("*"), board.endswith("*")), answer.encode()).result
    assert (result.status.value, result.grid and list(result.grid.digits)) == (status, digits)


UNREADABLE = (
    f"s SATISFIABLE\nv <instantiation> <list> grid[][] </list> <values> {'9' * 5000} </values> </instantiation>"
)
REFUSED = [
    *cases("refused_answers"),
    ("cpsat", "pair", f"status: OPTIMAL\nsolution: {'9' * 5000}\n", ":2: found a solution '999"),
    ("xcsp3", "pair", UNREADABLE, "values> that are numbers"),
]
"""The format, the board, the answer and what is said of it."""


@pytest.mark.parametrize(("name", "board", "answer", "complaint"), REFUSED)
def test_broken_output_is_refused(name: str, board: str, answer: str, complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)):
        decode(small(name, board), answer.encode())


LONG = "7 " * 30000
ENDLESS = [
    ("opb", "s SATISFIABLE\n", ("v 1 -2 3\n", "v \n", "v 1 -2 3 ")),
    ("lp", "", ("x", "x_1_1_1 1 ")),
    ("mzn", "", ("1 2 2 1\n", "% objective = 3\n", "{")),
    ("smt2", "sat\n", ("((digit_1_1 1)\n", ") ")),
    ("cpsat", "", ("solution: 1\n", "solution: [1, 2]\n", "solution: [1, 2, ")),
    ("xcsp3", "s SATISFIABLE\nv <instantiation>\n", ("v <instantiation> <list> x[] </list> ", "v 1\n")),
]
"""Beginnings of answers that need more memory the longer they are repeated; a first line makes the rest count."""
IDLE = [
    ("opb", (f"c {LONG}\n", f"o 5\nv {' ' * len(LONG)} 1 -2 3\n")),
    ("lp", (f"# {LONG}\n", f"other 1 {LONG}\n")),
    ("mzn", (f"%%%mzn-stat: {LONG}\n", f"% {LONG}\n", f"{LONG}\n----------\n")),
    ("smt2", (f"unsupported {LONG}\n",)),
    ("cpsat", (f"# {LONG}\n", f"wall_time: {LONG}\n")),
    ("xcsp3", (f"c {LONG}\n", f"v <instantiation> {LONG} </instantiation>\n")),
]
"""Lines that no answer grows by."""


@pytest.mark.parametrize(("name", "first", "again"), [(*case, again) for *case, each in ENDLESS for again in each])
def test_no_more_is_read_than_an_answer_needs(name: str, first: str, again: str) -> None:
    stream = BytesIO((first + again * (20 * PORTION // len(again))).encode())
    with pytest.raises(InputError, match="more than"):
        decode(small(name, "cell"), stream)
    assert stream.tell() < 10 * PORTION


@pytest.mark.parametrize(("name", "again"), [(name, again) for name, each in IDLE for again in each])
def test_what_is_not_kept_needs_no_memory(name: str, again: str) -> None:
    stream, model = BytesIO((again.encode() * (100 * PORTION // len(again)))[:-20]), small(name, "cell")
    tracemalloc.start()
    with contextlib.suppress(InputError):
        decode(model, stream)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not stream.read(1)
    assert peak < 10 * PORTION


@cache
def exported(name: str, puzzle: Puzzle = PUZZLE, objective: bool = True) -> bytes:
    wanted = ring_weights(puzzle.board) if objective and EXPORTS[name].has_objective else None
    return model_of(puzzle, name, wanted, encoding=TEXTBOOK)


@cache
def best_of(puzzle: Puzzle) -> Grid:
    grid = maximise(puzzle, backend="search").grid
    assert grid is not None
    return grid


@cache
def answer_to(name: str, puzzle: Puzzle) -> str:
    """What a solver of this format would answer with the best solution of `puzzle`."""
    named = list(map(str, best_of(puzzle).digits))
    numbers = " ".join(named)
    places = [(cell, digit, digit == held) for cell, held in enumerate(best_of(puzzle).digits) for digit in range(1, 5)]
    literals = [(1 if value else -1) * (cell * 4 + digit) for cell, digit, value in places]
    lines = [f"x_{cell // 4 + 1}_{cell % 4 + 1}_{digit} {value:d}" for cell, digit, value in places]
    held = [f"{cell // 4 + 1},{cell % 4 + 1},{digit}" for cell, digit, value in places if value]
    holds = [f"holds({place})" for place in held]
    solution = "\n".join(["Model status", "Optimal", "# Columns 64", *lines, ""])
    return {
        "cnf": f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n",
        "wcnf": f"s OPTIMUM FOUND\nv {''.join('01'[lit > 0] for lit in literals)}\n",
        "opb": f"s OPTIMUM FOUND\nv {' '.join(f'x{lit}' if lit > 0 else f'-x{-lit}' for lit in literals)}\n",
        "lp": solution,
        "mps": solution,
        "mzn": f"{numbers}\n----------\n==========\n",
        "cpsat": "status: OPTIMAL\n" + "".join(f"solution: {number}\n" for number in named),
        "smt2": "sat\n(" + "".join(f"(digit_{i // 4 + 1}_{i % 4 + 1} {n})\n" for i, n in enumerate(named)) + ")\n",
        "asp": f"Answer: 1\n{' '.join(holds)}\nOPTIMUM FOUND\n",
        "dlx": "\n".join(f"r{place[0]}c{place[2]} h{place[0]}d{place[4]} h9d1" for place in held),
        "xcsp3": "s OPTIMUM FOUND\nv <instantiation> <list> grid[][] </list>\n"
        f"v <values> {numbers} </values>\nv </instantiation>\n",
    }[name]


@pytest.mark.parametrize("name", EXPORTS)
def test_the_right_answer_is_decoded_and_another_puzzles_or_a_part_refused(name: str) -> None:
    decoded = decode(exported(name), answer_to(name, PUZZLE).encode())
    best = best_of(PUZZLE)
    assert (decoded.puzzle, decoded.result.grid) == (PUZZLE, best)
    score = ring_weights(PUZZLE.board).score(best)
    expected = (Status.OPTIMAL, score) if EXPORTS[name].has_objective else (Status.SATISFIABLE, None)
    assert (decoded.result.status, decoded.result.score) == expected
    if name == "dlx":
        options = [{*line.split()} for line in exported(name).decode().splitlines() if line[0] != "|"][1:]
        named = [line.split()[:2] for line in answer_to(name, PUZZLE).splitlines()]
        said = [1 + next(n for n, items in enumerate(options) if items.issuperset(some)) for some in named]
        assert decode(exported(name), " ".join(map(str, said)).encode()).result.grid == best
    with pytest.raises(InputError, match="an answer to this model"):
        decode(exported(name), answer_to(name, OTHER).encode())
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
    ("name", "answer", "complaint"),
    [
        *cases("wrong_answers"),
        ("cnf", answer_to("cnf", PUZZLE).replace("v 1 -2", "v -1 2"), "r1c1 is 2, but the clue is 1"),
        ("opb", "o 5\n" + answer_to("opb", PUZZLE), "objective value 5 with a grid that scores"),
        ("wcnf", "o 999\n" + answer_to("wcnf", PUZZLE), "objective value 999 with a grid that scores"),
        ("mzn", f"{' '.join(map(str, best_of(PUZZLE).digits)).replace('4', '5')}\n----------\n", "digit 5"),
        ("cpsat", answer_to("cpsat", PUZZLE) + "objective_value: 5\n", "objective value 5 with a grid that scores"),
        ("smt2", answer_to("smt2", PUZZLE) + "(score (- 5))\n", "objective value -5 with a grid that scores"),
        ("xcsp3", answer_to("xcsp3", PUZZLE).replace("grid[][]", "x[]"), "values of 'x[]'"),
    ],
)
def test_wrong_answers_are_refused(name: str, answer: str, complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)) as caught:
        decode(exported(name), answer.encode(), "model", "answer")
    assert str(caught.value).startswith("answer:")


HEADER = exported("opb").decode()


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        ("", "model: found no `ringdoku model:`"),
        ("p cnf 1 1\n1 0\n", "model: found no `ringdoku model:`"),
        (HEADER.replace("model: opb", "model: doc"), "model: found a model of format 'doc'"),
        ("c ringdoku model: cnf\n", "model:3: found comments that make no sense"),
        ("\n".join(HEADER.splitlines()[:6]), "model:4: found comments that make no sense"),
        *(
            (HEADER.replace(old, new, 1), complaint)
            for old, new, complaint in (
                *cases("wrong_models"),
                ("[[1, 0, 0, 0]", "[[" * 100_000, "recursion"),
                ("[[1, 0, 0, 0]", f"[[{'9' * 5000}, 0, 0, 0]", "integer string conversion"),
            )
        ),
    ],
)
def test_wrong_models_are_refused(model: str, complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)) as caught:
        decode(model.encode(), b"s UNSATISFIABLE", "model")
    assert str(caught.value).startswith("model:")


def test_windows_line_ends_other_variables_and_numbers_that_rules_need() -> None:
    with pytest.raises(InputError, match=":3: found variable x_1_1_9, expected one of the model's"):
        decode(model_of(PUZZLE, "lp", ring_weights(PUZZLE.board)), b"Model status\nOptimal\nx_1_1_9 1\n")
    answer = answer_to("opb", PUZZLE).replace("\n", "\r\n")
    assert decode(HEADER.replace("\n", "\r\n").encode(), answer.encode()).result.status is Status.OPTIMAL
    puzzle = parse("either: { killer 3: r1c1 r1c2 } { killer 7: r1c1 r1c2 }\n1...\n....\n....\n....\n")
    model = model_of(puzzle, "cpsat", None)
    others = int(re.findall(rb"then ([0-9]+) that rules need", model)[0])
    answer = answer_to("cpsat", puzzle) + "solution: 0\n" * others
    assert decode(model, answer.encode()).result.grid == best_of(puzzle)
    with pytest.raises(InputError, match=f"found {17 + others} digits, expected 16"):
        decode(model, f"{answer}solution: 0\n".encode())


@given(st.sampled_from(sorted(EXPORTS)), st.booleans(), st.data())
def test_damaged_files_are_refused_or_right(name: str, is_model: bool, data: st.DataObject) -> None:
    files = [exported(name), answer_to(name, PUZZLE).encode()]
    whole = files[not is_model]
    place = data.draw(st.integers(0, len(whole)))
    damage = data.draw(st.text(alphabet="01279-x v\ns(){}[];.é", max_size=3).map(str.encode) | st.binary(max_size=3))
    files[not is_model] = whole[:place] + damage + whole[place + data.draw(st.integers(0, 9)) :]
    try:
        decoded = decode(files[0], files[1])
    except InputError:
        return
    if decoded.result.grid is not None:
        assert check(decoded.puzzle, decoded.result.grid) == []
