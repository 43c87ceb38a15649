"""The lines of a proof in the formats VeriPB 3.0 and 1.2, and the numbers of the constraints that they add."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

VERSIONS = ("3.0", "1.2")
_OLD = {"soli": "o", "solx": "v", "deld": "del id"}
"""Names of rules in version 1.2."""


class Proof:
    """Steps of a proof about a model with so many constraints; each method adds one."""

    def __init__(self, constraints: int) -> None:
        self.constraints = constraints
        """How many there are by now, and so the number of the last one."""
        self.sums: list[str] = []
        self._loaded = constraints
        self._steps: list[tuple[str, str]] = []
        self._numbers: dict[frozenset[int], list[int]] = {}

    def better_than(self, chosen: Iterable[int], variables: int) -> None:
        """A solution, of which every variable is named."""
        true = set(chosen)
        self._add("soli", " ".join([f"x{var}" if var in true else f"~x{var}" for var in range(1, variables + 1)]))

    def another_than(self, chosen: Sequence[int]) -> None:
        """A solution, and a second constraint that names its true variables only: what `solx` adds names the others
        too, and propagates less than a solver's clause."""
        self._add("solx", " ".join([f"x{var}" for var in chosen]))
        self.clause([-var for var in chosen])

    def sum(self, words: str) -> None:
        """In reverse Polish notation."""
        self.sums.append(words)
        self._add("pol", words)

    def clause(self, literals: Sequence[int]) -> None:
        """That follows by unit propagation."""
        words = [f"1 x{literal} " if literal > 0 else f"1 ~x{-literal} " for literal in literals]
        self._add("rup", f"{''.join(words)}>= 1")
        if len(literals) > 1:
            self._numbers.setdefault(frozenset(literals), []).append(self.constraints)

    def drup(self, lines: Iterable[str]) -> None:
        """A SAT solver's proof, `1 -2 0` and `d 1 -2 0`, over variables of the model. Of deletions only those of
        clauses that were added here, which have two literals at least, are kept."""
        for line in lines:
            words = line.split()
            if words == ["0"]:
                return
            if words[0] != "d":
                self.clause([int(word) for word in words[:-1]])
            elif numbers := self._numbers.get(frozenset(map(int, words[1:-1]))):
                self._steps.append(("deld", str(numbers.pop())))

    def contradiction(self) -> None:
        """The end of every proof."""
        self.clause([])

    def lines(self, conclusion: str, version: str = "3.0") -> list[str]:
        """The file, with what stands behind the word conclusion."""
        if version == "3.0":
            steps = [f"{rule} {words} ;" for rule, words in self._steps]
            ends = ["output NONE ;", f"conclusion {conclusion} ;", "end pseudo-Boolean proof ;"]
            return [f"pseudo-Boolean proof version {version}", f"f {self._loaded} ;", *steps, *ends]
        steps = [f"{_OLD.get(rule, rule)} {words}{' ;' if rule == 'rup' else ''}" for rule, words in self._steps]
        return [f"pseudo-Boolean proof version {version}", f"f {self._loaded}", *steps, f"c {self.constraints}"]

    def _add(self, rule: str, words: str) -> None:
        self._steps.append((rule, words))
        self.constraints += 1
