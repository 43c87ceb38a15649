"""A solver of PySAT: its settings, the clauses it gets, and calls that heed the deadline and Ctrl-C."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pysolvers
from pysat.solvers import Solver  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain.primitives import Allowed, Linear
from ringdoku.domain.ruleset import Ruleset, is_cage
from ringdoku.limits import Deadline, interruptible
from ringdoku.memory import without_collection
from ringdoku.sat import Cnf
from ringdoku.solvers.incremental import python_handles_signals

FIRST_CONFLICTS = 500
"""A call of the solver has this many conflicts, a millisecond or two on 9×9, 0.1 s on 25×25. The clock and Ctrl-C are
checked between calls, and CaDiCaL goes on where it was."""

SLOW_CANDIDATES = 250_000
"""Candidates of all cells, those of 64×64. There CaDiCaL, which cannot be interrupted, may take seconds for a few
conflicts."""

MOST_CONFLICTS = 2**30
"""No limit on conflicts."""

SMALL = 20_000
"""With up to this many variables a first call is too short for a thread of its own."""

SETTINGS_FOR_RULES = {"cadical195": {"chrono": 0, "probe": 0, "walk": 0}}
"""Of each solver, for puzzles with other rules than houses: eight hard killers and lists of candidates took three
quarters of the time."""
SETTINGS_FOR_CAGES = {"cadical195": {"stabilizeonly": 1, "vivify": 0}}
"""Besides those, for puzzles with no other rules than cages and candidates: of ten hard killers eight take a fifth to a
half of the time in the stable mode, and two 1.4 and 2.5 times as long; a hard list of candidates half. Without
vivification killers take a tenth fewer conflicts. Regions that are not known, and sandwiches, took longer."""

STEADY = {name: {"stabilizeonly": 1} for name in ("cadical153", "cadical195")}
"""Settings for small formulas of large puzzles: those of nearly determined 25×25 puzzles take three quarters of the
conflicts, and two thirds of the time, when CaDiCaL stays in its stable mode."""

STEADY_VARIABLES = 10_000

SLOW_WITH_BUDGETS = frozenset({"cadical195"})
"""Solvers that take longer than others once a formula has a budget on costs."""

IN_PYSAT = {
    "Cadical103": ("cadical103", "cadical"),
    "Cadical153": ("cadical153", "cadical"),
    "Cadical195": ("cadical195", "cadical"),
    "Glucose3": ("glucose3", "glucose"),
    "Glucose4": ("glucose41", "glucose"),
    "Minisat22": ("minisat22", "minisat"),
}
"""For PySAT's classes, the name of the solver in its extension module, and the field that holds it."""


@without_collection()
def loaded(
    solver_name: str, cnf: Cnf, deadline: Deadline, settings: Mapping[str, int] | None = None, **options: bool
) -> Any:
    """A solver that holds the formula. Raises `TimeLimitError` at the deadline: millions of clauses take seconds.

    `settings` are CaDiCaL's own, `options` those of PySAT.
    """
    solver = Solver(name=solver_name, **options)
    try:
        if settings:
            solver.configure(settings)
        add = adding(solver)
        for portion in cnf.portions():
            deadline.check()
            add(portion)
    except BaseException:
        solver.delete()
        raise
    return solver


def adding(solver: Any) -> Callable[[Sequence[Sequence[int]]], None]:
    """The function that adds clauses. PySAT's own loop takes longer than most solvers do, so they get clauses
    directly."""
    name, inner = IN_PYSAT.get(type(solver.solver).__name__, ("", ""))
    if not name:
        return lambda portion: solver.append_formula(portion, no_return=True)
    add = partial(getattr(pysolvers, f"{name}_add_cl"), getattr(solver.solver, inner))
    return lambda portion: deque(map(add, portion), maxlen=0)  # type: ignore[return-value]


def solve_in_turns(
    solver: Any, assumptions: Sequence[int], deadline: Deadline, conflicts: int = MOST_CONFLICTS
) -> bool | None:
    """Whether the solver's formula is satisfiable under `assumptions`; None when the deadline came first, or so many
    conflicts did.

    The search is the same whatever the clock says.
    """
    if can_be_interrupted(solver):
        # one long call, since solvers of the MiniSat family start their restarts again in each limited call
        return limited(solver, assumptions, conflicts, deadline)
    while conflicts > 0 and not deadline.expired:
        if (answer := limited(solver, assumptions, min(conflicts, FIRST_CONFLICTS), deadline)) is not None:
            return answer
        conflicts -= FIRST_CONFLICTS
    return None


def limited(solver: Any, assumptions: Sequence[int], conflicts: int, deadline: Deadline) -> bool | None:
    """The answer within this many conflicts; None if they or the time run out first.

    If the solver can be interrupted and takes longer than a moment, the deadline and Ctrl-C stop it.
    """
    if deadline.expired:
        return None
    answer: bool | None
    in_thread = can_be_interrupted(solver)
    if not in_thread or solver.nof_vars() <= SMALL:
        # most calls take less time than starting a thread
        solver.conf_budget(min(conflicts, FIRST_CONFLICTS) if in_thread else conflicts)
        with python_handles_signals():
            answer = solver.solve_limited(assumptions=assumptions)
        if answer is not None or not in_thread or conflicts <= FIRST_CONFLICTS:
            return answer
    solver.conf_budget(conflicts)
    try:
        answer = interruptible(
            lambda: solver.solve_limited(assumptions=assumptions, expect_interrupt=True), solver.interrupt, deadline
        )
    finally:
        solver.clear_interrupt()
    return answer


def can_be_interrupted(solver: Any) -> bool:
    """Whether another thread can stop a call of this solver. The CaDiCaL family checks only its limit on conflicts."""
    return not type(solver.solver).__name__.startswith("Cadical")


def settings_for_rules(solver_name: str, ruleset: Ruleset) -> Mapping[str, int]:
    """Settings for puzzles with other rules than houses; none for most solvers."""
    only_cages = all(
        isinstance(rule, Allowed) or (isinstance(rule, Linear) and is_cage(rule, ruleset.peers))
        for rule in ruleset.rest
    )
    of_cages = SETTINGS_FOR_CAGES if only_cages else {}
    return SETTINGS_FOR_RULES.get(solver_name, {}) | of_cages.get(solver_name, {})


def steady(solver_name: str, cnf: Cnf) -> Mapping[str, int] | None:
    """Settings for a large puzzle, if its formula is small."""
    return STEADY.get(solver_name) if cnf.num_vars <= STEADY_VARIABLES else None
