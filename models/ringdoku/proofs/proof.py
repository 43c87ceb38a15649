"""A proof in the format of VeriPB, step by step, as it is made."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ringdoku.proofs.model import CertificateModel

_OLD = {"soli": "o", "solx": "v", "deld": "del id"}
"""Names of rules in version 1.2."""


class Proof:
    """Steps of a proof about a model; each method adds one."""

    def __init__(self, stated: CertificateModel) -> None:
        self.stated = stated
        self.constraints = stated.size
        """How many there are by now, and so the number of the last one."""
        self.sums: list[str] = []
        self._steps: list[tuple[str, str]] = []
        self._numbers: dict[frozenset[int], list[int]] = {}

    def better_than(self, chosen: Sequence[int]) -> None:
        """A solution, of which every variable is named."""
        true, every = self.stated.completed(chosen), range(1, self.stated.variables + 1)
        self._add("soli", " ".join([f"x{var}" if var in true else f"~x{var}" for var in every]))

    def another_than(self, chosen: Sequence[int]) -> None:
        """A solution, and a second constraint of its digits only, which propagates more than what `solx` adds."""
        self._add("solx", " ".join([f"x{var}" for var in sorted(self.stated.completed(chosen))]))
        self.clause(self.stated.against(chosen))

    def sum(self, words: str) -> None:
        """In reverse Polish notation."""
        self.sums.append(words)
        self._add("pol", words)

    def clause(self, literals: Sequence[int]) -> None:
        """That follows by unit propagation; the empty one ends every proof."""
        words = [f"1 x{literal} " if literal > 0 else f"1 ~x{-literal} " for literal in literals]
        self._add("rup", f"{''.join(words)}>= 1")
        self._numbers.setdefault(frozenset(literals), []).append(self.constraints)

    def drup(self, steps: Iterable[str]) -> None:
        """A SAT solver's proof over variables of the model."""
        for step in own_steps(steps, {clause: len(numbers) for clause, numbers in self._numbers.items()}):
            clause = [int(word) for word in step.removeprefix("d ").split()[:-1]]
            if step[0] == "d":
                self._steps.append(("deld", str(self._numbers[frozenset(clause)].pop())))
            else:
                self.clause(clause)

    def lines(self, version: str = "3.0") -> list[str]:
        head, loaded = f"pseudo-Boolean proof version {version}", self.stated.size
        if version == "3.0":
            steps = [f"{rule} {words} ;" for rule, words in self._steps]
            ends = ["output NONE ;", f"conclusion {self._conclusion()} ;", "end pseudo-Boolean proof ;"]
            return [head, f"f {loaded} ;", *steps, *ends]
        steps = [f"{_OLD.get(rule, rule)} {words}{' ;' if rule == 'rup' else ''}" for rule, words in self._steps]
        return [head, f"f {loaded}", *steps, f"c {self.constraints}"]

    def _conclusion(self) -> str:
        claim = self.stated.claim
        if claim.count is None:
            value = -self.stated.objective.sense.sign * (claim.score or 0)
            return f"BOUNDS {value} : -1 {value}"
        return f"ENUMERATION_COMPLETE {claim.count} : -1" if claim.count else "UNSAT : -1"

    def _add(self, rule: str, words: str) -> None:
        self._steps.append((rule, words))
        self.constraints += 1


def own_steps(steps: Iterable[str], added: Mapping[frozenset[int], int]) -> Iterator[str]:
    """The steps of a proof in the DRUP format, `1 -2 0` and `d 1 -2 0`, up to the empty clause, with deletions only of
    what was `added`, so often, or is in the proof: solvers delete what they were given, and use it again."""
    there = Counter(added)
    for step in steps:
        clause = frozenset(map(int, step.removeprefix("d ").split()[:-1]))
        if not clause:
            return
        if step[0] != "d":
            there[clause] += 1
            yield step
        elif there[clause] and len(clause) > 1:
            there[clause] -= 1
            yield step
