"""A proof in the format of VeriPB, step by step, as it is made; what nothing rests on is left out of its lines."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from ringdoku.proofs.checker import Propagation
from ringdoku.proofs.model import CertificateModel

_OLD = {"soli": "o", "solx": "v"}  # rules in version 1.2

Steps = list[tuple[Sequence[int], Sequence[int]]]
"""Clauses, each with what it follows from by unit propagation, one after the other: k > 0 is the number of a
constraint, and −k the k-th of these clauses."""
Terms = Sequence[tuple[int, int]]
"""(number of a constraint, how often)."""


class Proof:
    """Steps of a proof about a model; each method adds one, and returns the number of what that adds."""

    def __init__(self, stated: CertificateModel) -> None:
        self.stated = stated
        self.constraints = len(stated.rows)
        """How many there are by now, and so the number of the last one."""
        self.needed = set[int]()
        """Numbers of steps that stay though no other rests on them; solutions and the last step stay anyway."""
        # rules with their words; those that are numbers name constraints
        self._steps: list[tuple[str, Sequence[int | str]]] = []

    def better_than(self, chosen: Sequence[int]) -> int:
        """A solution, of which every variable is named."""
        true, every = self.stated.completed(chosen), range(1, self.stated.variables + 1)
        return self._add("soli", [f"x{var}" if var in true else f"~x{var}" for var in every])

    def another_than(self, chosen: Sequence[int]) -> int:
        """A solution, and a second constraint of its digits only, which propagates more than what `solx` adds."""
        self._add("solx", [f"x{var}" for var in sorted(self.stated.completed(chosen))])
        cells = self.stated.rules.numbers[: self.stated.puzzle.board.grid_count]
        return self.clause(self.stated.against(chosen), [*(most for _, most in cells), self.constraints])

    def sum(self, terms: Terms, *then: str) -> int:
        """Of constraints, in reverse Polish notation, which goes on with what comes `then`."""
        words = list[int | str]()
        for place, (number, times) in enumerate(terms):
            words += [number, *([str(times), "*"] if times > 1 else []), *(["+"] if place else [])]
        return self._add("pol", [*words, *then])

    def clause(self, literals: Sequence[int], because: Sequence[int], least: int = 1) -> int:
        """So many of the literals, by unit propagation from these constraints in turn. The empty clause ends proofs."""
        ones = "".join([f"1 x{literal} " if literal > 0 else f"1 ~x{-literal} " for literal in literals])
        return self._add("rup", [f"{ones}>= {least}", *([": ~"] if because else []), *because])

    def follow(self, steps: Steps, always: Sequence[int]) -> range:
        """Clauses, each of which follows from what `always` is there too."""
        first = self.constraints
        for clause, because in steps:
            self.clause(clause, [*always, *(number if number > 0 else first - number for number in because)])
        return range(first + 1, self.constraints + 1)

    def lines(self, version: str = "3.0") -> list[str]:
        head, loaded, steps = f"pseudo-Boolean proof version {version}", len(self.stated.rows), list(self._needed())
        if version == "3.0":
            ends = ["output NONE ;", f"conclusion {self._conclusion()} ;", "end pseudo-Boolean proof ;"]
            return [head, f"f {loaded} ;", *(f"{rule} {words} ;" for rule, words in steps), *ends]
        # without hints
        old = (f"{_OLD.get(rule, rule)} {words.split(' :')[0]}{' ;' if rule == 'rup' else ''}" for rule, words in steps)
        return [head, f"f {loaded}", *old, f"c {loaded + len(steps)}"]

    def _needed(self) -> Iterator[tuple[str, str]]:
        """The steps that stay, with the numbers that they have then."""
        loaded, needed = len(self.stated.rows), {*self.needed, self.constraints}
        every = dict(enumerate(self._steps, loaded + 1))
        for number, (rule, words) in reversed(every.items()):
            if number in needed or rule in _OLD:
                needed.update([number, *(word for word in words if isinstance(word, int))])
        kept = [number for number in every if number in needed]
        names = {number: str(new) for new, number in enumerate(chain(range(1, loaded + 1), kept), 1)}
        for rule, words in map(every.__getitem__, kept):
            yield rule, " ".join([names[word] if isinstance(word, int) else word for word in words])

    def _conclusion(self) -> str:
        claim = self.stated.claim
        if claim.count is None:
            value = -self.stated.objective.sense.sign * (claim.score or 0)
            return f"BOUNDS {value} : -1 {value}"
        return f"ENUMERATION_COMPLETE {claim.count} : -1" if claim.count else "UNSAT : -1"

    def _add(self, rule: str, words: Sequence[int | str]) -> int:
        self._steps.append((rule, words))
        self.constraints += 1
        return self.constraints


def contradiction(known: Propagation, clause: Sequence[int], waiting: Iterable[int]) -> list[tuple[int, list[int]]]:
    """How the opposite of a clause leads to one: numbers of constraints, each with literals that it makes true, and
    last the one that fails. No more than is needed, and nothing where there is none. Those `waiting` come first."""
    found = {-literal: -1 for literal in clause}  # what is assumed has no number
    broken = known.propagate(found, waiting, clause)
    if broken is None:
        return []
    needed, steps = known.rows[broken].opposites & found.keys(), [(broken, list[int]())]
    for number, literals in groupby(reversed(found), found.__getitem__):
        wanted = [literal for literal in literals if literal in needed]
        if wanted and number >= 0:
            needed |= known.rows[number].opposites & found.keys()
            steps.append((number, wanted[::-1]))
    return steps[::-1]
