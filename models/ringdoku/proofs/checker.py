"""Check a proof (VeriPB 3.0) about a model of 0-1 sums. This file imports nothing but Python, `check_files.py` makes a
program of it, and `docs/proofs.md` shows a certificate line by line. It knows the rules below and no others.

The constraints of the model are numbered from 1; one with `=` is two, first ≥, then ≤. A proof has statements that end
with `;`, and comments from % to the end of the line. What a rule adds gets the next number.

    pseudo-Boolean proof version 3.0    the first line, without ;
    f 664                               the model has so many constraints
    soli x1 ~x2 …                       a whole solution; adds: the objective is less than its value
    solx x1 x5 …                        a solution, all other variables are 0; adds: not this one again
    pol 665 8 * 12 2 * + 3 d …          adds a sum, in reverse Polish: * multiplies, + adds, d divides and rounds up
    rup 1 x5 1 ~x7 >= 1 : ~ 12 700      adds a clause that follows by unit propagation from these constraints, each in
                                        its turn; without them from all
    rup 1 x5 1 ~x7 >= 2 : ~ 12 700      the same for each of its literals
    deld 700                            forgets constraints that were added
    output NONE, conclusion …, end pseudo-Boolean proof

All that is added holds for every solution that is not listed before and is better than those of `soli`. So a
contradiction at the end proves that there are no others. *Unit propagation* makes a literal true where a constraint
cannot hold otherwise, again and again; `rup` is right when its opposite, ~ among the constraints, leads to a
contradiction so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
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

    @cached_property
    def terms(self) -> list[tuple[int, int]]:
        """(factor, literal)."""
        return list(zip(self.factors, self.literals, strict=True))

    @cached_property
    def every(self) -> frozenset[int]:
        """The literals, of a row whose factors are all 1; of others none."""
        return frozenset(self.literals if sum(self.factors) == len(self.factors) else ())

    @cached_property
    def opposites(self) -> frozenset[int]:
        return frozenset([-literal for literal in self.literals])

    def needs(self, false: Set[int]) -> Iterable[int] | None:
        """The opposites of literals that have to be true where others are false; None where it cannot hold."""
        if self.every:
            left = self.every - false
            slack = len(left) - self.least
            if slack > 0:
                return ()
            needed = self.opposites if len(left) == len(self.every) else [-literal for literal in left]
        else:
            terms = [term for term in self.terms if term[1] not in false]
            slack = sum([factor for factor, _ in terms]) - self.least
            needed = [-literal for factor, literal in terms if factor > slack]
        return None if slack < 0 else needed

    def without(self, false: Set[int]) -> Row:
        """What these literals leave of it."""
        left = [(factor, literal) for factor, literal in self.terms if literal not in false and -literal not in false]
        true = sum([factor for factor, literal in self.terms if -literal in false])
        return Row(tuple([literal for _, literal in left]), tuple([factor for factor, _ in left]), self.least - true)

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
        accepted(number, words, checker.take(number, words))
    if checker.rules or checker.proved is None:
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
    """Takes the statements one by one. `proved` is there after the conclusion; `rules` are those that may come next."""

    def __init__(self, model: Model, look: Callable[[], None]) -> None:
        self.proved: Proved | None = None
        self._model, self._look, self._line = model, look, 1
        self._literal_of = {f"x{var}": var for var in range(1, model.variables + 1)}
        self._literal_of |= {f"~x{var}": -var for var in range(1, model.variables + 1)}
        # by their numbers, as they are written
        self._rows = {str(number): row for number, row in enumerate(model.rows, 1)}
        self._count = len(self._rows)
        self._short: dict[str, Row] = {}  # sums without what a step says outright
        # for steps without hints: all constraints but new ones, and what follows from them outright
        self._known, self._new, self._facts = Propagation({}), [*self._rows], dict[int, int]()
        self._listed: dict[frozenset[int], frozenset[int]] = {}
        self._best: tuple[int, frozenset[int]] | None = None
        self.rules: dict[str, Callable[[list[str]], Row | None]] = {"f": self._f}

    def take(self, number: int, words: list[str]) -> Row | None:
        """What the statement adds."""
        self._line = number
        rule = self.rules.get(words[0] if words else "")
        if rule is None:
            malformed(number, words, " or ".join(self.rules) or "no more statements")
        self._look()
        return rule(words)

    def _f(self, words: list[str]) -> None:
        if len(words) != 2 or integer(words[1], self._line) != self._count:
            self._refuted(words, f"the model has {self._count} constraints")
        self.rules = {"soli": self._soli, "solx": self._solx, "pol": self._pol, "rup": self._rup, "deld": self._deld}
        self.rules["output"] = self._output

    def _soli(self, words: list[str]) -> Row:
        literals, objective = self._literals(words[1:]), self._model.objective
        if objective is None:
            self._refuted(words, "the model has no objective")
        if len(literals) != self._model.variables or len(set(map(abs, literals))) != len(literals):
            self._refuted(words, "it does not name each variable once")
        solution = self._solution(literals, words)
        value = sum([objective.get(var, 0) for var in solution])
        self._best = min(self._best or (value, solution), (value, solution), key=lambda best: best[0])
        return self._add(Row.of({var: -factor for var, factor in objective.items()}, 1 - value))

    def _solx(self, words: list[str]) -> Row:
        preserved = self._model.preserved
        if preserved is None:
            self._refuted(words, "the model has no line preserved:")
        solution = self._solution(self._literals(words[1:]), words)
        if (part := solution & preserved) in self._listed:
            self._refuted(words, "this solution was listed before")
        self._listed[part] = solution
        return self._add(Row(tuple([-var if var in part else var for var in preserved]), (1,) * len(preserved), 1))

    def _solution(self, literals: list[int], words: list[str]) -> frozenset[int]:
        """The variables that are 1. Whether it is a solution is looked up in the model, not in what was derived."""
        true = frozenset([literal for literal in literals if literal > 0])
        if any(-literal in true for literal in literals):
            self._refuted(words, "it contradicts itself")
        for number, row in enumerate(self._model.rows, 1):
            if sum([factor for factor, literal in row.terms if (abs(literal) in true) == (literal > 0)]) < row.least:
                self._refuted(words, f"it breaks constraint {number} of the model")
        return true

    def _pol(self, words: list[str]) -> Row:
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
        return self._add(Row.of(*stack[0]))

    def _scaled(self, sums: dict[int, int], least: int, rule: str, by: int) -> tuple[dict[int, int], int]:
        if by < 1 or max(map(abs, [least, *sums.values()])) * by >= 10 ** (10 * MOST_DIGITS):
            malformed(self._line, [str(by), rule], f"a factor above 0, and sums of at most {10 * MOST_DIGITS} digits")
        if rule == "*":
            return {var: factor * by for var, factor in sums.items()}, least * by
        row = Row.of(sums, least)
        return Row(row.literals, tuple([-(-factor // by) for factor in row.factors]), -(-row.least // by)).plain()

    def _rup(self, words: list[str]) -> Row:
        end = words.index(":") if ":" in words else len(words)
        literals, ones = self._literals(words[2 : end - 2 : 2]), words[1 : end - 2 : 2]
        hints = [self._short.get(word, self._row(word)) for word in words[end + 1 :] if word != "~"]
        least = words[end - 2 : end]
        is_right = ones == ["1"] * len(literals) and len(set(map(abs, literals))) == len(literals)
        if least not in ([">=", "1"], [">=", str(len(literals) or 1)]) or not is_right:
            malformed(self._line, words, "a clause such as rup 1 x5 1 ~x7 >= 1, or all literals, each variable once")
        parts = [literals] if least[1] == "1" else [[literal] for literal in literals]
        if not (self._follows(parts, hints) if words[end + 1 :] else all(map(self._implied, parts))):
            self._refuted(words, f"constraint {self._count + 1} does not follow by unit propagation")
        return self._add(Row(tuple(literals), (1,) * len(literals), int(least[1])))

    def _follows(self, clauses: list[list[int]], hints: Iterable[Row]) -> bool:
        """Whether these constraints, each in its turn, lead to a contradiction from the opposite of a clause, or make
        the only literals of several true."""
        false = set(clauses[0]) if len(clauses) == 1 else set()
        for row in hints:
            needed = row.needs(false)
            if needed is None:
                return True
            false.update(needed)
        return len(clauses) > 1 and all(-clause[0] in false for clause in clauses)

    def _implied(self, clause: list[int]) -> bool:
        """Whether it follows from all constraints."""
        new = [name for name in self._new if name in self._rows]
        for name in new:
            self._known.add(int(name), self._rows[name], self._facts)
            self._look()
        broken = self._known.propagate(self._facts, map(int, new))
        self._new = [] if broken is None else [str(broken)]
        if broken is not None or any(literal in self._facts for literal in clause):
            return True
        found = self._facts | {-literal: 0 for literal in clause}
        return self._known.propagate(found, (), clause) is not None

    def _deld(self, words: list[str]) -> None:
        for word in words[1:]:
            self._row(word)
            if int(word) <= len(self._model.rows):
                self._refuted(words, f"{word} is a constraint of the model")
            # what followed from it still holds
            del self._rows[word]
            self._known.rows.pop(int(word), None)

    def _output(self, words: list[str]) -> None:
        if words != ["output", "NONE"]:
            malformed(self._line, words, "output NONE")
        self.rules = {"conclusion": self._conclusion}

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
        row = self._row(str(self._count) if last == "-1" else last)
        if not right or sum(row.factors) >= row.least:
            self._refuted(words, found if not right else f"constraint {last} is no contradiction")
        self.proved = Proved(kind, (solution,) if solution is not None else tuple(self._listed.values()), value)
        self.rules = {"end": self._end}

    def _end(self, words: list[str]) -> None:
        if words != ["end", "pseudo-Boolean", "proof"]:
            malformed(self._line, words, "end pseudo-Boolean proof")
        self.rules = {}

    def _add(self, row: Row) -> Row:
        self._count += 1
        self._rows[str(self._count)] = row
        self._new.append(str(self._count))
        if row.least == len(row.every) > 1:
            self._short = {name: each.without(row.opposites) for name, each in self._rows.items() if not each.every}
        self._look()
        return row

    def _row(self, word: str) -> Row:
        row = self._rows.get(word)
        if row is None:
            integer(word, self._line)
            malformed(self._line, [word], f"a constraint from 1 to {self._count} that was not deleted")
        return row

    def _literals(self, words: list[str]) -> list[int]:
        try:
            return [self._literal_of[word] for word in words]
        except KeyError as error:
            malformed(self._line, error.args, "a literal such as x1 or ~x1, of a variable of the model")

    def _refuted(self, words: list[str], reason: str) -> NoReturn:
        raise RefutedError(f"line {self._line}: {reason}: {_shown(words)}")


class Propagation:
    """Constraints by their numbers, and what follows from them by unit propagation. Nothing follows from a clause
    before one of two literals that it *watches* is false."""

    def __init__(self, rows: Mapping[int, Row]) -> None:
        self.rows: dict[int, Row] = {}
        self._with: dict[int, list[int]] = {}
        self._watched: dict[int, set[int]] = {}
        for number, row in rows.items():
            self.add(number, row)

    def add(self, number: int, row: Row, found: Container[int] = ()) -> None:
        """What is `found` already is not watched."""
        self.rows[number] = row
        literals: Iterable[int] = row.literals
        if row.every and row.least == 1:
            literals = self._watched[number] = set(sorted(literals, key=lambda literal: -literal in found)[:2])
        for literal in literals:
            self._with.setdefault(literal, []).append(number)

    def propagate(self, found: dict[int, int], waiting: Iterable[int], assumed: Iterable[int] = ()) -> int | None:
        """Adds to `found`, the literals that are true, what follows, each with the number of its constraint, in their
        order. The constraints that are `waiting` come first. The number of one that cannot hold, or None."""
        false = {-literal for literal in found}
        queue = deque([*waiting, *(number for literal in assumed for number in self._touched(literal, false))])
        while queue:
            number = queue.popleft()
            # deleted ones are not there any more
            needed = self.rows[number].needs(false) if number in self.rows else ()
            if needed is None:
                return number
            for literal in needed:
                if literal not in false:
                    false.add(literal)
                    found[-literal] = number
                    queue += self._touched(literal, false)
        return None

    def _touched(self, literal: int, false: Set[int]) -> list[int]:
        """The constraints from which something may follow now that a literal is false."""
        kept = list[int]()
        for number in self._with.get(literal, ()):
            watched = self._watched.get(number)
            left = self.rows[number].every - false if watched and number in self.rows else ()
            if watched and len(left) > 1:
                watched.discard(literal)
                another = next(iter(left - watched))
                watched.add(another)
                self._with.setdefault(another, []).append(number)
            else:
                kept.append(number)
        self._with[literal] = kept
        return kept
