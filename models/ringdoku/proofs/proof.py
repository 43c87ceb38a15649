"""A proof in the format of VeriPB, built step by step. Steps on which nothing rests are left out of its lines."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from ringdoku.proofs.checker import Propagation
from ringdoku.proofs.model import CertificateModel

_OLD = {"soli": "o", "solx": "v"}  # rules in version 1.2

Steps = list[tuple[Sequence[int], Sequence[int]]]
"""Clauses, each with hints: what it follows from by unit propagation, in this order. A hint k > 0 is the number of a
constraint, and −k is the k-th of these clauses."""
Terms = Sequence[tuple[int, int]]
"""(number of a constraint, its multiplier ≥ 1)."""


class Proof:
    """A proof about a model. A method that adds a step returns the number of the constraint that it derives."""

    def __init__(self, model: CertificateModel) -> None:
        self.model = model
        self.constraint_count = len(model.rows)
        """The number of constraints so far, which is also the number of the last one."""
        self.kept = set[int]()
        """Numbers of steps that stay even if no other rests on them; solutions and the last step stay anyway."""
        self.because: dict[int, Sequence[int]] = {}
        """For rows that were simplified the numbers of those they also rest on, hints before them and after them."""
        # each step's rule and its words; a word that is an int is the number of a constraint
        self._steps: list[tuple[str, Sequence[int | str]]] = []

    def improve_on(self, candidates: Sequence[int]) -> int:
        """Logs a solution, given by its true candidates, and derives that only better ones count from here on."""
        true, variables = self.model.with_helpers(candidates), range(1, self.model.variable_count + 1)
        return self._add("soli", [f"x{var}" if var in true else f"~x{var}" for var in variables])

    def exclude(self, candidates: Sequence[int]) -> int:
        """Logs a solution, and derives its blocking clause, which propagates more than the constraint of `solx`."""
        self._add("solx", [f"x{var}" for var in sorted(self.model.with_helpers(candidates))])
        at_most_one = [most for _, most in self.model.rules.row_numbers[: self.model.puzzle.board.grid_count]]
        return self.clause(self.model.blocking_clause(candidates), [*at_most_one, self.constraint_count])

    def sum(self, terms: Terms, *then: str) -> int:
        """Derives a weighted sum of constraints. The words `then` continue its reverse Polish notation."""
        words = list[int | str]()
        for place, (number, times) in enumerate(terms):
            words += [number, *([str(times), "*"] if times > 1 else []), *(["+"] if place else [])]
        return self._add("pol", [*words, *then])

    def clause(self, literals: Sequence[int], hints: Sequence[int], least: int = 1) -> int:
        """Derives that at least `least` of the literals are true, by unit propagation of the `hints` in their order, or
        of all constraints if there are none. The empty clause ends a proof."""
        ones = "".join([f"1 x{literal} " if literal > 0 else f"1 ~x{-literal} " for literal in literals])
        return self._add("rup", [f"{ones}>= {least}", *([": ~"] if hints else []), *hints])

    def clauses(self, steps: Steps, always: Sequence[int]) -> range:
        """Derives clauses, each from its hints and the constraints `always`, and returns their numbers."""
        before = self.constraint_count
        for clause, hints in steps:
            numbers = list(always)
            for hint in hints:
                others = self.because.get(hint, ())
                numbers += [*others, hint if hint > 0 else before - hint, *reversed(others)]
            self.clause(clause, numbers)
        return range(before + 1, self.constraint_count + 1)

    def lines(self, version: str = "3.0") -> list[str]:
        """The lines of the file, in a version of VeriPB's format: 3.0, or 1.2, which has no hints."""
        head, loaded, steps = f"pseudo-Boolean proof version {version}", len(self.model.rows), list(self._kept_steps())
        if version == "3.0":
            ends = ["output NONE ;", f"conclusion {self._conclusion()} ;", "end pseudo-Boolean proof ;"]
            return [head, f"f {loaded} ;", *(f"{rule} {words} ;" for rule, words in steps), *ends]
        old = (f"{_OLD.get(rule, rule)} {words.split(' :')[0]}{' ;' if rule == 'rup' else ''}" for rule, words in steps)
        return [head, f"f {loaded}", *old, f"c {loaded + len(steps)}"]

    def _kept_steps(self) -> Iterator[tuple[str, str]]:
        """The rule and the words of each step that stays. Constraints have new numbers, without gaps."""
        loaded, needed = len(self.model.rows), {*self.kept, self.constraint_count}
        steps = dict(enumerate(self._steps, loaded + 1))
        for number, (rule, words) in reversed(steps.items()):
            if number in needed or rule in _OLD:
                needed.update([number, *(word for word in words if isinstance(word, int))])
        kept = [number for number in steps if number in needed]
        renumbered = {old: str(new) for new, old in enumerate(chain(range(1, loaded + 1), kept), 1)}
        for rule, words in map(steps.__getitem__, kept):
            yield rule, " ".join([renumbered[word] if isinstance(word, int) else word for word in words])

    def _conclusion(self) -> str:
        claim = self.model.claim
        if claim.count is None:
            value = -self.model.objective.sense.sign * (claim.score or 0)
            return f"BOUNDS {value} : -1 {value}"
        return f"ENUMERATION_COMPLETE {claim.count} : -1" if claim.count else "UNSAT : -1"

    def _add(self, rule: str, words: Sequence[int | str]) -> int:
        self._steps.append((rule, words))
        self.constraint_count += 1
        return self.constraint_count


def contradiction(known: Propagation, clause: Sequence[int], waiting: Iterable[int]) -> list[tuple[int, list[int]]]:
    """How unit propagation refutes the negation of a clause: the numbers of constraints, each with the literals that it
    makes true, last the one that fails. Only steps that are needed, and none if it does not. `waiting` come first."""
    reasons = {-literal: -1 for literal in clause}  # literals that are assumed have no number
    broken = known.propagate(reasons, waiting, clause)
    if broken is None:
        return []
    needed, steps = known.rows[broken].opposites & reasons.keys(), [(broken, list[int]())]
    for number, literals in groupby(reversed(reasons), reasons.__getitem__):
        used = [literal for literal in literals if literal in needed]
        if used and number >= 0:
            needed |= known.rows[number].opposites & reasons.keys()
            steps.append((number, used[::-1]))
    return steps[::-1]
