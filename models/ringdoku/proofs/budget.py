"""Sums that CaDiCaL keeps while it searches, by its interface for external propagators (Fazekas, Niemetz, Preiner,
Kirchweger, Szeider and Biere, "IPASIR-UP: user propagators for CDCL", SAT 2023).

The sums are never written as clauses. What the solver learns are clauses over the candidates alone, and each of them
follows by unit propagation from the formula and the sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pysat.engines import Propagator  # noqa: TID253 - this module itself is loaded on use

from ringdoku.proofs.checker import Row


class Sums(Propagator):  # type: ignore[misc]  # PySAT has no types
    """Each of `rows` is kept by its *slack*: by how much its literals that are not false exceed what it needs."""

    def __init__(self, rows: Iterable[Row]) -> None:
        super().__init__()
        rows = [row for row in rows if row.least > 0]
        self._rows = [sorted(zip(row.factors, row.literals, strict=True), reverse=True) for row in rows]
        self._spare = [sum(row.factors) - row.least for row in rows]
        self._slack = list(self._spare)
        self._rows_with: dict[int, list[tuple[int, int]]] = {}
        for number, terms in enumerate(self._rows):
            for factor, literal in terms:
                self._rows_with.setdefault(literal, []).append((number, factor))
        # literal → its place in the trail
        self._true: dict[int, int] = {}
        self._trail: list[int] = []
        self._levels: list[int] = []
        self._fixed: set[int] = set()
        self._waiting: set[int] = set(range(len(self._rows)))
        self._because: dict[int, tuple[int, int]] = {}
        self._explained: set[int] = set()
        self._clause: list[int] | None = None
        self.given: list[list[int]] = []
        """Every clause that the solver got from here, or would have got had it asked."""

    @property
    def variables(self) -> list[int]:
        """Those that the solver has to report."""
        return sorted(set(map(abs, self._rows_with)))

    def on_assignment(self, lit: int, fixed: bool = False) -> None:
        if fixed:
            self._fixed.add(lit)
            if lit in self._because and lit not in self._explained:
                # the solver does not ask why
                self._because[lit] = self._because[lit][0], len(self._trail)
                self.provide_reason(lit)
        if lit not in self._true:
            self._push(lit)

    def _push(self, lit: int) -> None:
        self._true[lit] = len(self._trail)
        self._trail.append(lit)
        for row, factor in self._rows_with.get(-lit, ()):
            left = self._slack[row] = self._slack[row] - factor
            if left < self._rows[row][0][0]:
                self._waiting.add(row)

    def on_new_level(self) -> None:
        self._levels.append(len(self._trail))

    def on_backtrack(self, to: int) -> None:
        if to >= len(self._levels):
            return
        start = self._levels[to]
        del self._levels[to:]
        undone = self._trail[start:]
        del self._trail[start:]
        for lit in undone:
            del self._true[lit]
            for row, factor in self._rows_with.get(-lit, ()):
                self._slack[row] += factor
        self._clause = None
        for lit in undone:
            if lit in self._fixed:
                self._push(lit)
        # what was returned may not have been heard
        self._waiting = {row for row, left in enumerate(self._slack) if left < self._rows[row][0][0]}

    def check_model(self, model: list[int]) -> bool:
        places = dict.fromkeys(model, -1)
        for number in range(len(self._rows)):
            clause = self._enough(number, self._spare[number], 0, places)
            if clause is not None:
                self._clause = clause
                return False
        return True

    def propagate(self) -> list[int]:
        found = []
        while self._waiting:
            number = self._waiting.pop()
            left, before = self._slack[number], len(self._trail)
            if left < 0:
                self._clause = self._enough(number, self._spare[number], before, self._true)
                return []
            for factor, literal in self._rows[number]:
                if factor <= left:
                    break
                if literal not in self._true and -literal not in self._true:
                    self._because[literal] = number, before
                    self._explained.discard(literal)
                    found.append(literal)
                    if not self._levels:
                        # the solver does not report what it learns for good from here, nor ask why
                        self.provide_reason(literal)
                        self._push(literal)
        return found

    def provide_reason(self, lit: int) -> list[int]:
        number, before = self._because[lit]
        factor = next(factor for factor, literal in self._rows[number] if literal == lit)
        because = self._enough(number, self._spare[number] - factor, before, self._true)
        if because is None:
            # it was for an assignment that was taken back, and has another reason now
            return []
        clause = [lit, *because]
        self.given.append(clause)
        self._explained.add(lit)
        return clause

    def has_clause(self) -> bool:
        return self._clause is not None

    def add_clause(self) -> list[int]:
        clause, self._clause = self._clause or [], None
        self.given.append(clause)
        return clause

    def _enough(self, number: int, left: int, before: int, places: Mapping[int, int]) -> list[int] | None:
        """The fewest literals of a row that were false before, and whose factors exceed `left` together; None where all
        do not."""
        found = []
        for factor, literal in self._rows[number]:
            if left < 0:
                break
            if places.get(-literal, before) < before:
                found.append(literal)
                left -= factor
        return found if left < 0 else None
