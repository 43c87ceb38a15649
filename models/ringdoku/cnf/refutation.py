"""A DRAT proof that a formula has no solution, and its check, which needs no solver.

Each step adds a clause that follows from those before it by *reverse unit propagation*: its opposite, assumed, leads
by unit clauses alone to a contradiction (Goldberg and Novikov, "Verification of proofs of unsatisfiability for CNF
formulas", DATE 2003). The proof ends with the empty clause. Steps that begin with `d` delete a clause; here they are
passed over, which takes time, never truth. The text is the format of DRAT-trim (Wetzler, Heule and Hunt, SAT 2014).
"""

from __future__ import annotations

from collections.abc import Iterable

from ringdoku.cnf.formula import Cnf


def faults_of_proof(cnf: Cnf, steps: Iterable[str]) -> list[str]:
    """What is wrong with lines such as `1 -2 0` and `d 1 -2 0` as a proof that `cnf` has no solution.

    A sentence for the first fault; empty when it holds.
    """
    known = _Clauses(cnf.num_vars)
    if not all(map(known.add, cnf.clauses())):
        return []
    for number, step in enumerate(steps, 1):
        if step.startswith("d"):
            continue
        clause = _clause_of(step, cnf.num_vars)
        if clause is None:
            return [f"step {number} is no clause of the formula's variables: {step!r}"]
        if not known.implies(clause):
            return [f"step {number} does not follow: {step!r}"]
        if not known.add(clause):
            return []
    return ["the proof ends without the empty clause"]


def _clause_of(step: str, num_vars: int) -> list[int] | None:
    """The literals before the 0 at the end; None for what is no clause of so many variables."""
    try:
        *clause, end = map(int, step.split())
    except ValueError:
        return None
    # literal 0 would be its own opposite, and prove anything
    return clause if end == 0 and all(0 < abs(literal) <= num_vars for literal in clause) else None


class _Clauses:
    """Clauses and what follows from them by unit propagation, with two watched literals a clause."""

    def __init__(self, num_vars: int) -> None:
        # indexed by literals; those of negative ones count from the end
        self._values: list[bool | None] = [None] * (2 * num_vars + 1)
        self._watching: list[list[list[int]]] = [[] for _ in self._values]
        self._trail: list[int] = []

    def add(self, clause: Iterable[int]) -> bool:
        """False when it contradicts the others by unit propagation; then nothing more may be added."""
        values = self._values
        literals = list(dict.fromkeys(clause))
        if any(values[literal] for literal in literals):
            return True
        # what is decided by now stays so
        literals = [literal for literal in literals if values[literal] is None]
        if len(literals) > 1:
            for literal in literals[:2]:
                self._watching[literal].append(literals)
            return True
        return bool(literals) and self._propagate(literals)

    def implies(self, clause: Iterable[int]) -> bool:
        """Whether its opposite leads to a contradiction; all is as it was afterwards."""
        before = len(self._trail)
        holds = not self._propagate([-literal for literal in clause])
        for literal in self._trail[before:]:
            self._values[literal] = self._values[-literal] = None
        del self._trail[before:]
        return holds

    def _propagate(self, literals: Iterable[int]) -> bool:
        """Make the literals true, and all that follows; False when that cannot be."""
        head = len(self._trail)
        if not all(map(self._make_true, literals)):
            return False
        while head < len(self._trail):
            if not self._visit(-self._trail[head]):
                return False
            head += 1
        return True

    def _make_true(self, literal: int) -> bool:
        if self._values[literal] is None:
            self._values[literal], self._values[-literal] = True, False
            self._trail.append(literal)
        return bool(self._values[literal])

    def _visit(self, false: int) -> bool:
        """The clauses that watch a literal which became false watch another, or make their last literal true."""
        values, watching = self._values, self._watching[false]
        kept: list[list[int]] = []
        for place, clause in enumerate(watching):
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            if not values[clause[0]]:
                other = next((index for index in range(2, len(clause)) if values[clause[index]] is not False), None)
                if other is not None:
                    clause[1], clause[other] = clause[other], false
                    self._watching[clause[1]].append(clause)
                    continue
                if not self._make_true(clause[0]):
                    self._watching[false] = kept + watching[place:]
                    return False
            kept.append(clause)
        self._watching[false] = kept
        return True
