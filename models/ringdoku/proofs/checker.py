"""Check a proof (VeriPB 3.0) about a model of 0-1 sums. This file imports nothing but Python, `check_files.py` makes a
program of it, and `docs/proofs.md` shows a certificate line by line. It knows the rules below and no others.

The constraints of the model are numbered from 1; one with `=` is two, first ≥, then ≤. A proof has statements that end
with `;`, and comments from % to the end of the line. What a rule adds gets the next number.

    pseudo-Boolean proof version 3.0    the first line, without ;
    f 664                               the model has so many constraints
    soli x1 ~x2 …                       a solution, all variables; adds: the objective is less than its value
    solx x1 x5 …                        a solution, all other variables are 0; adds: not this one again
    pol 665 8 * 12 2 * + 3 d …          adds a sum, in reverse Polish: * multiplies, + adds, d divides and rounds up
    rup 1 x5 1 ~x7 >= 1 : ~ 12 700      adds a clause that follows by unit propagation of these constraints, in this
                                        order; without these hints, of all constraints
    rup 1 x5 1 ~x7 >= 2 : ~ 12 700      the same for each of its literals
    deld 700                            forgets constraints that were added
    output NONE, conclusion …, end pseudo-Boolean proof

What is added holds for every solution that is not yet listed and is better than those of `soli`. So a contradiction at
the end proves that there are no others. *Unit propagation* makes literals true that a constraint needs to hold, until
nothing changes; `rup` is right if it refutes the negation of the clause, which is ~ among the hints.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

MOST_WORDS = 1 << 24
"""The most words in a statement."""
MOST_DIGITS = 200
"""The most digits of a number that is read; numbers in sums may have ten times as many."""
SHOWN = 60
"""The most characters of a statement that a message shows."""


class MalformedError(Exception):
    """A text that is not in the format, or uses a rule that this checker does not know."""


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
    def unweighted(self) -> frozenset[int]:
        """The literals of a row whose factors are all 1; empty for other rows."""
        return frozenset(self.literals if sum(self.factors) == len(self.factors) else ())

    @cached_property
    def opposites(self) -> frozenset[int]:
        return frozenset([-literal for literal in self.literals])

    def implied_false(self, false: Set[int]) -> Iterable[int] | None:
        """The literals that must be false if those in `false` are, some of them again; None if the row cannot hold."""
        if self.unweighted:
            left = self.unweighted - false
            slack = len(left) - self.least
            if slack > 0:
                return ()
            implied = self.opposites if len(left) == len(self.unweighted) else [-literal for literal in left]
        else:
            terms = [term for term in self.terms if term[1] not in false]
            slack = sum([factor for factor, _ in terms]) - self.least
            implied = [-literal for factor, literal in terms if factor > slack]
        return None if slack < 0 else implied

    def without(self, false: Set[int]) -> Row:
        """The row that is left when these literals are false, over its other variables."""
        left = [(factor, literal) for factor, literal in self.terms if literal not in false and -literal not in false]
        true = sum([factor for factor, literal in self.terms if -literal in false])
        return Row(tuple([literal for _, literal in left]), tuple([factor for factor, _ in left]), self.least - true)

    @staticmethod
    def of(sums: dict[int, int], least: int) -> Row:
        """The row of Σ factor·variable ≥ least, with factors of any sign: −c·x is c·(1 − x) − c."""
        used = [(var, factor) for var, factor in sums.items() if factor]
        literals = tuple([var if factor > 0 else -var for var, factor in used])
        return Row(literals, tuple([abs(factor) for _, factor in used]), least - sum([f for _, f in used if f < 0]))

    def as_sum(self) -> tuple[dict[int, int], int]:
        """The inverse of `of`: the factor of each variable, and the lower bound."""
        sums = {abs(literal): factor if literal > 0 else -factor for factor, literal in self.terms}
        return sums, self.least - sum([factor for factor, literal in self.terms if literal < 0])


@dataclass
class Model:
    """Variables are 1..`variables`; constraint number k is `rows[k − 1]`."""

    variables: int
    rows: list[Row] = field(default_factory=list)
    objective: dict[int, int] | None = None  # to be minimised
    preserved: frozenset[int] | None = None  # the variables in which solutions differ


@dataclass(frozen=True)
class Conclusion:
    """`kind` is UNSAT: no solution; BOUNDS: `value` is the least value of the objective; or ENUMERATION_COMPLETE.
    `solutions` are all solutions, or for BOUNDS one of that value, each as the set of the variables that are 1."""

    kind: str
    solutions: tuple[frozenset[int], ...]
    value: int | None


def integer(word: str, number: int) -> int:
    """The number that a word states. Raises `MalformedError` with the `number` of the line."""
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
) -> Conclusion:
    """What the proof proves about the model. After each statement `accepted` is called with the number of its line, its
    words, and the constraint that it added, if any. Raises `RefutedError` for a wrong step, `MalformedError` for a text
    that is no proof, and `OutOfTimeError` once `expired()` is true."""

    def check_time() -> None:
        if expired():
            raise OutOfTimeError

    lines = iter(lines)
    if (head := next(lines, "").split()) != ["pseudo-Boolean", "proof", "version", "3.0"]:
        malformed(1, head, "pseudo-Boolean proof version 3.0")
    checker = _Checker(model, check_time)
    for number, words in _statements(lines, check_time):
        accepted(number, words, checker.take(number, words))
    if checker.rules or checker.conclusion is None:
        raise MalformedError("the proof ends without a conclusion and its end")
    return checker.conclusion


def _statements(lines: Iterator[str], check_time: Callable[[], None]) -> Iterator[tuple[int, list[str]]]:
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
        check_time()
    if words:
        raise MalformedError(f"the proof ends inside a statement: {_shown(words)}")


class _Checker:
    """Checks statements one by one. `rules` are those that may come next, and `conclusion` is set at the end."""

    def __init__(self, model: Model, check_time: Callable[[], None]) -> None:
        self.conclusion: Conclusion | None = None
        self._model, self._check_time, self._line = model, check_time, 1
        self._literal_of = {f"x{var}": var for var in range(1, model.variables + 1)}
        self._literal_of |= {f"~x{var}": -var for var in range(1, model.variables + 1)}
        # keyed by the numbers of constraints, as they are written in the proof
        self._rows = {str(number): row for number, row in enumerate(model.rows, 1)}
        self._count = len(self._rows)
        # the name of the last step with several literals, and the sums without the literals that it makes true
        self._fixed, self._reduced = "", dict[str, Row]()
        # for steps without hints: all constraints except new ones, and the literals that follow from them alone
        self._known, self._new, self._facts = Propagation({}), [*self._rows], dict[int, int]()
        self._listed: dict[frozenset[int], frozenset[int]] = {}
        self._best: tuple[int, frozenset[int]] | None = None
        self.rules: dict[str, Callable[[list[str]], Row | None]] = {"f": self._f}

    def take(self, number: int, words: list[str]) -> Row | None:
        """Checks a statement, and returns the constraint that it adds, if any."""
        self._line = number
        rule = self.rules.get(words[0] if words else "")
        if rule is None:
            malformed(number, words, " or ".join(self.rules) or "no more statements")
        self._check_time()
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
        """The variables that are 1. It must satisfy the model's constraints, whatever was derived from them."""
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
            self._check_time()
            if following in ("*", "d"):
                factor = integer(word, self._line)
            elif word in self._literal_of:
                # a literal stands for the constraint that it is at least 0
                stack.append(Row((self._literal_of[word],), (1,), 0).as_sum())
            elif word in ("*", "d") and stack:
                stack.append(self._scaled(*stack.pop(), word, factor))
            elif word == "+" and len(stack) > 1:
                added, least = stack.pop()
                sums, before = stack.pop()
                for var, factor in added.items():
                    sums[var] = sums.get(var, 0) + factor
                stack.append((sums, before + least))
            else:
                stack.append(self._row(word).as_sum())
        if len(stack) != 1:
            malformed(self._line, words, f"one constraint as the result, not {len(stack)}")
        return self._add(Row.of(*stack[0]))

    def _scaled(self, sums: dict[int, int], least: int, rule: str, by: int) -> tuple[dict[int, int], int]:
        if by < 1 or max(map(abs, [least, *sums.values()])) * by >= 10 ** (10 * MOST_DIGITS):
            malformed(self._line, [str(by), rule], f"a factor above 0, and sums of at most {10 * MOST_DIGITS} digits")
        if rule == "*":
            return {var: factor * by for var, factor in sums.items()}, least * by
        row = Row.of(sums, least)
        return Row(row.literals, tuple([-(-factor // by) for factor in row.factors]), -(-row.least // by)).as_sum()

    def _rup(self, words: list[str]) -> Row:
        end = words.index(":") if ":" in words else len(words)
        literals, ones = self._literals(words[2 : end - 2 : 2]), words[1 : end - 2 : 2]
        reduced = self._reduced if words[end + 2 : end + 3] == [self._fixed] else {}
        hints = [reduced.get(word, self._row(word)) for word in words[end + 1 :] if word != "~"]
        least = words[end - 2 : end]
        is_right = ones == ["1"] * len(literals) and len(set(map(abs, literals))) == len(literals)
        if least not in ([">=", "1"], [">=", str(len(literals) or 1)]) or not is_right:
            malformed(self._line, words, "a clause such as rup 1 x5 1 ~x7 >= 1, or all literals, each variable once")
        clauses = [literals] if least[1] == "1" else [[literal] for literal in literals]
        if not (self._follows(clauses, hints) if words[end + 1 :] else all(map(self._is_implied, clauses))):
            self._refuted(words, f"constraint {self._count + 1} does not follow by unit propagation")
        row = self._add(Row(tuple(literals), (1,) * len(literals), int(least[1])))
        if row.least > 1:
            self._fixed = str(self._count)
            self._reduced = {n: each.without(row.opposites) for n, each in self._rows.items() if not each.unweighted}
        return row

    def _follows(self, clauses: list[list[int]], hints: Iterable[Row]) -> bool:
        """Whether propagating the hints in their order refutes the negation of a single clause, or makes true the only
        literal of each of several."""
        false = set(clauses[0]) if len(clauses) == 1 else set()
        for row in hints:
            implied = row.implied_false(false)
            if implied is None:
                return True
            false.update(implied)
        return len(clauses) > 1 and all(-clause[0] in false for clause in clauses)

    def _is_implied(self, clause: list[int]) -> bool:
        """Whether the clause follows from all constraints by unit propagation."""
        new = [name for name in self._new if name in self._rows]
        for name in new:
            self._known.add(int(name), self._rows[name], self._facts)
            self._check_time()
        broken = self._known.propagate(self._facts, map(int, new))
        self._new = [] if broken is None else [str(broken)]
        if broken is not None or any(literal in self._facts for literal in clause):
            return True
        return self._known.propagate(self._facts | {-literal: 0 for literal in clause}, (), clause) is not None

    def _deld(self, words: list[str]) -> None:
        for word in words[1:]:
            self._row(word)
            if int(word) <= len(self._model.rows):
                self._refuted(words, f"{word} is a constraint of the model")
            # facts that followed from it still hold
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
                is_right, found = not self._listed and solution is None, "solutions were listed"
            case ["ENUMERATION_COMPLETE" as kind, count, ":", last]:
                is_right = solution is None and integer(count, self._line) == len(self._listed)
                found = f"{len(self._listed)} solutions were listed by solx"
            case ["BOUNDS" as kind, least, ":", last, most]:
                is_right = not self._listed and {integer(least, self._line), integer(most, self._line)} == {value}
                found = f"the best solution listed by soli has the value {value}"
            case _:
                malformed(self._line, words, "UNSAT, ENUMERATION_COMPLETE or BOUNDS with their numbers")
        row = self._row(str(self._count) if last == "-1" else last)
        if not is_right or sum(row.factors) >= row.least:
            self._refuted(words, found if not is_right else f"constraint {last} is no contradiction")
        self.conclusion = Conclusion(kind, (solution,) if solution is not None else tuple(self._listed.values()), value)
        self.rules = {"end": self._end}

    def _end(self, words: list[str]) -> None:
        if words != ["end", "pseudo-Boolean", "proof"]:
            malformed(self._line, words, "end pseudo-Boolean proof")
        self.rules = {}

    def _add(self, row: Row) -> Row:
        self._count += 1
        self._rows[str(self._count)] = row
        self._new.append(str(self._count))
        self._check_time()
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
    """Unit propagation over constraints, which are keyed by their numbers. A clause has two *watched literals*: nothing
    follows from it until one of them is false. Of other constraints all literals are watched."""

    def __init__(self, rows: Mapping[int, Row]) -> None:
        self.rows: dict[int, Row] = {}
        self._watching: dict[int, list[int]] = {}
        self._watched: dict[int, set[int]] = {}
        for number, row in rows.items():
            self.add(number, row)

    def add(self, number: int, row: Row, true: Container[int] = ()) -> None:
        """Adds a constraint. Literals that are false, because their negation is `true`, are watched last."""
        self.rows[number] = row
        literals: Iterable[int] = row.literals
        if row.unweighted and row.least == 1:
            literals = self._watched[number] = set(sorted(literals, key=lambda literal: -literal in true)[:2])
        for literal in literals:
            self._watching.setdefault(literal, []).append(number)

    def propagate(self, reasons: dict[int, int], waiting: Iterable[int], false_now: Iterable[int] = ()) -> int | None:
        """Adds to `reasons` each literal that follows from those there, in order, with the number of its constraint.
        Begins with the constraints that are `waiting` and those that watch a literal in `false_now`. Returns the number
        of a constraint that cannot hold, or None."""
        false = {-literal for literal in reasons}
        queue = deque([*waiting, *(number for literal in false_now for number in self._affected(literal, false))])
        while queue:
            number = queue.popleft()
            # deleted constraints may still be queued
            implied = self.rows[number].implied_false(false) if number in self.rows else ()
            if implied is None:
                return number
            for literal in implied:
                if literal not in false:
                    false.add(literal)
                    reasons[-literal] = number
                    queue += self._affected(literal, false)
        return None

    def _affected(self, literal: int, false: Set[int]) -> list[int]:
        """The constraints that still watch a literal which is false now, when clauses have looked for another."""
        kept = list[int]()
        for number in self._watching.get(literal, ()):
            watched = self._watched.get(number)
            left = self.rows[number].unweighted - false if watched and number in self.rows else ()
            if watched and len(left) > 1:
                watched.discard(literal)
                another = next(iter(left - watched))
                watched.add(another)
                self._watching.setdefault(another, []).append(number)
            else:
                kept.append(number)
        self._watching[literal] = kept
        return kept
