"""The codes of ISS in base64: sets of numbers, relations of two digits, and finite automata.

An automaton is a stream of bits, the highest of each byte first: 2 bits for the format, 4 for the width of a state's
number less 1, 4 for the number of symbols less 1; then, in that width, how many states it may start in and how many
further ones it may end in; a bit for each start that says whether it is an end, the last start first; and in format 0
4 bits for the width of a count of edges. States are numbered from 0, starts before ends. Each state has, in format 0,
a count, and so many times a symbol and the next state; in format 1 a bit for each symbol, the last one first, and for
each that is set, from the first on, the next state.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ringdoku.constraints.logic import Language
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Pairs
from ringdoku.domain.errors import LinkError

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def numbers_of(code: str) -> Iterator[int]:
    """The numbers of a set, ascending. Each character has 6 of them, the smallest in its lowest bit."""
    for place, character in enumerate(code):
        bits = _ALPHABET.find(character)
        if bits < 0:
            raise LinkError(f"{character!r} is not a character of a code of letters, digits, - and _")
        yield from (6 * place + bit for bit in range(6) if bits >> bit & 1)


def pairs_of(code: str, board: Board) -> Pairs:
    """The pairs (first digit, second digit) of a relation: number first·n + second, digits counted from 0."""
    pairs = []
    for number in numbers_of(code):
        first, second = divmod(number, board.order)
        if first >= board.order:
            raise LinkError(f"the relation has a pair of digits beyond {board.order}·{board.order}")
        pairs.append((board.least + first, board.least + second))
    return frozenset(pairs)


def text_of(code: str) -> str:
    """ASCII text in base64 without padding, in the URL's alphabet."""
    return "".join(map(chr, _bytes(code)))


def _bytes(code: str) -> bytes:
    try:
        return base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise LinkError(f"{code[:20]!r} is not base64") from None


@dataclass(frozen=True)
class Automaton:
    """`edges` are (state, symbol, next state), symbols from 0; symbol n, one more than there are digits, stands between
    segments."""

    starts: range
    ends: frozenset[int]
    edges: tuple[tuple[int, int, int], ...]

    @staticmethod
    def of_code(code: str) -> Automaton:
        """Raises `LinkError` for bits that are not an automaton."""
        bits = _Bits(_bytes(code))
        if not bits.left:
            return Automaton(range(1), frozenset(), ())
        kind = bits.take(2)
        if kind not in (0, 1):
            raise LinkError(f"the automaton is of format {kind}, which is unknown")
        width, symbols = bits.take(4) + 1, bits.take(4) + 1
        starts, further = bits.take(width), bits.take(width)
        both = bits.take(starts)
        ends = {state for state in range(starts) if both >> state & 1} | set(range(starts, starts + further))
        edges = tuple(bits.counted(width, symbols) if kind == 0 else bits.packed(width, symbols))
        return Automaton(range(starts), frozenset(ends), edges)

    def language(self, segments: Sequence[Sequence[int]], board: Board) -> Language:
        """The automaton accepts the digits of the segments, with symbol n between them."""
        n, cells = board.order, tuple(cell for segment in segments for cell in segment)
        moves: dict[int, list[tuple[int, int]]] = {}
        breaks: dict[int, list[int]] = {}
        for state, symbol, after in self.edges:
            if symbol < n:
                moves.setdefault(state, []).append((board.least + symbol, after))
            elif symbol == n and len(segments) > 1:
                breaks.setdefault(state, []).append(after)
            else:
                raise LinkError(f"the automaton has more symbols than there are digits, {n}")
        if len(segments) == 1:
            # state 0 represents all starts
            edges = {(state + 1, digit, after + 1) for state in moves for digit, after in moves[state]}
            edges |= {(0, digit, after) for state, digit, after in edges if state - 1 in self.starts}
            ends = {end + 1 for end in self.ends} | ({0} if self.ends & set(self.starts) else set())
            return Language(tuple(sorted(ends)), frozenset(edges), cells)
        return self._unrolled(segments, cells, moves, breaks)

    def _unrolled(
        self,
        segments: Sequence[Sequence[int]],
        cells: tuple[int, ...],
        moves: dict[int, list[tuple[int, int]]],
        breaks: dict[int, list[int]],
    ) -> Language:
        """An automaton with states for each cell, so that a break between segments needs no symbol."""
        numbers: dict[tuple[int, int], int] = {}
        edges: set[tuple[int, int, int]] = set()
        here, place = set(self.starts), 0

        def number(place: int, state: int) -> int:
            # before the first cell all starts are one state
            return numbers.setdefault((place, state), len(numbers) + 1) if place else 0

        for last, segment in enumerate(segments, 1 - len(segments)):
            for position, _ in enumerate(segment, 1):
                after_break = position == len(segment) and last < 0
                following = set()
                for state in here:
                    for digit, target in moves.get(state, ()):
                        for after in breaks.get(target, ()) if after_break else (target,):
                            edges.add((number(place, state), digit, number(place + 1, after)))
                            following.add(after)
                here, place = following, place + 1
        return Language(tuple(sorted(number(place, end) for end in here & self.ends)), frozenset(edges), cells)


class _Bits:
    """Numbers from a stream of bits, the highest bit first."""

    def __init__(self, data: bytes) -> None:
        self._bits = "".join(f"{byte:08b}" for byte in data)
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._bits) - self._at

    def take(self, count: int) -> int:
        if count > self.left:
            raise LinkError("the automaton ends too early")
        self._at += count
        return int(self._bits[self._at - count : self._at], 2) if count else 0

    def counted(self, width: int, symbols: int) -> Iterator[tuple[int, int, int]]:
        """The edges of all states: a count, then the edges of a state."""
        count_width, symbol_width, state = self.take(4), (symbols - 1).bit_length(), 0
        while count_width and self.left >= count_width:
            for _ in range(self.take(count_width)):
                yield state, self.take(symbol_width), self.take(width)
            state += 1

    def packed(self, width: int, symbols: int) -> Iterator[tuple[int, int, int]]:
        """The edges of all states: a bit for each symbol that has an edge, then the edges of a state."""
        state = 0
        while self.left >= symbols:
            having = self.take(symbols)
            for symbol in range(symbols):
                if having >> symbol & 1:
                    yield state, symbol, self.take(width)
            state += 1
