"""The readers of solver output: what they understand, and which mistake they name."""

from __future__ import annotations

import contextlib
import re
import tracemalloc
from collections.abc import Callable
from io import BufferedReader, RawIOBase
from typing import Any

import pytest

from ringdoku import InputError, Status
from ringdoku.answers.literals import read_literals
from ringdoku.answers.minizinc import read_minizinc
from ringdoku.answers.response import read_response
from ringdoku.answers.smtlib import read_smtlib
from ringdoku.answers.text import TALK, SolverOutput
from ringdoku.answers.values import read_values
from ringdoku.answers.xcsp3 import read_xcsp3

NAMES = re.compile(r"(?!other)\w+")
"""Of variables."""


def output(text: str) -> SolverOutput:
    """What a solver wrote."""
    return SolverOutput(text.encode(), "answer")


Reader = Callable[[SolverOutput], object]

READERS: dict[str, Reader] = {
    "literals": lambda written: read_literals(written, 3),
    "values": lambda written: read_values(written, NAMES, 3),
    "minizinc": lambda written: read_minizinc(written, 4),
    "smtlib": lambda written: read_smtlib(written, 4),
    "response": lambda written: read_response(written, 4),
    "xcsp3": lambda written: read_xcsp3(written, 4),
}
"""Every reader, for a model of a few variables."""

ENDLESS = {
    "literals": ["v 1 -2 3\n", "v \n", "v 1 -2 3 "],
    "values": ["x", "x 1 "],
    "minizinc": ["1 2 2 1\n", "% objective = 3\n", "{"],
    "smtlib": ["((digit_1_1 1)\n", ") "],
    "response": ["solution: 1\n", "solution: [1, 2]\n", "solution: [1, 2, "],
    "xcsp3": ["v <instantiation> <list> x[] </list> ", "v 1\n"],
}
"""Beginnings of answers that need more memory the longer they are repeated; a first line makes the rest count."""
FIRST = {"literals": "s SATISFIABLE\n", "smtlib": "sat\n", "xcsp3": "s SATISFIABLE\nv <instantiation>\n"}
LONG = "7 " * 30000
IDLE = {
    "literals": [f"c {LONG}\n", f"o 5\nv {' ' * len(LONG)} 1 -2 3\n"],
    "values": [f"# {LONG}\n", f"other 1 {LONG}\n"],
    "minizinc": [f"%%%mzn-stat: {LONG}\n", f"% {LONG}\n", f"{LONG}\n----------\n"],
    "smtlib": [f"unsupported {LONG}\n"],
    "response": [f"# {LONG}\n", f"wall_time: {LONG}\n"],
    "xcsp3": [f"c {LONG}\n", f"v <instantiation> {LONG} </instantiation>\n"],
}
"""Lines that no answer grows by."""


class Repeated(RawIOBase):
    """A first line, and then other text again and again, up to so many bytes; `size` counts those that were read."""

    def __init__(self, first: str, again: str, most: int) -> None:
        super().__init__()
        self._next = first.encode()
        self._again = again.encode() * (1 + (1 << 16) // len(again))
        self._most = most
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.size >= self._most:
            return 0
        self._next = self._next or self._again
        chunk = self._next[: len(buffer)]
        self._next = self._next[len(chunk) :]
        buffer[: len(chunk)] = chunk
        self.size += len(chunk)
        return len(chunk)


LITERALS = {
    "competition": "c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n",
    "values first, as clasp": "v 1 -2 3 0\ns SATISFIABLE\nc Models : 1+\n",
    "CRLF and blanks": "s SATISFIABLE\r\n\r\n  v 1 -2   3 0\r\n",
    "noise around": "WARNING: for repeatability\ns SATISFIABLE\nv 1 -2 3 0\nreal 0.1\n",
    "minisat's file": "SAT\n1 -2 3 0\n",
    "pseudo-Boolean": "o -5\ns SATISFIABLE\nv x1 -x2 x3\n",
    "pseudo-Boolean, tilde": "s SATISFIABLE\nv x1 ~x2 x3\n",
    "bits": "o 7\ns SATISFIABLE\nv 101\n",
    "better answer replaces": "o 9\nv 1 2 3\no 7\nv 1 -2 3\ns SATISFIABLE\n",
}


@pytest.mark.parametrize("text", LITERALS.values(), ids=LITERALS)
def test_literals_are_read(text: str) -> None:
    answer = read_literals(output(text), 3)
    assert (answer.status, answer.assignment) == (Status.SATISFIABLE, {1: True, 2: False, 3: True})


@pytest.mark.parametrize(
    ("text", "status", "cost"),
    [
        ("s UNSATISFIABLE\n", Status.INFEASIBLE, None),
        ("UNSAT\n", Status.INFEASIBLE, None),
        ("s OPTIMUM FOUND\no 12\nv 1\n", Status.OPTIMAL, 12),
        ("s OPTIMUM FOUND\no \x1c12\nv 1\n", Status.OPTIMAL, 12),
        ("c time out\ns UNKNOWN\n", Status.UNKNOWN, None),
        ("INDET\n", Status.UNKNOWN, None),
        ("c \x1b[1mOptimal solution: -3\x1b[0m\ns OPTIMUM FOUND\nv x1\n", Status.OPTIMAL, None),
    ],
)
def test_status_and_cost_are_read(text: str, status: Status, cost: int | None) -> None:
    answer = read_literals(output(text), 3)
    assert (answer.status, answer.cost) == (status, cost)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "found nothing"),
        ("v 1 -2 3 0\n", "values without a status"),
        ("Segmentation fault\n", "'Segmentation fault' in line 1"),
        ("s MAYBE\n", ":1: found status 'MAYBE'"),
        ("s SATISFIABLE\ns UNSATISFIABLE\n", ":2: found status 'UNSATISFIABLE'"),
        ("s SATISFIABLE\nv 1 -2 4 0\n", ":2: found variable 4"),
        ("s SATISFIABLE\nv 1 -1 0\n", "variable 1 both true and false"),
        ("s SATISFIABLE\nv 1 two 0\n", ":2: found '1 two 0'"),
        ("s SATISFIABLE\nv 1 0 2\n", "2 after the closing 0"),
        ("s SATISFIABLE\nv +1 ２ 0\n", ":2: found"),
        ("s SATISFIABLE\no much\n", ":2: found 'o much'"),
        ("s SATISFIABLE\nv 99999999999999999999\n", ":2: found"),
    ],
)
def test_broken_literals_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_literals(output(text), 3)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 7\n# Columns 2\nx_1 1\ny 0\n"
        "# Rows 1\nr 1\n\n# Dual solution values\nNone\nx_1 5\n",
        "solution status: optimal solution found\nobjective value:        7\nx_1      1 \t(obj:24)\ny 0 (obj:1)\nr 1",
        "Optimal - objective value 7.00000000\n      0 x_1   1    24\n  1 y   0   48\n 2 r 1 0\n",
        "Status:     INTEGER OPTIMAL\nObjective:  score = 7 (MAXimum)\n     1 r      1   1   = \n"
        "     1 x_1      *      1             0             1 \n     2 y *   0  0 1\n",
    ],
    ids=["HiGHS", "SCIP", "CBC", "GLPK"],
)
def test_solution_files_are_read(text: str) -> None:
    answer = read_values(output(text), NAMES, 9)
    assert (answer.status, answer.objective) == (Status.OPTIMAL, 7)
    assert {name: value for name, (_, value) in answer.values.items()} == {"x_1": 1, "y": 0, "r": 1}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Model status\nInfeasible\n", Status.INFEASIBLE),
        ("solution status: infeasible\nno solution available\n", Status.INFEASIBLE),
        ("Infeasible - objective value 1.5\n      0 x_1   0    24\n", Status.INFEASIBLE),
        ("Status:     INTEGER EMPTY\n", Status.INFEASIBLE),
        ("Stopped on time - objective value 5.0\n 0 x 1 0\n", Status.FEASIBLE),
        ("Model status\nTime limit reached\n", Status.UNKNOWN),
        ("# Objective value = 7\nx 1\n", Status.FEASIBLE),
    ],
)
def test_ends_of_integer_programs_are_read(text: str, status: Status) -> None:
    assert read_values(output(text), NAMES, 9).status is status


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "neither a status nor values"),
        ("Model status\nUnbounded\n", ":2: found 'Unbounded'"),
        ("Model status\nOpt", ":2: found 'Opt'"),
        ("# Objective value = 7\nx 0.5\n", ":2: found x = 0.5"),
        ("# Objective value = 7\nx 1\nx 0\n", ":3: found a second value for x"),
        ("# Objective value = 7\nx 1e999\n", ":2: found x = inf"),
    ],
)
def test_broken_solution_files_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_values(output(text), NAMES, 9)
    assert complaint in str(caught.value)


@pytest.mark.parametrize("told", ["Objective 1e999", "Optimal - objective value -1e999", "Objective: s = 1e20 (MAX)"])
def test_an_objective_beyond_comparison_is_none(told: str) -> None:
    answer = read_values(output(f"{told}\nx 1\n"), NAMES, 9)
    assert (answer.objective, answer.values) == (None, {"x": (2, 1)})


@pytest.mark.parametrize(
    "solution",
    [
        "% objective = 9\n1 2\n2 1\n",
        "grid = \n[| 1, 2\n | 2, 1\n |];\n_objective = 9;\n",
        "grid = array2d(1..2, 1..2, [1, 2, 2, 1]);\n_objective = 9;\n",
        '{\n  "grid" : [[1, 2], [2, 1]],\n  "_objective" : 9\n}\n',
    ],
    ids=["item", "dzn", "older dzn", "json"],
)
def test_minizinc_is_read(solution: str) -> None:
    answer = read_minizinc(output(f"2 1\n1 2\n----------\n{solution}----------\n==========\n"), 4)
    assert (answer.status, answer.numbers, answer.objective) == (Status.OPTIMAL, [1, 2, 2, 1], 9)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("=====UNSATISFIABLE=====\n", Status.INFEASIBLE),
        ("=====UNKNOWN=====\n% Time limit exceeded!\n", Status.UNKNOWN),
        ("1\n----------\n% Time limit exceeded!\n", Status.SATISFIABLE),
        ("1\n----------\n%%%mzn-stat: time=1\n%%%mzn-stat-end\n", Status.SATISFIABLE),
    ],
)
def test_ends_of_minizinc_are_read(text: str, status: Status) -> None:
    assert read_minizinc(output(text), 1).status is status


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no solution and no status"),
        ("==========\n", "no solution and no status"),
        ("1 2\n2", "without the line of hyphens"),
        ("=====ERROR=====\n", ":1: found '=====ERROR====='"),
        ("=====UNBOUNDED=====\n", ":1: found '=====UNBOUNDED====='"),
        ("x = 5;\n----------\n", "a solution 'x = 5;'"),
    ],
)
def test_broken_minizinc_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_minizinc(output(text), 4)
    assert complaint in str(caught.value)


def test_smt_values_are_read() -> None:
    answer = read_smtlib(output("sat\n((digit_1_1 7)\n (digit_1_2 5))\n"), 2)
    assert (answer.status, answer.values) == (Status.SATISFIABLE, {"digit_1_1": 7, "digit_1_2": 5})


def test_smt_error_after_unsat_is_no_error() -> None:
    answer = read_smtlib(output('unsat\n(error "line 9: model is not available")\n'), 2)
    assert answer.status is Status.INFEASIBLE


@pytest.mark.parametrize("text", ["", '(error "line 1: unknown command")\nsat\n', "hello\n"])
def test_broken_smt_output_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="sat, unsat or unknown"):
        read_smtlib(output(text), 2)


@pytest.mark.parametrize(
    ("text", "objective"),
    [
        ("status: OPTIMAL\nsolution: 7\nsolution: 5\nobjective_value: 2.51e+02\nwall_time: 1e-05\n", 251),
        ("status: FEASIBLE\r\n  solution: [7, 5]\r\n", None),
        ("solution: [ 7,5 ]\nobjective_value: 1e+30\nstatus: OPTIMAL\n", None),
    ],
)
def test_response_of_cpsat_is_read(text: str, objective: int | None) -> None:
    answer = read_response(output(text), 2)
    assert (answer.numbers, answer.objective) == ([7, 5], objective)


@pytest.mark.parametrize("status", ["INFEASIBLE", "UNKNOWN"])
def test_response_without_a_solution_has_no_values(status: str) -> None:
    answer = read_response(output(f"status: {status}\nobjective_value: inf\n"), 2)
    assert (answer.status.value, answer.numbers, answer.objective) == (status.lower(), None, None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("solution: 1\n", "no `status:`"),
        ("status: MODEL_INVALID\n", ":1: found status 'MODEL_INVALID'"),
        ("status: OPTIMAL\nsolution: 1.5\n", ":2: found a solution '1.5'"),
        ("status: OPTIMAL\nsolution: [1,\x1c2]\n", ":2: found a solution"),
        ("status: OPTIMAL\nsolution: 1\nobjective_value: ２\n", ":3: found objective value"),
        ("status: OPTIMAL\nsolution: [1, 2\n", ":2: found a solution '[1, 2'"),
        (f"status: OPTIMAL\nsolution: {'9' * 5000}\n", ":2: found a solution '999"),
        *(
            (f"status: OPTIMAL\nsolution: 1\nobjective_value: {value}\n", f":3: found objective value '{value}'")
            for value in ("1.2.3", "1e+400", "-1e400", "inf", "nan", "2.5e+", "")
        ),
    ],
)
def test_broken_response_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_response(output(text), 2)
    assert complaint in str(caught.value)


def instantiation(values: str) -> str:
    return f"v <instantiation>\nv  <list> x[] </list>\nv  <values> {values} </values>\nv </instantiation>\n"


def test_last_whole_instantiation_is_read() -> None:
    unfinished = "v <instantiation>\nv  <list> x[] </list>\n"
    text = f"s SATISFIABLE\n{instantiation('1 2')}{unfinished}{instantiation('2 1')}{unfinished}"
    answer = read_xcsp3(output(text), 2)
    assert (answer.status, answer.variables, answer.values) == (Status.SATISFIABLE, "x[]", [2, 1])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no status"),
        ("s MAYBE\n", "status 'MAYBE'"),
        ("s SATISFIABLE\nv <instantiation> </instantiation>\n", "an instantiation ' '"),
        (f"s SATISFIABLE\n{instantiation('1 two')}", "values> that are numbers"),
        (f"s SATISFIABLE\n{instantiation('9' * 5000)}", "values> that are numbers"),
    ],
)
def test_broken_xcsp3_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_xcsp3(output(text), 2)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(("name", "again"), [(name, again) for name, each in ENDLESS.items() for again in each])
def test_no_more_is_read_than_an_answer_needs(name: str, again: str) -> None:
    endless = Repeated(FIRST.get(name, ""), again, 1 << 40)
    with pytest.raises(InputError, match="more than"):
        READERS[name](SolverOutput(BufferedReader(endless), "answer"))
    assert endless.size < 10 * TALK


@pytest.mark.parametrize(("name", "again"), [(name, again) for name, each in IDLE.items() for again in each])
def test_what_is_not_kept_needs_no_memory(name: str, again: str) -> None:
    idle = Repeated("", again, 100 * TALK)
    tracemalloc.start()
    with contextlib.suppress(InputError):
        READERS[name](SolverOutput(BufferedReader(idle), "answer"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert idle.size >= 100 * TALK
    assert peak < 10 * TALK


def test_digits_below_zero_are_read_and_extra_cells_come_last() -> None:
    assert read_xcsp3(output(f"s SATISFIABLE\n{instantiation('1 -2')}"), 2).values == [1, -2]
    assert read_response(output("status: OPTIMAL\nsolution: -1\nsolution: [0, -2]\n"), 3).numbers == [-1, 0, -2]
    assert read_smtlib(output("sat\n((a (- 2)) (b -1)\n(c 0))\n"), 3).values == {"a": -2, "b": -1, "c": 0}
    for text in (
        "-1 0\n-2\n",
        "grid = [| -1, 0 |];\nextra = [-2];\n",
        "extra = array1d(1..1, [-2]);\ngrid = array2d(1..1, 1..2, [-1, 0]);\n",
        '{ "extra" : [-2], "grid" : [[-1, 0]] }\n',
    ):
        assert read_minizinc(output(f"{text}----------\n"), 3).numbers == [-1, 0, -2]
