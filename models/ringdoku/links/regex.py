"""Regular expressions over digits as automata: the places of an expression are the states (Glushkov, Russian
Mathematical Surveys 16:5, 1961).

An expression has digits, letters for digits from 10 on (`A` or `a` is 10), `.` for any digit, classes `[135]`, `[1-4]`,
`[^9]`, groups `( )`, `|`, and `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}` after what is repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from ringdoku.domain.errors import LinkError

MOST_PLACES = 200
MOST_PARTS = 20_000
DEEPEST = 30
MOST_REPEATS = 3
"""The most `*`, `+` or `{}` in a row."""

_SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def automaton_of(pattern: str, digits: range) -> tuple[tuple[int, ...], frozenset[tuple[int, int, int]]]:
    """End states and edges, as the constraint `language` has them, of the automaton of an expression.

    Raises `LinkError` for a text that is not an expression over these digits, or has more than `MOST_PLACES` places.
    """
    places = _Places()
    whole = places.of(_Parser(pattern, digits).expression())
    steps = places.steps | {(0, place) for place in whole.first}
    edges = frozenset((one, digit, other) for one, other in steps for digit in places.digits[other - 1])
    return tuple(sorted(whole.last | ({0} if whole.empty else set()))), edges


@dataclass(frozen=True)
class _Choice:
    parts: tuple[_Node, ...]


@dataclass(frozen=True)
class _Sequence:
    parts: tuple[_Node, ...]


@dataclass(frozen=True)
class _Repeat:
    part: _Node
    least: int
    most: int | None


_Node: TypeAlias = "frozenset[int] | _Choice | _Sequence | _Repeat"


class _Parser:
    def __init__(self, pattern: str, digits: range) -> None:
        self._pattern = pattern
        self._digits = digits
        self._at = 0
        self._depth = 0

    def expression(self) -> _Node:
        whole = self._choice()
        if self._next:
            raise self._wrong("the end")
        return whole

    @property
    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _wrong(self, expected: str) -> LinkError:
        found = repr(self._next) if self._next else "the end"
        return LinkError(f"character {self._at + 1} of the regular expression: found {found}, expected {expected}")

    def _skip(self, character: str) -> bool:
        """Skip this character if it comes next; whether it did."""
        found = self._next == character
        self._at += found
        return found

    def _need(self, character: str) -> None:
        if not self._skip(character):
            raise self._wrong(character)

    def _choice(self) -> _Node:
        parts = [self._sequence()]
        while self._skip("|"):
            parts.append(self._sequence())
        return _Choice(tuple(parts))

    def _sequence(self) -> _Node:
        parts = []
        while self._next not in ("", "|", ")"):
            part = self._single()
            for _ in range(MOST_REPEATS):
                if self._next in ("*", "+", "?", "{"):
                    part = _Repeat(part, *self._times())
            parts.append(part)
        return _Sequence(tuple(parts))

    def _times(self) -> tuple[int, int | None]:
        for character, times in {"*": (0, None), "+": (1, None), "?": (0, 1)}.items():
            if self._skip(character):
                return times
        self._need("{")
        least = self._number()
        most: int | None = least
        if self._skip(","):
            most = None if self._next == "}" else self._number()
        self._need("}")
        if most is not None and most < least:
            raise LinkError(f"the regular expression repeats a part {least} to {most} times")
        return least, most

    def _number(self) -> int:
        start = self._at
        while self._next and self._next in "0123456789":
            self._at += 1
        if not 0 < self._at - start < 4:
            raise self._wrong("a number below 1000")
        return int(self._pattern[start : self._at])

    def _single(self) -> _Node:
        if self._skip("("):
            self._depth += 1
            if self._depth > DEEPEST:
                raise LinkError(f"the regular expression has more than {DEEPEST} nested groups")
            part = self._choice()
            self._need(")")
            self._depth -= 1
            return part
        if self._skip("["):
            return self._class()
        if self._skip("."):
            return frozenset(self._digits)
        return frozenset((self._digit(),))

    def _class(self) -> frozenset[int]:
        others = self._skip("^")
        members: set[int] = set()
        while not self._skip("]"):
            first = self._digit()
            last = self._digit() if self._skip("-") else first
            if last < first:
                raise LinkError(f"a class of the regular expression goes from {first} to {last}")
            members.update(range(first, last + 1))
        if not members:
            raise self._wrong("a digit in the class before it")
        return frozenset(digit for digit in self._digits if (digit in members) != others)

    def _digit(self) -> int:
        value = _SYMBOLS.find(self._next.upper()) if self._next else -1
        if value not in self._digits:
            raise self._wrong(f"a digit from {self._digits[0]} to {self._digits[-1]}")
        self._at += 1
        return value


@dataclass(frozen=True)
class _Part:
    """For the words of a part: whether one is empty, and the places where they start and end."""

    empty: bool
    first: frozenset[int]
    last: frozenset[int]


class _Places:
    """The places of digits in an expression, numbered from 1, and the places that can follow each."""

    def __init__(self) -> None:
        self.digits: list[frozenset[int]] = []
        self.steps: set[tuple[int, int]] = set()
        self._parts = 0

    def of(self, node: _Node) -> _Part:
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise LinkError(f"the regular expression has more than {MOST_PARTS} parts")
        match node:
            case _Choice(parts):
                found = [self.of(part) for part in parts]
                return _Part(
                    any(part.empty for part in found),
                    frozenset().union(*(part.first for part in found)),
                    frozenset().union(*(part.last for part in found)),
                )
            case _Sequence(parts):
                return self._sequence([self.of(part) for part in parts])
            case _Repeat(part, least, most):
                if most is not None:
                    copies = [self.of(part) for _ in range(most)]
                    optional = [_Part(True, copy.first, copy.last) for copy in copies[least:]]
                    return self._sequence([*copies[:least], *optional])
                *copies, last = [self.of(part) for _ in range(max(least, 1))]
                self.steps.update(product(last.last, last.first))
                return self._sequence([*copies, _Part(last.empty or not least, last.first, last.last)])
            case frozenset() as digits:
                if len(self.digits) == MOST_PLACES:
                    raise LinkError(f"the regular expression has more than {MOST_PLACES} places")
                self.digits.append(digits)
                place = frozenset((len(self.digits),))
                return _Part(False, place, place)

    def _sequence(self, parts: Sequence[_Part]) -> _Part:
        whole = _Part(True, frozenset(), frozenset())
        for part in parts:
            self.steps.update(product(whole.last, part.first))
            whole = _Part(
                whole.empty and part.empty,
                whole.first | part.first if whole.empty else whole.first,
                whole.last | part.last if part.empty else part.last,
            )
        return whole
