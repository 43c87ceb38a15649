"""Limits are kept in every phase, and what is known by then is reported."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ringdoku import Grid, Objective, Puzzle, Ruleset, Session, Status, TimeLimitError, bound, ring_weights
from ringdoku.constraints.registry import read_constraint
from ringdoku.deduction.propagation import propagate
from ringdoku.domain import Board, Count, DimensionError
from ringdoku.limits import Deadline, run_in_process, run_interruptibly
from ringdoku.lowering.cnf import lower_to_cnf, lower_to_wcnf
from ringdoku.lowering.cpsat import lower_to_boolean_cpsat, lower_to_cpsat
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.formula import FormulaBuilder, VarPool
from ringdoku.sat.options import PRESOLVED, TEXTBOOK
from ringdoku.sat.rules import encode

BLANK = Puzzle.blank(16)
RINGS = ring_weights(BLANK.board)
OVER = Deadline(0.0)


@pytest.mark.parametrize(
    "build",
    [
        lambda: propagate(BLANK, deadline=OVER),
        lambda: lower_to_cnf(BLANK, TEXTBOOK, OVER),
        lambda: lower_to_cnf(BLANK, PRESOLVED, OVER),
        lambda: lower_to_wcnf(BLANK, RINGS.weights, RINGS.sense, TEXTBOOK, OVER),
        lambda: lower_to_cpsat(BLANK, deadline=OVER),
        lambda: lower_to_boolean_cpsat(BLANK, deadline=OVER),
        lambda: FormulaBuilder(OVER).add([[1, 2]]),
    ],
)
def test_building_stops_at_the_deadline(build: Callable[[], object]) -> None:
    with pytest.raises(TimeLimitError):
        build()


class Counted(Deadline):
    checks = 0

    def check(self) -> None:
        self.checks += 1


def test_the_deadline_is_checked_while_clues_are_placed_and_rules_narrowed_and_encoded() -> None:
    board = Board.square(12)
    puzzle = Puzzle(Ruleset(board, (read_constraint("anti-taxicab", board),)), Grid.blank(board))
    narrowing, encoding = Counted(), Counted()
    propagate(puzzle, deadline=narrowing)
    lower_to_cnf(puzzle, TEXTBOOK, encoding)
    rules = len(puzzle.ruleset.rest)
    assert narrowing.checks > rules // 100
    assert encoding.checks > rules
    deadline = Counted()
    full = Puzzle.of_rows([[(row % 6 * 6 + row // 6 + column) % 36 + 1 for column in range(36)] for row in range(36)])
    assert propagate(full, deadline=deadline) is not None
    assert deadline.checks > 1


@pytest.mark.parametrize("backend", ["auto", "search", "rc2", "cpsat", "cpsat-alldifferent", "minisat22", "cadical195"])
def test_a_large_blank_board_is_unknown_at_the_limit(backend: str) -> None:
    result = Session(backend).solve(Puzzle.blank(81), time_limit=0.2)
    assert result.status in (Status.UNKNOWN, Status.SATISFIABLE)


def test_what_is_known_in_hardly_any_time_and_that_a_limit_changes_no_answer() -> None:
    result = Session("lp-sat").maximise(Puzzle.blank(64), ring_weights(Puzzle.blank(64).board), time_limit=0.6)
    assert result.bound is not None
    assert result.status is Status.UNKNOWN or result.grid is not None
    with pytest.raises(TimeLimitError):
        bound(Puzzle.blank(169), time_limit=1e-6)
    assert len({Session().solve(Puzzle.blank(9), limit).grid for limit in (60, None)}) == 1
    assert bound(Puzzle.blank(12, (3, 4)), Objective(tuple(10**9 * (c * c % 23 - 9) // 13 for c in range(144))), 0.05)


def test_threads_are_stopped_and_clauses_that_would_fill_the_memory_refused() -> None:
    stopped: list[int] = []

    def work() -> int:
        while not stopped:
            time.monotonic()
        return 7

    assert run_interruptibly(work, lambda: stopped.append(1), Deadline(0.05)) == 7
    with pytest.raises(ZeroDivisionError):
        run_interruptibly(lambda: 1 // 0, lambda: None, Deadline())
    clauses = RuleClauses([[1, 2]], 1, lambda _: frozenset(), VarPool(2))
    long = [1] * 2**10
    for _ in range(2**15 + 1):
        clauses.add(long)
    with pytest.raises(DimensionError, match="the long line is too large: with it the clauses of the rules have more"):
        encode([Count(((0, 1), (0, 2)), 0, 1, "the long line")], clauses)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_work_in_a_process_is_killed_at_the_deadline_and_upon_ctrl_c_while_it_starts() -> None:
    def forever() -> int:
        while True:
            time.monotonic()

    before = multiprocessing.active_children()
    assert run_in_process(lambda: [1, 2], Deadline(60)) == [1, 2]
    with pytest.raises(TimeLimitError):
        run_in_process(forever, Deadline(0.05))
    with pytest.raises(KeyError):
        run_in_process(lambda: dict[str, int]()["no such key"], Deadline(60))
    once = map(signal.raise_signal, [signal.SIGINT])
    os.register_at_fork(after_in_parent=lambda: next(once, None))
    with pytest.raises(KeyboardInterrupt):
        run_in_process(forever, Deadline())
    assert set(multiprocessing.active_children()) <= {*before}


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(("order", "backend"), [(81, "auto"), (64, "rc2"), (64, "cadical195"), (36, "cpsat")])
def test_ctrl_c_ends_a_large_board_with_what_is_known(order: int, backend: str, tmp_path: Path) -> None:
    (tmp_path / "board").write_text("\n".join([" ".join("0" * order)] * order) + "\n")
    command = [sys.executable, "-m", "ringdoku_cli", "solve" if backend == "cadical195" else "maximise", "board"]
    ask, pipe = [*command, "--backend", backend], subprocess.PIPE
    with subprocess.Popen(ask, cwd=tmp_path, stdout=pipe, stderr=pipe, text=True) as program:
        try:
            program.wait(2)
        except subprocess.TimeoutExpired:
            program.send_signal(signal.SIGINT)
            # impatient, while the first one is heeded
            time.sleep(0.02)
            program.send_signal(signal.SIGINT)
            # far more than it takes, and far less than the search would
            answer, said = program.communicate(timeout=60)
            assert (program.returncode, answer) == (130, "")
            assert "interrupted" in said
        finally:
            program.kill()
