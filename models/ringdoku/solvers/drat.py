"""Reads DRAT proofs step by step (`drat_steps`) and checks them by unit propagation (`faults_of_proof`).

A proof file is DRAT as text, with a line for each step, `1 -2 0` or `d 1 -2 0` (Wetzler, Heule and Hunt, SAT 2014); or
binary, with a byte `a` or `d`, each literal as 2·|literal| + (literal < 0) in groups of seven bits, the lowest first,
and a byte 0 at the end of a step (README of DRAT-trim); or FRAT as text, of CryptoMiniSat, with `a ID 1 -2 0` and `d ID
1 -2 0`, perhaps hints, and lines about formula and end, which are skipped (Baek, Carneiro and Heule, TACAS 2021).

Each step adds a clause that keeps the formula satisfiable if it was so; the last one adds the empty clause. Most
clauses follow by *reverse unit propagation* (RUP): unit propagation of the negated clause ends in a conflict (Goldberg
and Novikov, DATE 2003). The others, which define new variables, are *resolution asymmetric tautologies* (RAT): each
resolvent on the first literal follows by reverse unit propagation (Järvisalo, Heule and Biere, IJCAR 2012). Deletions
are skipped: a right proof may then take longer, or be refused at a RAT step; a wrong one is never accepted.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import BinaryIO

from ringdoku.domain import InputError, Place
from ringdoku.limits import NEVER, PORTION, Deadline
from ringdoku.sat.formula import MAX_VAR, Cnf
from ringdoku.solvers.incremental import IncrementalSolver

PROPAGATING = "minisat22"
"""The solver whose unit propagation is used, nothing else; it writes no proofs itself."""
MOST_BYTES = 1 << 24
"""The most bytes of a step: those of a clause with a million literals."""

_ADD, _DELETE = b"ad"
# literal 0 would be its own negation, and prove anything
_CLAUSE = re.compile(r"\s*(?:[-+]?[1-9][0-9]{0,9}\s+)*0\s*", re.ASCII)


def drat_steps(stream: BinaryIO, name: str = "<proof>", deadline: Deadline = NEVER) -> Iterator[str]:
    """The steps of a file as lines of DRAT, without comments. `InputError` if it is none, or `TimeLimitError`."""
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
    with IncrementalSolver(PROPAGATING, cnf, deadline) as solver:
        known = _Clauses(cnf, solver)
        if known.has_rup([]) or not all(cnf.clauses()):
            return []
        for number, step in enumerate(steps, 1):
            deadline.check()
            if step.startswith("d"):
                continue
            if not _CLAUSE.fullmatch(step):
                return [f"step {number} is not a clause: {step[:60]!r}"]
            derived = known.renumbered(map(int, step.split()[:-1]))
            if not known.has_rup(derived) and not known.has_rat(derived):
                return [f"step {number} does not follow: {step[:60]!r}"]
            known.add(derived)
            if not derived or known.has_rup([]):
                return []
    return ["the proof ends without the empty clause"]


class _Clauses:
    """The clauses of a formula and of the steps so far; `solver` has them too, for its unit propagation."""

    def __init__(self, cnf: Cnf, solver: IncrementalSolver) -> None:
        self._cnf, self._solver, self._added = cnf, solver, list[list[int]]()
        self._numbers: defaultdict[int, int] = defaultdict(count(cnf.num_vars + 1).__next__)

    def renumbered(self, clause: Iterable[int]) -> list[int]:
        """With the next free numbers for variables that the formula lacks; memory is for all up to the largest."""
        numbers = ((x, abs(x) if abs(x) <= self._cnf.num_vars else self._numbers[abs(x)]) for x in clause)
        return [number if x > 0 else -number for x, number in numbers]

    def add(self, clause: list[int]) -> None:
        self._solver.add([clause])
        self._added.append(clause)

    def has_rup(self, clause: Iterable[int]) -> bool:
        """Whether unit propagation of the negated clause ends in a conflict."""
        return not self._solver.propagate([-literal for literal in clause])[0]

    def has_rat(self, clause: Sequence[int]) -> bool:
        """Whether the clause is a resolution asymmetric tautology on its first literal."""
        if not clause:
            return False
        others = (other for other in chain(self._cnf.clauses(), self._added) if -clause[0] in other)
        return all(self.has_rup([*clause, *(lit for lit in other if lit != -clause[0])]) for other in others)
