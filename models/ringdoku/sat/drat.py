"""Reads DRAT proofs step by step (`drat_steps`) and checks them without a solver (`faults_of_proof`).

A proof file is DRAT as text, with a line for each step, `1 -2 0` or `d 1 -2 0` (Wetzler, Heule and Hunt, SAT 2014); or
binary, with a byte `a` or `d`, each literal as 2·|literal| + (literal < 0) in groups of seven bits, the lowest first,
and a byte 0 at the end of a step (README of DRAT-trim); or FRAT as text, of CryptoMiniSat, with `a ID 1 -2 0` and `d ID
1 -2 0`, perhaps hints behind, and lines about the formula and the end, which are skipped (Baek, Carneiro and Heule,
TACAS 2021).

Each step adds a clause that keeps the formula satisfiable if it was so; the last one adds the empty clause. Most
clauses follow by *reverse unit propagation* (RUP): unit propagation of the negated clause ends in a conflict (Goldberg
and Novikov, DATE 2003). The others, which define new variables, are *resolution asymmetric tautologies* (RAT): each
resolvent on the first literal follows by reverse unit propagation (Järvisalo, Heule and Biere, IJCAR 2012). Deletions
are skipped: a right proof may then take longer, or be refused at a RAT step; a wrong one is never accepted.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from ringdoku.domain import InputError, Place
from ringdoku.limits import NEVER, PORTION, Deadline
from ringdoku.sat.formula import MAX_VAR, Cnf

MOST_BYTES = 1 << 24
"""The most bytes of a step: those of a clause with a million literals."""

_ADD, _DELETE = b"ad"
# literal 0 would be its own negation, and prove anything
_CLAUSE = re.compile(r"\s*(?:[-+]?[1-9][0-9]{0,9}\s+)*0\s*", re.ASCII)


def drat_steps(stream: BinaryIO, name: str = "<proof>", deadline: Deadline = NEVER) -> Iterator[str]:
    """The steps of a file as lines of DRAT, without comments. Raises `InputError` for a file that cannot be a proof,
    `TimeLimitError` at the deadline."""
    # every binary step ends with a byte 0, which no text has
    read = _binary_steps if b"\0" in stream.read(PORTION) else _text_steps
    stream.seek(0)
    return read(stream, name, deadline)


def _text_steps(stream: BinaryIO, name: str, deadline: Deadline) -> Iterator[str]:
    number, has_ids = 0, False
    while line := stream.readline(MOST_BYTES + 1):
        deadline.check()
        number += 1
        if len(line) > MOST_BYTES:
            raise InputError(Place(name, number), f"a line of more than {MOST_BYTES} bytes", "a clause")
        step = line.decode("ascii", "replace").strip()
        kind = step[:1]
        has_ids = has_ids or kind in ("o", "a", "f")
        if kind in ("", "c", "o", "f"):
            continue
        if has_ids:
            # the words up to the first 0; hints may follow it
            _, _, *words = [*step.split(), ""]
            step = " ".join(["d"] * (kind == "d") + words[: words.index("0") + 1 if "0" in words else None])
        yield step


def _binary_steps(stream: BinaryIO, name: str, deadline: Deadline) -> Iterator[str]:
    # a plain loop over bytes: the check of the steps takes longer
    kind, literals, code, shift = 0, list[int](), 0, 0
    number = 1
    while portion := stream.read(PORTION):
        deadline.check()
        for byte in portion:
            if not kind:
                if byte not in (_ADD, _DELETE):
                    raise InputError(Place(name), f"byte {byte} at the start of step {number}", "a or d")
                kind = byte
            elif byte >= 128:
                code |= (byte - 128) << shift
                shift += 7
                if shift > 28:
                    raise InputError(Place(name), f"a literal of more than 32 bits in step {number}", "one of 32")
            elif byte or shift:
                code |= byte << shift
                literal = -(code >> 1) if code & 1 else code >> 1
                if not 0 < abs(literal) <= MAX_VAR or len(literals) * 4 > MOST_BYTES:
                    raise InputError(Place(name), f"literal {literal} in step {number}", "one of a clause")
                literals.append(literal)
                code = shift = 0
            else:
                yield f"{'d ' if kind == _DELETE else ''}{' '.join(map(str, [*literals, 0]))}"
                kind, literals = 0, []
                number += 1
    if kind:
        raise InputError(Place(name), f"the end inside step {number}", "a 0 after each step; is the file whole?")


def faults_of_proof(cnf: Cnf, steps: Iterable[str], deadline: Deadline = NEVER) -> list[str]:
    """The first fault, in a sentence, of steps such as `1 -2 0` and `d 1 -2 0` as a proof that `cnf` is unsatisfiable;
    empty when the proof holds. Raises `TimeLimitError` at the deadline."""
    known = _ClauseDatabase()
    for clause in cnf.clauses():
        deadline.check()
        if not known.add(clause):
            return []
    for number, step in enumerate(steps, 1):
        deadline.check()
        if step.startswith("d"):
            continue
        if not _CLAUSE.fullmatch(step):
            return [f"step {number} is not a clause: {step[:60]!r}"]
        derived = [int(word) for word in step.split()[:-1]]
        if not known.has_rup(derived) and not known.has_rat(derived):
            return [f"step {number} does not follow: {step[:60]!r}"]
        if not known.add(derived):
            return []
    return ["the proof ends without the empty clause"]


class _ClauseDatabase:
    """Clauses with unit propagation, by two watched literals in each clause."""

    def __init__(self) -> None:
        # literal → its value, for both literals of each assigned variable
        self._values: dict[int, bool] = {}
        self._watching: defaultdict[int, list[list[int]]] = defaultdict(list)
        self._trail: list[int] = []

    def add(self, clause: Iterable[int]) -> bool:
        """Add a clause; False when unit propagation ends in a conflict, after which nothing more may be added."""
        literals = list(dict.fromkeys(clause))
        if any(map(self._values.get, literals)):
            return True
        # assignments made here are permanent
        literals = [literal for literal in literals if literal not in self._values]
        if len(literals) > 1:
            for literal in literals[:2]:
                self._watching[literal].append(literals)
            return True
        return bool(literals) and self._propagate(literals)

    def has_rup(self, clause: Iterable[int]) -> bool:
        """Whether unit propagation of the negated clause ends in a conflict. Nothing is changed."""
        before = len(self._trail)
        holds = not self._propagate([-literal for literal in clause])
        for literal in self._trail[before:]:
            del self._values[literal], self._values[-literal]
        del self._trail[before:]
        return holds

    def has_rat(self, clause: Sequence[int]) -> bool:
        """Whether the clause is a resolution asymmetric tautology on its first literal. Nothing is changed."""
        if not clause or self._values.get(-clause[0]):
            return False
        negated = -clause[0]
        # each clause is in the lists of two literals; unit clauses are in the trail
        watched = (other for clauses in self._watching.values() for other in clauses)
        others = {id(other): other for other in watched if negated in other}.values()
        return all(self.has_rup([*clause, *(lit for lit in other if lit != negated)]) for other in [*others])

    def _propagate(self, literals: Iterable[int]) -> bool:
        """Make the literals true and propagate; False when that ends in a conflict."""
        head = len(self._trail)
        if not all(map(self._assign, literals)):
            return False
        while head < len(self._trail):
            if not self._update_watches(-self._trail[head]):
                return False
            head += 1
        return True

    def _assign(self, literal: int) -> bool:
        if literal not in self._values:
            self._values[literal], self._values[-literal] = True, False
            self._trail.append(literal)
        return self._values[literal]

    def _update_watches(self, false: int) -> bool:
        """Make each clause that watches this false literal watch another, or propagate; False at a conflict."""
        values, watching = self._values, self._watching.get(false, [])
        still_watching: list[list[int]] = []
        for place, clause in enumerate(watching):
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            if not values.get(clause[0]):
                other = next((index for index in range(2, len(clause)) if values.get(clause[index], True)), None)
                if other is not None:
                    clause[1], clause[other] = clause[other], false
                    self._watching[clause[1]].append(clause)
                    continue
                if not self._assign(clause[0]):
                    self._watching[false] = still_watching + watching[place:]
                    return False
            still_watching.append(clause)
        self._watching[false] = still_watching
        return True
