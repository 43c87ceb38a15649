"""Check a proof (VeriPB 3.0) about a model of 0-1 sums. This file imports nothing but Python, `check_files.py` makes a
program of it, and `docs/proofs.md` shows a certificate line by line. It knows the rules below and no others.

The constraints of the model are numbered from 1; one with `=` is two, first ≥, then ≤. A proof has statements that end
with `;`, and comments from % to the end of the line. What a rule adds gets the next number.

    pseudo-Boolean proof version 3.0    the first line, without ;
    f 664                               the model has so many constraints
    soli x1 ~x2 …                       a whole solution; adds: the objective is less than its value
    solx x1 x5 …                        a solution, all other variables are 0; adds: not this one again
    pol 665 8 * 12 2 * + 3 d …          adds a sum, in reverse Polish: * multiplies, + adds, d divides and rounds up
    rup 1 x5 1 ~x7 >= 1                 adds a clause that follows by unit propagation
    deld 700                            forgets constraints that were added
    output NONE, conclusion …, end pseudo-Boolean proof

All that is added holds for every solution that is not listed before and is better than those of `soli`. So a
contradiction at the end proves that there are no others. *Unit propagation* makes a literal true where a constraint
cannot hold otherwise, again and again; `rup` is right when the opposite of its clause leads to a contradiction so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

MOST_WORDS = 1 << 24
"""Of a statement."""
MOST_DIGITS = 200
"""Of a number that is read; sums have at most ten times as many."""
SHOWN = 60
"""Characters of a statement that a message shows."""


class MalformedError(Exception):
    """A text that is not in the format, or uses a rule that is not known here."""


class RefutedError(Exception):
    """A step that is wrong, or a conclusion that was not reached."""


class OutOfTimeError(Exception):
    """The time limit came first."""


@dataclass(frozen=True)
class Row:
    """Σ factor·literal ≥ least. A literal is v for a variable, −v for 1 − v; each variable once, factors > 0."""

    literals: tuple[int, ...]
    factors: tuple[int, ...]
    least: int

    @property
    def terms(self) -> list[tuple[int, int]]:
        """(factor, literal)."""
        return list(zip(self.factors, self.literals, strict=True))

    @staticmethod
    def of(sums: dict[int, int], least: int) -> Row:
        """From Σ factor·variable ≥ least with factors of any sign: −c·x is c·(1 − x) − c."""
        used = [(var, factor) for var, factor in sums.items() if factor]
        literals = tuple([var if factor > 0 else -var for var, factor in used])
        return Row(literals, tuple([abs(factor) for _, factor in used]), least - sum([f for _, f in used if f < 0]))

    def plain(self) -> tuple[dict[int, int], int]:
        """The way back."""
        sums = {abs(literal): factor if literal > 0 else -factor for factor, literal in self.terms}
        return sums, self.least - sum([factor for factor, literal in self.terms if literal < 0])


@dataclass
class Model:
    """Variables are 1..`variables`; the constraint of number k is `rows[k − 1]`; `objective` is minimised."""

    variables: int
    rows: list[Row] = field(default_factory=list)
    objective: dict[int, int] | None = None
    preserved: frozenset[int] | None = None


@dataclass(frozen=True)
class Proved:
    """`kind` is UNSAT, no solution; BOUNDS, the least value of the objective is `value`; or ENUMERATION_COMPLETE.

    `solutions` are those that there are, for BOUNDS one of that value, each the set of the variables that are 1.
    """

    kind: str
    solutions: tuple[frozenset[int], ...]
    value: int | None


def integer(word: str, number: int) -> int:
    """Raises `MalformedError` with the number of the line."""
    try:
        if len(word) > MOST_DIGITS or "_" in word or not word.isascii():
            raise ValueError
        return int(word)
    except ValueError:
        malformed(number, [word], f"a number of at most {MOST_DIGITS} digits")


def malformed(number: int, found: Sequence[str], expected: str) -> NoReturn:
    """Raises `MalformedError`."""
    raise MalformedError(f"line {number}: found {_shown(found)}, expected {expected}")


def _shown(words: Sequence[str]) -> str:
    text = " ".join([word[:SHOWN] for word in words[:SHOWN]])
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")


def check_proof(
    model: Model,
    lines: Iterable[str],
    expired: Callable[[], bool] = lambda: False,
    accepted: Callable[[int, list[str], Row | None], None] = lambda *_: None,
) -> Proved:
    """What the proof shows of the model. `accepted` is called after each statement: its line, its words, what it added.
    Raises `RefutedError` for a wrong step, `MalformedError` for what is no proof, `OutOfTimeError` once `expired`.
    """

    def look() -> None:
        if expired():
            raise OutOfTimeError

    lines = iter(lines)
    if (head := next(lines, "").split()) != ["pseudo-Boolean", "proof", "version", "3.0"]:
        malformed(1, head, "pseudo-Boolean proof version 3.0")
    checker = _Checker(model, look)
    for number, words in _statements(lines, look):
        checker.take(number, words)
        accepted(number, words, checker.added)
    if not checker.ended or checker.proved is None:
        raise MalformedError("the proof ends without a conclusion and its end")
    return checker.proved


def _statements(lines: Iterator[str], look: Callable[[], None]) -> Iterator[tuple[int, list[str]]]:
    """The words of each statement, with the line that it ends on."""
    words: list[str] = []
    for number, line in enumerate(lines, 2):
        *ended, rest = line.partition("%")[0].split(";")
        for part in ended:
            yield number, words + part.split()
            words = []
        words += rest.split()
        if len(words) > MOST_WORDS:
            raise MalformedError(f"line {number}: a statement of more than {MOST_WORDS} words")
        look()
    if words:
        raise MalformedError(f"the proof ends inside a statement: {_shown(words)}")


class _Checker:
    """Takes the statements one by one; `proved` is there after the conclusion."""

    def __init__(self, model: Model, look: Callable[[], None]) -> None:
        self.proved: Proved | None = None
        self.ended = False
        self.added: Row | None = None
        self._model, self._look, self._line = model, look, 1
        self._literal_of = {f"x{var}": var for var in range(1, model.variables + 1)}
        self._literal_of |= {f"~x{var}": -var for var in range(1, model.variables + 1)}
        self._rows: list[Row | None] = [*model.rows]
        self._known = Propagation(model.variables)
        self._kept: list[list[int]] = [[] for _ in model.rows]
        self._listed: dict[frozenset[int], frozenset[int]] = {}
        self._best: tuple[int, frozenset[int]] | None = None
        self._rules: dict[str, Callable[[list[str]], None]] = {"f": self._f}
        # clues first: less is left of other rows
        for row in sorted(model.rows, key=lambda row: len(row.literals)):
            self._known.add(row)
            self._look()

    def take(self, number: int, words: list[str]) -> None:
        self._line, self.added = number, None
        rule = self._rules.get(words[0] if words else "")
        if rule is None:
            malformed(number, words, " or ".join(self._rules) or "no more statements")
        rule(words)
        self._look()

    def _f(self, words: list[str]) -> None:
        if len(words) != 2 or integer(words[1], self._line) != len(self._rows):
            self._refuted(words, f"the model has {len(self._rows)} constraints")
        self._rules = {"soli": self._soli, "solx": self._solx, "pol": self._pol, "rup": self._rup, "deld": self._deld}
        self._rules["output"] = self._output

    def _soli(self, words: list[str]) -> None:
        literals, objective = self._literals(words[1:]), self._model.objective
        if objective is None:
            self._refuted(words, "the model has no objective")
        if len(literals) != self._model.variables or len(set(map(abs, literals))) != len(literals):
            self._refuted(words, "it does not name each variable once")
        solution = self._solution(literals, words)
        value = sum([objective.get(var, 0) for var in solution])
        self._best = min(self._best or (value, solution), (value, solution), key=lambda best: best[0])
        self._add(Row.of({var: -factor for var, factor in objective.items()}, 1 - value))

    def _solx(self, words: list[str]) -> None:
        preserved = self._model.preserved
        if preserved is None:
            self._refuted(words, "the model has no line preserved:")
        solution = self._solution(self._literals(words[1:]), words)
        if (part := solution & preserved) in self._listed:
            self._refuted(words, "this solution was listed before")
        self._listed[part] = solution
        self._add(Row(tuple([-var if var in part else var for var in preserved]), (1,) * len(preserved), 1))

    def _solution(self, literals: list[int], words: list[str]) -> frozenset[int]:
        """The variables that are 1. Whether it is a solution is looked up in the model, not in what was derived."""
        true = frozenset([literal for literal in literals if literal > 0])
        if any(-literal in true for literal in literals):
            self._refuted(words, "it contradicts itself")
        for number, row in enumerate(self._model.rows, 1):
            if sum([factor for factor, literal in row.terms if (abs(literal) in true) == (literal > 0)]) < row.least:
                self._refuted(words, f"it breaks constraint {number} of the model")
        return true

    def _pol(self, words: list[str]) -> None:
        stack: list[tuple[dict[int, int], int]] = []
        for word, following in zip(words[1:], [*words[2:], ""], strict=False):
            self._look()
            if following in ("*", "d"):
                factor = integer(word, self._line)
            elif word in self._literal_of:
                # a literal alone is at least 0
                stack.append(Row((self._literal_of[word],), (1,), 0).plain())
            elif word in ("*", "d") and stack:
                stack.append(self._scaled(*stack.pop(), word, factor))
            elif word == "+" and len(stack) > 1:
                added, least = stack.pop()
                sums, before = stack.pop()
                for var, factor in added.items():
                    sums[var] = sums.get(var, 0) + factor
                stack.append((sums, before + least))
            else:
                stack.append(self._row(word).plain())
        if len(stack) != 1:
            malformed(self._line, words, f"one constraint as the result, not {len(stack)}")
        self._add(Row.of(*stack[0]))

    def _scaled(self, sums: dict[int, int], least: int, rule: str, by: int) -> tuple[dict[int, int], int]:
        if by < 1 or max(map(abs, [least, *sums.values()])) * by >= 10 ** (10 * MOST_DIGITS):
            malformed(self._line, [str(by), rule], f"a factor above 0, and sums of at most {10 * MOST_DIGITS} digits")
        if rule == "*":
            return {var: factor * by for var, factor in sums.items()}, least * by
        row = Row.of(sums, least)
        return Row(row.literals, tuple([-(-factor // by) for factor in row.factors]), -(-row.least // by)).plain()

    def _rup(self, words: list[str]) -> None:
        literals, ones = self._literals(words[2:-2:2]), words[1:-2:2]
        if words[-2:] != [">=", "1"] or ones != ["1"] * len(literals) or len(set(map(abs, literals))) < len(literals):
            malformed(self._line, words, "a clause such as rup 1 x5 1 ~x7 >= 1, each variable once")
        if not self._known.implies(literals):
            self._refuted(words, f"constraint {len(self._rows) + 1} does not follow by unit propagation")
        self._add(Row(tuple(literals), (1,) * len(literals), 1))

    def _deld(self, words: list[str]) -> None:
        for word in words[1:]:
            self._row(word)
            if (number := int(word)) <= len(self._model.rows):
                self._refuted(words, f"{number} is a constraint of the model")
            self._rows[number - 1] = None
            # what followed from it still holds
            self._kept[number - 1].clear()

    def _output(self, words: list[str]) -> None:
        if words != ["output", "NONE"]:
            malformed(self._line, words, "output NONE")
        self._rules = {"conclusion": self._conclusion}

    def _conclusion(self, words: list[str]) -> None:
        value, solution = self._best or (None, None)
        match words[1:]:
            case ["UNSAT" as kind, ":", last]:
                right, found = not self._listed and solution is None, "solutions were listed"
            case ["ENUMERATION_COMPLETE" as kind, count, ":", last]:
                right = solution is None and integer(count, self._line) == len(self._listed)
                found = f"{len(self._listed)} solutions were listed by solx"
            case ["BOUNDS" as kind, least, ":", last, most]:
                right = not self._listed and {integer(least, self._line), integer(most, self._line)} == {value}
                found = f"the best solution listed by soli has the value {value}"
            case _:
                malformed(self._line, words, "UNSAT, ENUMERATION_COMPLETE or BOUNDS with their numbers")
        row = self._row(str(len(self._rows)) if last == "-1" else last)
        if not right or sum(row.factors) >= row.least:
            self._refuted(words, found if not right else f"constraint {last} is no contradiction")
        self.proved = Proved(kind, (solution,) if solution is not None else tuple(self._listed.values()), value)
        self._rules = {"end": self._end}

    def _end(self, words: list[str]) -> None:
        if words != ["end", "pseudo-Boolean", "proof"]:
            malformed(self._line, words, "end pseudo-Boolean proof")
        self.ended, self._rules = True, {}

    def _add(self, row: Row) -> None:
        self.added = row
        self._rows.append(row)
        self._kept.append(self._known.add(row))
        self._look()

    def _row(self, word: str) -> Row:
        number = integer(word, self._line)
        row = self._rows[number - 1] if 0 < number <= len(self._rows) else None
        if row is None:
            malformed(self._line, [word], f"a constraint from 1 to {len(self._rows)} that was not deleted")
        return row

    def _literals(self, words: list[str]) -> list[int]:
        try:
            return [self._literal_of[word] for word in words]
        except KeyError as error:
            malformed(self._line, error.args, "a literal such as x1 or ~x1, of a variable of the model")

    def _refuted(self, words: list[str], reason: str) -> NoReturn:
        raise RefutedError(f"line {self._line}: {reason}: {_shown(words)}")


class Propagation:
    """Constraints, and what follows from them by unit propagation. Lists are indexed by literals, −v from the end.

    In a *group* one false literal makes all others true: "at most one" is such a row, and a clause of two. Nothing
    follows from a longer clause before one of its first two literals is false, which it *watches*. Any other row is a
    *sum*, with its *slack*: by how much its literals that are not false exceed what it needs. Below 0 it is broken, and
    a literal with a larger factor has to be true.
    """

    def __init__(self, variables: int) -> None:
        self._values: list[bool | None] = [None] * (2 * variables + 1)
        self._trail: list[int] = []
        self._head = 0
        self._broken = False
        self._groups_with: list[list[list[int]]] = [[] for _ in self._values]
        self._watching: list[list[list[int]]] = [[] for _ in self._values]
        self._sums_with: list[list[tuple[int, int]]] = [[] for _ in self._values]
        # of each sum; terms have the largest factors first
        self._terms: list[list[tuple[int, int]]] = []
        self._slack: list[int] = []

    def add(self, row: Row) -> list[int]:
        """Let a constraint hold from now on. What is returned can be cleared to forget it, unless it is a sum."""
        values, every = self._values, row.terms
        while not self._broken:
            terms = [term for term in every if values[term[1]] is None]
            least = row.least - sum([factor for factor, literal in every if values[literal]])
            slack = sum([factor for factor, _ in terms]) - least
            forced = [literal for factor, literal in terms if factor > slack]
            if least <= 0:
                break
            if not forced and slack >= 0:
                return self._keep(terms, slack, least)
            self._broken = slack < 0 or not self._make_true(forced)
        return []

    def _keep(self, terms: list[tuple[int, int]], slack: int, least: int) -> list[int]:
        smallest, literals = min(terms)[0], [literal for _, literal in terms]
        if slack < 2 * smallest:
            for literal in literals:
                self._groups_with[literal].append(literals)
        elif smallest >= least:
            for literal in literals[:2]:
                self._watching[literal].append(literals)
        else:
            for factor, literal in terms:
                self._sums_with[literal].append((len(self._slack), factor))
            self._terms.append(sorted(terms, reverse=True))
            self._slack.append(slack)
            return []
        return literals

    def implies(self, clause: list[int]) -> bool:
        """Whether the opposite of the clause leads to a contradiction. Nothing is changed."""
        if self._broken:
            return True
        before, values, slack = len(self._trail), self._values.copy(), self._slack.copy()
        follows = not self._make_true([-literal for literal in clause])
        del self._trail[before:]
        self._head, self._values[:], self._slack[:] = before, values, slack
        return follows

    def _make_true(self, literals: list[int]) -> bool:
        """With all that follows; False for a contradiction."""
        return all(map(self._assign, literals)) and self._propagate()

    def _assign(self, literal: int) -> bool:
        if self._values[literal] is None:
            self._values[literal], self._values[-literal] = True, False
            self._trail.append(literal)
        return self._values[literal] is True

    def _propagate(self) -> bool:
        trail, values, slack, terms = self._trail, self._values, self._slack, self._terms
        while self._head < len(trail):
            false = -trail[self._head]
            self._head += 1
            sums = self._sums_with[false]
            for number, factor in sums:
                slack[number] -= factor
            for group in self._groups_with[false]:
                for literal in group:
                    # most are true already
                    if not values[literal] and literal != false and not self._assign(literal):
                        return False
            for number, _ in sums:
                if slack[number] < terms[number][0][0] and not self._tighten(number):
                    return False
            if self._watching[false] and not self._visit(false):
                return False
        return True

    def _tighten(self, number: int) -> bool:
        """Make the literals true that a sum needs; False when it is broken."""
        slack = self._slack[number]
        for factor, literal in self._terms[number]:
            if factor <= slack:
                break
            if self._values[literal] is None:
                self._assign(literal)
        return slack >= 0

    def _visit(self, false: int) -> bool:
        """Clauses that watch a literal which became false watch another, or make their last literal true."""
        values, waiting, kept = self._values, iter(self._watching[false]), list[list[int]]()
        self._watching[false] = kept
        for clause in waiting:
            if not clause:
                continue
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            if not values[clause[0]]:
                for place in range(2, len(clause)):
                    if values[clause[place]] is not False:
                        clause[1], clause[place] = clause[place], false
                        self._watching[clause[1]].append(clause)
                        break
                if clause[1] != false:
                    continue
                if not self._assign(clause[0]):
                    kept += [clause, *waiting]
                    return False
            kept.append(clause)
        return True
