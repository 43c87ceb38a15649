"""Automata in ISS texts: regular expressions over digits, and automata packed in base64.

An expression has digits, letters for digits from 10 on (`A` or `a` is 10), `.` for any digit, classes `[135]`,
`[1-4]`, `[^9]`, groups `( )`, `|`, and `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}` after what is repeated. Its places are the
states of the automaton (Glushkov, Russian Mathematical Surveys 16:5, 1961).
"""

import base64
import re
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate, chain, product
from typing import NamedTuple

from ringdoku.constraints.logic import Language, of_diagram
from ringdoku.domain import Board, Cells, Digits, Edges, UsageError, diagram
from ringdoku.links.compression import from_base64

MOST_PLACES = 200
"""The most places of a regular expression, with those of repeated parts."""

_TOKEN = re.compile(
    r"(?P<mark>[()|.])|\[(?P<other>\^?)(?P<members>(?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+)\]|(?P<digit>[0-9A-Za-z])"
    r"|(?P<times>[*+?]|\{(?P<least>[0-9]{1,3})(?P<comma>,?)(?P<most>[0-9]{0,3})\})"
)
_TIMES: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class _Part(NamedTuple):
    """The words of a part: whether one is empty, the digits at each of its places, where words start and end, and which
    place can follow which. Places are numbered from 1."""

    empty: bool
    places: tuple[frozenset[int], ...] = ()
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    steps: frozenset[tuple[int, int]] = frozenset()


def _either(one: _Part, other: _Part) -> _Part:
    """The words of both parts. The places of the second are numbered after those of the first."""
    places, before = (*one.places, *other.places), len(one.places)
    if len(places) > MOST_PLACES:
        raise UsageError(f"the regular expression has more than {MOST_PLACES} places")
    first = one.first | {before + place for place in other.first}
    last = one.last | {before + place for place in other.last}
    steps = one.steps | {(before + place, before + after) for place, after in other.steps}
    return _Part(one.empty or other.empty, places, first, last, steps)


def _chain(one: _Part, other: _Part) -> _Part:
    """The words of the first part, each followed by words of the second."""
    both = _either(one, other)
    first = both.first if one.empty else one.first
    last = both.last if other.empty else both.last - one.last
    steps = both.steps | set(product(one.last, both.first - one.first))
    return _Part(one.empty and other.empty, both.places, first, last, steps)


def _repeat(part: _Part, least: int, most: int | None) -> _Part:
    if not part.places:
        return part
    copies = [part] * least
    if most is None:
        again = part.steps | set(product(part.last, part.first))
        copies[max(least - 1, 0) :] = [part._replace(empty=part.empty or least == 0, steps=again)]
    else:
        copies += [part._replace(empty=True)] * (most - least)
    return reduce(_chain, copies, _Part(True))


def _whole(sequences: Sequence[Sequence[_Part]]) -> _Part:
    """The words of any of the sequences of parts."""
    return reduce(_either, [reduce(_chain, parts, _Part(True)) for parts in sequences])


class _Reader:
    """Reads an expression over these digits."""

    def __init__(self, pattern: str, digits: range) -> None:
        self._pattern, self._digits, self._at = pattern, digits, 0

    def read(self) -> _Part:
        # for each group that is open its sequences so far
        opened: list[list[list[_Part]]] = [[[]]]
        while self._at < len(self._pattern):
            token = _TOKEN.match(self._pattern, self._at)
            sequence = opened[-1][-1]
            if token is None or (token["times"] and not sequence) or (token["mark"] == ")" and len(opened) == 1):
                raise self._wrong("a digit, a class, a group or what may follow it")
            if token["mark"] == "(":
                if len(opened) > 2 * MOST_PLACES:
                    raise UsageError("the regular expression is nested too deeply")
                opened.append([[]])
            elif token["mark"] == "|":
                opened[-1].append([])
            elif token["mark"] == ")":
                group = opened.pop()
                opened[-1][-1].append(_whole(group))
            elif token["times"]:
                sequence.append(_repeat(sequence.pop(), *self._times(token)))
            else:
                here = frozenset((1,))
                sequence.append(_Part(False, (self._members(token),), here, here))
            self._at = token.end()
        if len(opened) > 1:
            raise self._wrong(")")
        return _whole(opened[0])

    def _wrong(self, expected: str) -> UsageError:
        found = repr(self._pattern[self._at]) if self._at < len(self._pattern) else "the end"
        return UsageError(f"character {self._at + 1} of the regular expression: found {found}, expected {expected}")

    def _times(self, token: re.Match[str]) -> tuple[int, int | None]:
        if known := _TIMES.get(token["times"]):
            return known
        least, most = int(token["least"]), int(token["most"] or token["least"])
        if most < least:
            raise self._wrong("a smaller number before a larger one")
        return least, None if token["comma"] and not token["most"] else most

    def _members(self, token: re.Match[str]) -> frozenset[int]:
        """The digits of a digit, a class or a dot."""
        if token["mark"]:
            return frozenset(self._digits)
        members: set[int] = set()
        for first, last in re.findall("(.)(?:-(.))?", token["members"] or token["digit"]):
            ends = int(first, 36), int(last or first, 36)
            if not {*ends} <= {*self._digits}:
                raise self._wrong(f"digits from {self._digits[0]} to {self._digits[-1]}")
            members.update(range(ends[0], ends[1] + 1))
        return frozenset(digit for digit in self._digits if (digit in members) != bool(token["other"]))


def automaton_of(pattern: str, digits: range) -> tuple[Digits, Edges]:
    """End states and edges, as `Language` has them, of the automaton of an expression.

    Raises `UsageError` for a text that is not an expression over these digits, or has more than `MOST_PLACES` places.
    """
    whole = _Reader(pattern, digits).read()
    steps = whole.steps | {(0, place) for place in whole.first}
    edges = frozenset((one, label, other) for one, other in steps for label in whole.places[other - 1])
    return tuple(sorted(whole.last | ({0} if whole.empty else set()))), edges


# packed automata


class Packed(NamedTuple):
    """States 0 to `starts` - 1 begin. `edges` are (state, symbol, next state), symbols from 0; symbol n, one more than
    there are digits, stands between segments of a line."""

    starts: int
    ends: frozenset[int]
    edges: tuple[tuple[int, int, int], ...]


def unpack(code: str) -> Packed:
    """A stream of bits, the highest of each byte first: 2 bits for the format, 4 for the width of a state's number less
    1, 4 for the number of symbols less 1; then, in that width, how many states it may start in and how many further
    ones it may end in; a bit for each start that says whether it is an end, the last start first; and in format 0 4
    bits for the width of a count of edges. States are numbered from 0, starts before ends. Each state has, in format 0,
    a count, and so many times a symbol and the next state; in format 1 a bit for each symbol, the last one first, and
    for each that is set, from the first on, the next state. Raises `UsageError`.
    """
    bits = "".join(f"{byte:08b}" for byte in from_base64(code))
    if not bits:
        return Packed(1, frozenset(), ())
    at = 0

    def take(count: int) -> int:
        nonlocal at
        if at + count > len(bits):
            raise UsageError("the automaton ends too early")
        at += count
        return int(bits[at - count : at] or "0", 2)

    kind = take(2)
    if kind not in (0, 1):
        raise UsageError(f"the automaton is of format {kind}, which is unknown")
    width, symbols = take(4) + 1, take(4) + 1
    starts, further = take(width), take(width)
    both = take(starts)
    ends = {state for state in range(starts) if both >> state & 1} | set(range(starts, starts + further))
    count_width = symbols if kind == 1 else take(4)
    edges: list[tuple[int, int, int]] = []
    state = 0
    while count_width and len(bits) - at >= count_width:
        having = take(count_width)
        if kind == 1:
            edges += ((state, symbol, take(width)) for symbol in range(symbols) if having >> symbol & 1)
        else:
            edges += ((state, take((symbols - 1).bit_length()), take(width)) for _ in range(having))
        state += 1
    return Packed(starts, frozenset(ends), tuple(edges))


def language(packed: Packed, segments: Sequence[Cells], board: Board) -> Language:
    """The automaton accepts the digits of the segments, with symbol n between them. Raises `UsageError`."""
    n = board.order
    if any(symbol > n or (symbol == n and len(segments) < 2) for _, symbol, _ in packed.edges):
        raise UsageError(f"the automaton has more symbols than there are digits, {n}")
    if len(segments) != 1:
        return _over_breaks(packed, segments, board)
    # state 0 represents all starts
    starts = set(range(packed.starts))
    edges = {(state + 1, board.least + symbol, after + 1) for state, symbol, after in packed.edges}
    edges |= {(0, digit, after) for state, digit, after in edges if state - 1 in starts}
    ends = {end + 1 for end in packed.ends} | ({0} if packed.ends & starts else set())
    return Language(tuple(sorted(ends)), frozenset(edges), segments[0])


def _over_breaks(packed: Packed, segments: Sequence[Cells], board: Board) -> Language:
    """Each cell has states of its own, so that a break between segments needs no symbol."""
    following: dict[tuple[int, int], set[int]] = {}
    for state, symbol, after in packed.edges:
        following.setdefault((state, symbol), set()).add(after)
    cells, breaks = tuple(chain(*segments)), set(accumulate(map(len, segments[:-1])))

    def read(states: frozenset[int], symbol: int) -> frozenset[int]:
        return frozenset().union(*(following.get((state, symbol), ()) for state in states))

    def step(states: frozenset[int], place: int, digit: int) -> frozenset[int] | None:
        here = read(states, board.order) if place in breaks else states
        return read(here, digit - board.least) or None

    every, starts = [board.digits] * len(cells), frozenset(range(packed.starts))
    return of_diagram(diagram(cells, every, starts, step, lambda states: not packed.ends.isdisjoint(states)))


def pack(ends: Iterable[int], edges: Iterable[tuple[int, int, int]], digits: range) -> str:
    """What `unpack` reads, in format 0, for an automaton with these edges (state, digit, next state) that starts in
    state 0. Raises `UsageError` for more states than the form has room for."""
    leaving: dict[int, list[tuple[int, int]]] = {0: []}
    for state, digit, after in sorted(edges):
        leaving.setdefault(state, []).append((digit - digits[0], after))
        leaving.setdefault(after, [])
    last = sorted({*ends} - {0})
    order = [0, *last, *(state for state in leaving if state not in {0, *last})]
    number = {state: place for place, state in enumerate(order)}
    width, symbol_width = max(1, (len(order) - 1).bit_length()), (len(digits) - 1).bit_length()
    count_width = max(map(len, leaving.values())).bit_length()
    if width > 16 or count_width > 15:
        raise UsageError("its automaton has more than 65536 states")
    fields = [(0, 2), (width - 1, 4), (len(digits) - 1, 4), (1, width), (len(last), width), (0 in {*ends}, 1)]
    fields.append((count_width, 4))
    for state in order:
        fields.append((len(leaving.get(state, ())), count_width))
        fields += (
            pair
            for symbol, after in leaving.get(state, ())
            for pair in ((symbol, symbol_width), (number[after], width))
        )
    bits = "".join(f"{value:0{size}b}" for value, size in fields if size)
    whole = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    return base64.urlsafe_b64encode(whole).decode().rstrip("=")
