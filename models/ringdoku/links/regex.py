"""Regular expressions over digits as automata: the places of an expression are the states (Glushkov, Russian
Mathematical Surveys 16:5, 1961).

An expression has digits, letters for digits from 10 on (`A` or `a` is 10), `.` for any digit, classes `[135]`, `[1-4]`,
`[^9]`, groups `( )`, `|`, and `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}` after what is repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from ringdoku.domain.errors import LinkError

MOST_PLACES, MOST_PARTS, DEEPEST = 200, 20_000, 30
MOST_REPEATS = 3
"""The most `*`, `+` or `{}` in a row."""

_SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TIMES: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def automaton_of(pattern: str, digits: range) -> tuple[tuple[int, ...], frozenset[tuple[int, int, int]]]:
    """End states and edges, as the constraint `language` has them, of the automaton of an expression.

    Raises `LinkError` for a text that is not an expression over these digits, or has more than `MOST_PLACES` places.
    """
    parser = _Parser(pattern, digits)
    whole = parser.expression()()
    steps = parser.steps | {(0, place) for place in whole.first}
    edges = frozenset((one, digit, other) for one, other in steps for digit in parser.places[other - 1])
    return tuple(sorted(whole.last | ({0} if whole.empty else set()))), edges


class _Part(NamedTuple):
    """For the words of a part: whether one is empty, and the places where they start and end."""

    empty: bool
    first: frozenset[int]
    last: frozenset[int]


_Build: TypeAlias = Callable[[], _Part]
"""Makes a part, with places of its own each time: a part that is repeated is made several times."""


class _Parser:
    """`places` are the digits at each place of the expression, numbered from 1; `steps` the places that can follow
    each."""

    def __init__(self, pattern: str, digits: range) -> None:
        self.places: list[frozenset[int]] = []
        self.steps: set[tuple[int, int]] = set()
        self._pattern, self._digits = pattern, digits
        self._at = self._depth = self._parts = 0

    def expression(self) -> _Build:
        whole = self._choice()
        if self._next:
            raise self._wrong("the end")
        return whole

    # reading

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

    def _choice(self) -> _Build:
        builds = [self._sequence()]
        while self._skip("|"):
            builds.append(self._sequence())

        def build() -> _Part:
            empty, first, last = zip(*(one() for one in builds), strict=True)
            return _Part(any(empty), frozenset().union(*first), frozenset().union(*last))

        return build

    def _sequence(self) -> _Build:
        builds: list[_Build] = []
        while self._next not in ("", "|", ")"):
            build = self._single()
            for _ in range(MOST_REPEATS):
                if self._next in ("*", "+", "?", "{"):
                    build = self._repeat(build, *self._times())
            builds.append(build)
        return lambda: self._chain([build() for build in builds])

    def _times(self) -> tuple[int, int | None]:
        for character, times in _TIMES.items():
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

    def _single(self) -> _Build:
        if self._skip("("):
            self._depth += 1
            if self._depth > DEEPEST:
                raise LinkError(f"the regular expression has more than {DEEPEST} nested groups")
            build = self._choice()
            self._need(")")
            self._depth -= 1
            return build
        if self._skip("["):
            digits = self._class()
        elif self._skip("."):
            digits = frozenset(self._digits)
        else:
            digits = frozenset((self._digit(),))
        return lambda: self._place(digits)

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

    # building

    def _place(self, digits: frozenset[int]) -> _Part:
        if len(self.places) == MOST_PLACES:
            raise LinkError(f"the regular expression has more than {MOST_PLACES} places")
        self.places.append(digits)
        place = frozenset((len(self.places),))
        return _Part(False, place, place)

    def _repeat(self, build: _Build, least: int, most: int | None) -> _Build:
        def repeated() -> _Part:
            copies = [build() for _ in range(max(least, 1) if most is None else most)]
            if most is None:
                self.steps.update(product(copies[-1].last, copies[-1].first))
            return self._chain([*copies[:least], *(copy._replace(empty=True) for copy in copies[least:])])

        return repeated

    def _chain(self, parts: Sequence[_Part]) -> _Part:
        """The parts one after the other."""
        self._parts += 1 + len(parts)
        if self._parts > MOST_PARTS:
            raise LinkError(f"the regular expression has more than {MOST_PARTS} parts")
        whole = _Part(True, frozenset(), frozenset())
        for part in parts:
            self.steps.update(product(whole.last, part.first))
            whole = _Part(
                whole.empty and part.empty,
                whole.first | part.first if whole.empty else whole.first,
                whole.last | part.last if part.empty else part.last,
            )
        return whole
