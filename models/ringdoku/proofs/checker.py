"""Check a certificate: a model of 0-1 sums (OPB) and a proof about it (VeriPB 3.0). It imports nothing but Python.

The file stands alone: `python checker.py NAME.opb NAME.pbp` prints what is proved. It knows the rules below and no
others; `docs/proofs.md` shows a certificate line by line.

Model: a first line `* #variable= 64 …`; `min: -6 x1 … ;` is the objective, `preserved: x1 … ;` names the variables by
which two solutions differ, and each other line is a constraint, `+1 x1 +1 x2 >= 1 ;` or with `=`. Constraints are
numbered from 1; one with `=` is two, first ≥, then ≤.

Proof: statements that end with `;`, comments from % to the end of the line. What a rule adds gets the next number.

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

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TextIO

LONGEST_LINE = 1 << 26
MOST_WORDS = 1 << 24
"""Of a statement."""
MOST_DIGITS = 200
"""Of a number that is read; sums have at most ten times as many."""
MOST_VARIABLES = 10**8
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

    @staticmethod
    def of(sums: dict[int, int], least: int) -> Row:
        """From Σ factor·variable ≥ least with factors of any sign: −c·x is c·(1 − x) − c."""
        used = [(var, factor) for var, factor in sums.items() if factor]
        literals = tuple([var if factor > 0 else -var for var, factor in used])
        return Row(literals, tuple([abs(factor) for _, factor in used]), least - sum([f for _, f in used if f < 0]))

    def plain(self) -> tuple[dict[int, int], int]:
        """The way back."""
        terms = list(zip(self.literals, self.factors, strict=True))
        sums = {abs(literal): factor if literal > 0 else -factor for literal, factor in terms}
        return sums, self.least - sum([factor for literal, factor in terms if literal < 0])


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


def read_model(lines: Iterable[str]) -> Model:
    """Raises `MalformedError`."""
    model, literal_of = None, dict[str, int]()
    for number, line in enumerate(lines, 1):
        words = line.split()
        if model is None:
            count = _integer(words[2], number) if words[:2] == ["*", "#variable="] and len(words) > 2 else -1
            if not 0 <= count < MOST_VARIABLES:
                _malformed(number, words, "* #variable= and how many there are")
            model, literal_of = Model(count), {f"x{var}": var for var in range(1, count + 1)}
        match words:
            case [] | ["*", *_]:
                pass
            case ["preserved:", *names, ";"] if not set(names) - set(literal_of):
                model.preserved = frozenset([literal_of[name] for name in names])
            case ["min:", *terms, ";"]:
                model.objective = _sums(terms, literal_of, number)
            case [*terms, (">=" | "=") as relation, total, ";"]:
                sums, least = _sums(terms, literal_of, number), _integer(total, number)
                model.rows.append(Row.of(sums, least))
                if relation == "=":
                    model.rows.append(Row.of({var: -factor for var, factor in sums.items()}, -least))
            case _:
                _malformed(number, words, "min:, preserved:, or a sum with >= or =, and ; at the end")
    if model is None:
        raise MalformedError("the model is empty")
    return model


def _sums(words: list[str], literal_of: dict[str, int], number: int) -> dict[int, int]:
    factors = [_integer(word, number) for word in words[::2]]
    sums = {literal_of.get(word, 0): factor for word, factor in zip(words[1::2], factors, strict=False)}
    if 2 * len(sums) != len(words) or 0 in sums:
        _malformed(number, words, "a factor and a variable in turn, each variable once")
    return sums


def _integer(word: str, number: int) -> int:
    try:
        if len(word) > MOST_DIGITS or "_" in word or not word.isascii():
            raise ValueError
        return int(word)
    except ValueError:
        _malformed(number, [word], f"a number of at most {MOST_DIGITS} digits")


def _malformed(number: int, found: Sequence[str], expected: str) -> NoReturn:
    raise MalformedError(f"line {number}: found {_shown(found)}, expected {expected}")


def _shown(words: Sequence[str]) -> str:
    text = " ".join([word[:SHOWN] for word in words[:SHOWN]])
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")


def check_proof(model: Model, lines: Iterable[str], expired: Callable[[], bool] = lambda: False) -> Proved:
    """What the proof shows of the model.

    Raises `RefutedError` for a wrong step, `MalformedError` for what is no proof, `OutOfTimeError` once `expired`.
    """
    lines = iter(lines)
    head = next(lines, "").split()
    if head != ["pseudo-Boolean", "proof", "version", "3.0"]:
        _malformed(1, head, "pseudo-Boolean proof version 3.0")
    checker = _Checker(model, expired)
    checker.load()
    for number, words in _statements(lines, expired):
        checker.take(number, words)
    if not checker.ended or checker.proved is None:
        raise MalformedError("the proof ends without a conclusion and its end")
    return checker.proved


def _statements(lines: Iterator[str], expired: Callable[[], bool]) -> Iterator[tuple[int, list[str]]]:
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
        if expired():
            raise OutOfTimeError
    if words:
        raise MalformedError(f"the proof ends inside a statement: {_shown(words)}")


class _Checker:
    """Takes the statements one by one; `proved` is there after the conclusion."""

    def __init__(self, model: Model, expired: Callable[[], bool]) -> None:
        self.proved: Proved | None = None
        self.ended = False
        self._model = model
        self._expired = expired
        self._line = 1
        self._literal_of = {f"x{var}": var for var in range(1, model.variables + 1)}
        self._literal_of |= {f"~x{var}": -var for var in range(1, model.variables + 1)}
        self._rows: list[Row | None] = []
        self._known = _Propagation(model.variables)
        self._clauses: dict[int, list[int]] = {}
        self._listed: dict[frozenset[int], frozenset[int]] = {}
        self._best: tuple[int, frozenset[int]] | None = None
        self._rules: dict[str, Callable[[list[str]], None]] = {"f": self._f}

    def load(self) -> None:
        for row in self._model.rows:
            self._add(row)
            if self._expired():
                raise OutOfTimeError

    def take(self, number: int, words: list[str]) -> None:
        self._line = number
        rule = self._rules.get(words[0] if words else "")
        if rule is None:
            _malformed(number, words, " or ".join(self._rules) or "no more statements")
        rule(words)
        if self._expired():
            raise OutOfTimeError

    def _f(self, words: list[str]) -> None:
        if len(words) != 2 or _integer(words[1], self._line) != len(self._rows):
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
            terms = zip(row.literals, row.factors, strict=True)
            if sum([factor for literal, factor in terms if (abs(literal) in true) == (literal > 0)]) < row.least:
                self._refuted(words, f"it breaks constraint {number} of the model")
        return true

    def _pol(self, words: list[str]) -> None:
        stack: list[tuple[dict[int, int], int]] = []
        for word, following in zip(words[1:], [*words[2:], ""], strict=True):
            if following in ("*", "d"):
                factor = _integer(word, self._line)
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
            if self._expired():
                raise OutOfTimeError
        if len(stack) != 1:
            _malformed(self._line, words, f"one constraint as the result, not {len(stack)}")
        self._add(Row.of(*stack[0]))

    def _scaled(self, sums: dict[int, int], least: int, rule: str, by: int) -> tuple[dict[int, int], int]:
        if by < 1 or max(map(abs, [least, *sums.values()])) * by >= 10 ** (10 * MOST_DIGITS):
            _malformed(self._line, [str(by), rule], f"a factor above 0, and sums of at most {10 * MOST_DIGITS} digits")
        if rule == "*":
            return {var: factor * by for var, factor in sums.items()}, least * by
        row = Row.of(sums, least)
        return Row(row.literals, tuple([-(-factor // by) for factor in row.factors]), -(-row.least // by)).plain()

    def _rup(self, words: list[str]) -> None:
        literals, ones = self._literals(words[2:-2:2]), words[1:-2:2]
        if words[-2:] != [">=", "1"] or ones != ["1"] * len(literals) or len(set(map(abs, literals))) < len(literals):
            _malformed(self._line, words, "a clause such as rup 1 x5 1 ~x7 >= 1, each variable once")
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
            self._clauses.pop(number, []).clear()

    def _output(self, words: list[str]) -> None:
        self._fixed(words, "output NONE")
        self._rules = {"conclusion": self._conclusion}

    def _end(self, words: list[str]) -> None:
        self._fixed(words, "end pseudo-Boolean proof")
        self.ended, self._rules = True, {}

    def _fixed(self, words: list[str], expected: str) -> None:
        if words != expected.split():
            _malformed(self._line, words, expected)

    def _conclusion(self, words: list[str]) -> None:
        match words[1:]:
            case ["UNSAT" as kind, ":", last]:
                right, found = not self._listed and self._best is None, "solutions were listed"
            case ["ENUMERATION_COMPLETE" as kind, count, ":", last]:
                right = self._best is None and _integer(count, self._line) == len(self._listed)
                found = f"{len(self._listed)} solutions were listed by solx"
            case ["BOUNDS" as kind, least, ":", last, most]:
                value = None if self._best is None else self._best[0]
                right = not self._listed and {_integer(least, self._line), _integer(most, self._line)} == {value}
                found = f"the best solution listed by soli has the value {value}"
            case _:
                _malformed(self._line, words, "UNSAT, ENUMERATION_COMPLETE or BOUNDS with their numbers")
        if not right:
            self._refuted(words, found)
        row = self._row(str(len(self._rows)) if last == "-1" else last)
        if sum(row.factors) >= row.least:
            self._refuted(words, f"constraint {last} is no contradiction")
        solutions = (self._best[1],) if self._best else tuple(self._listed.values())
        self.proved = Proved(kind, solutions, self._best[0] if self._best else None)
        self._rules = {"end": self._end}

    def _add(self, row: Row) -> None:
        self._rows.append(row)
        if (clause := self._known.add(row)) is not None:
            self._clauses[len(self._rows)] = clause

    def _row(self, word: str) -> Row:
        number = _integer(word, self._line)
        row = self._rows[number - 1] if 0 < number <= len(self._rows) else None
        if row is None:
            _malformed(self._line, [word], f"a constraint from 1 to {len(self._rows)} that was not deleted")
        return row

    def _literals(self, words: list[str]) -> list[int]:
        try:
            return [self._literal_of[word] for word in words]
        except KeyError as error:
            _malformed(self._line, error.args, "a literal such as x1 or ~x1, of a variable of the model")

    def _refuted(self, words: list[str], reason: str) -> NoReturn:
        raise RefutedError(f"line {self._line}: {reason}: {_shown(words)}")


class _Propagation:
    """Constraints, and what follows from them by unit propagation. Lists are indexed by literals, −v from the end.

    A clause watches two of its literals that are not false. Any other row keeps its *slack*: by how much the sum of its
    literals that are not false exceeds what it needs. Below 0 it is broken; a literal with a larger factor has to hold.
    """

    def __init__(self, variables: int) -> None:
        self._values: list[bool | None] = [None] * (2 * variables + 1)
        self._watching: list[list[list[int]]] = [[] for _ in self._values]
        self._rows_with: list[list[tuple[int, int]]] = [[] for _ in self._values]
        self._terms: list[list[tuple[int, int]]] = []
        self._slack: list[int] = []
        # terms of a row before this place are decided: now, and by what is known for good
        self._place: list[int] = []
        self._place_for_good: list[int] = []
        self._assuming = False
        self._trail: list[int] = []
        self._head = 0
        self._broken = False

    def add(self, row: Row) -> list[int] | None:
        """Let a constraint hold from now on; what is kept of it, where it is a clause."""
        values = self._values
        if self._broken or row.least <= 0:
            return None
        if min(row.factors, default=0) >= row.least:
            clause = [literal for literal in row.literals if values[literal] is not False]
            if len(clause) < 2:
                self._broken = not clause or not self._make_true(clause)
            elif not any(values[literal] for literal in clause):
                self._watching[clause[0]].append(clause)
                self._watching[clause[1]].append(clause)
                return clause
            return None
        terms = [(f, lit) for f, lit in zip(row.factors, row.literals, strict=True) if values[lit] is not False]
        self._terms.append(sorted(terms, reverse=True))
        self._slack.append(sum([factor for factor, _ in terms]) - row.least)
        self._place.append(0)
        self._place_for_good.append(0)
        for factor, literal in terms:
            if values[literal] is None:
                self._rows_with[literal].append((len(self._slack) - 1, factor))
        self._broken = not (self._tighten(len(self._slack) - 1) and self._propagate())
        return None

    def implies(self, clause: list[int]) -> bool:
        """Whether the opposite of the clause leads to a contradiction. Nothing is changed."""
        if self._broken:
            return True
        before, values, slack = len(self._trail), self._values, self._slack
        self._assuming = True
        follows = not self._make_true([-literal for literal in clause])
        for literal in self._trail[before : self._head]:
            for row, factor in self._rows_with[-literal]:
                slack[row] += factor
                self._place[row] = self._place_for_good[row]
        for literal in self._trail[before:]:
            values[literal] = values[-literal] = None
        del self._trail[before:]
        self._head, self._assuming = before, False
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
        trail, slack, terms = self._trail, self._slack, self._terms
        while self._head < len(trail):
            false = -trail[self._head]
            self._head += 1
            tight = []
            for row, factor in self._rows_with[false]:
                left = slack[row] = slack[row] - factor
                if left < terms[row][0][0]:
                    tight.append(row)
            if not all(map(self._tighten, tight)) or not self._visit(false):
                return False
        return True

    def _tighten(self, row: int) -> bool:
        """Make the literals true that a row needs; False when it is broken."""
        left, terms, place = self._slack[row], self._terms[row], self._place[row]
        if left < 0:
            return False
        while place < len(terms) and terms[place][0] > left:
            # none is False: it would have taken its factor from the slack
            if self._values[terms[place][1]] is None:
                self._assign(terms[place][1])
            place += 1
        self._place[row] = place
        if not self._assuming:
            self._place_for_good[row] = place
        return True

    def _visit(self, false: int) -> bool:
        """Clauses that watched a literal which became false watch another, or make their last literal true."""
        values, watching, kept = self._values, self._watching[false], []
        for number, clause in enumerate(watching):
            if not clause:
                continue
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            if values[clause[0]] is not True:
                for place in range(2, len(clause)):
                    if values[clause[place]] is not False:
                        clause[1], clause[place] = clause[place], false
                        self._watching[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if not self._assign(clause[0]):
                        self._watching[false] = kept + watching[number + 1 :]
                        return False
                continue
            kept.append(clause)
        self._watching[false] = kept
        return True


def bounded_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a file. Raises `MalformedError` for one that is too long."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise MalformedError(f"a line of more than {LONGEST_LINE} characters")
        yield line


def main(arguments: Sequence[str]) -> int:
    """`MODEL PROOF [SECONDS]`. The exit status is 0 for verified, 1 refuted, 2 malformed, 3 out of time."""
    end = time.monotonic() + float(arguments[2]) if len(arguments) > 2 else float("inf")
    try:
        with Path(arguments[0]).open(errors="replace") as opb, Path(arguments[1]).open(errors="replace") as proof:
            model = read_model(bounded_lines(opb))
            proved = check_proof(model, bounded_lines(proof), lambda: time.monotonic() > end)
    except (RefutedError, MalformedError, OutOfTimeError) as error:
        print(f"{type(error).__name__}: {error}")
        return {RefutedError: 1, MalformedError: 2}.get(type(error), 3)
    print(f"verified: {proved.kind}, value {proved.value}, solutions listed {len(proved.solutions)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
