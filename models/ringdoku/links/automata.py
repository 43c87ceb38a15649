"""Automata in ISS texts: regular expressions over digits (`automaton_of`), and packed automata (`unpack`, `pack`).

An expression has digits, letters for digits from 10 on (`A` or `a` is 10), `.` for any digit, classes `[135]`,
`[1-4]`, `[^9]`, groups `( )`, `|`, and `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}` after what is repeated. The states of
its automaton are its partial derivatives (Antimirov, Theoretical Computer Science 155:2, 1996).
"""

import base64
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ringdoku.constraints.logic import Language, language_of
from ringdoku.domain import Board, Cells, Digits, Edges, UsageError, diagram, grouped, refuse
from ringdoku.domain.primitives import Layer
from ringdoku.links.compression import from_base64

MOST_PLACES = 200
"""The most places of a regular expression; repeated parts count as often as they are repeated."""

_TOKEN = re.compile(
    r"[()|]|(?P<set>[0-9A-Za-z.]|\[\^?(?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+\])|(?P<times>[*+?]|\{[0-9]{1,3},?[0-9]{0,3}\})"
)
_TIMES = {"*": "{0,}", "+": "{1,}", "?": "{0,1}"}


class _Part:
    """A part of a regular expression: one digit of `digits`, or one of `words`, which are sequences of parts. A starred
    part may be repeated. Parts are equal only if they are the same object, since they are places of the expression."""

    def __init__(self, words: Iterable[Iterable["_Part"]], digits: Collection[int] = (), starred: bool = False) -> None:
        # parts without a place match only the empty text
        self.words = tuple(dict.fromkeys(tuple(part for part in word if part.places) for word in words))
        self.digits, self.is_starred = digits, starred
        self.places: int = sum(part.places for word in self.words for part in word) if self.words else 1
        refuse(self.places > MOST_PLACES, f"the regular expression has more than {MOST_PLACES} places")

    def repeated(self, least: int, most: int | None) -> "_Part":
        more = [_Part([[self], []], starred=True)] if most is None else [_Part([[self], []])] * (most - least)
        return _Part([[self] * least + more]) if self.places else self


def _expansions(word: tuple[_Part, ...]) -> Iterator[tuple[_Part, ...]]:
    """The words that are empty or begin with a digit, and together match what the word matches."""
    seen = {word}
    queue = [word]
    for current in queue:
        if not current or not current[0].words:
            yield current
            continue
        for start in current[0].words:
            expanded = start + (current if start and current[0].is_starred else current[1:])
            if expanded not in seen:
                seen.add(expanded)
                queue.append(expanded)


def _syntax_error(pattern: str, at: int, expected: str) -> UsageError:
    found = repr(pattern[at]) if at < len(pattern) else "the end"
    return UsageError(f"character {at + 1} of the regular expression: found {found}, expected {expected}")


def _digits_of_class(token: re.Match[str], digits: range) -> set[int]:
    """The digits that a token stands for: a digit, a class or a dot."""
    found = re.findall("([^][^.])(?:-(.))?", token[0])
    ends = [(int(first, 36), int(last or first, 36)) for first, last in found]
    if not {end for pair in ends for end in pair} <= {*digits}:
        raise _syntax_error(token.string, token.start(), f"digits from {digits[0]} to {digits[-1]}")
    named = {digit for first, last in ends for digit in range(first, last + 1)}
    return {*digits} - named if token[0][:2] in (".", "[^") else named


def _repetitions(token: re.Match[str]) -> tuple[int, int | None]:
    ((least, comma, most),) = re.findall("([0-9]+)(,?)([0-9]*)", _TIMES.get(token[0], token[0]))
    if int(most or least) < int(least):
        raise _syntax_error(token.string, token.start(), "a smaller number before a larger one")
    return int(least), None if comma and not most else int(most or least)


def _parse(pattern: str, digits: range) -> _Part:
    # the words so far of each open group
    opened: list[list[list[_Part]]] = [[[]]]
    at = 0
    while at < len(pattern):
        token, word = _TOKEN.match(pattern, at), opened[-1][-1]
        if token is None or (token["times"] and not word) or (token[0] == ")" and len(opened) == 1):
            raise _syntax_error(pattern, at, "a digit, a class, a group or what may follow it")
        if token["set"]:
            word.append(_Part([], _digits_of_class(token, digits)))
        elif token["times"]:
            word.append(word.pop().repeated(*_repetitions(token)))
        elif token[0] == "(":
            opened.append([[]])
        elif token[0] == "|":
            opened[-1].append([])
        else:
            group = _Part(opened.pop())
            opened[-1][-1].append(group)
        at = token.end()
    if len(opened) > 1:
        raise _syntax_error(pattern, at, ")")
    return _Part(opened[0])


def automaton_of(pattern: str, digits: range) -> tuple[Digits, Edges]:
    """End states and edges, as `Language` has them, of the automaton of a regular expression. Raises `UsageError` for a
    text that is not an expression over these digits, or has more than `MOST_PLACES` places."""
    words: list[tuple[_Part, ...]] = [(_parse(pattern, digits),)]
    states, ends, edges = {words[0]: 0}, set[int](), set[tuple[int, int, int]]()
    for state, word in enumerate(words):
        for first, *rest in filter(None, expansions := [*_expansions(word)]):
            if (after := tuple(rest)) not in states:
                states[after] = len(words)
                words.append(after)
            edges |= {(state, digit, states[after]) for digit in first.digits}
        ends |= {state} if () in expansions else set()
    return tuple(ends), frozenset(edges)


# packed automata


def unpack(code: str) -> tuple[Digits, Edges]:
    """End states and edges (state, symbol, next state) of a packed automaton. State 0 is added and combines all start
    states. Symbols count from 0; the one after those of the digits separates segments of a line. Raises `UsageError`.

    The code is a stream of bits, the highest of each byte first: 2 bits for the format, 4 for the width of a state's
    number less 1, 4 for the number of symbols less 1; then, in that width, how many states it may start in and how many
    further ones it may end in; a bit for each start that says whether it is an end, the last start first; and in format
    0 4 bits for the width of a count of edges. States are numbered from 0, starts before ends. Each state has, in
    format 0, a count, and so many times a symbol and the next state; in format 1 a bit for each symbol, the last one
    first, and for each that is set, from the first on, the next state.
    """
    bits = "".join(f"{byte:08b}" for byte in from_base64(code))
    if not bits:
        return (), frozenset()
    at = 0

    def take(count: int) -> int:
        nonlocal at
        refuse(at + count > len(bits), "the automaton ends too early")
        at += count
        return int(bits[at - count : at] or "0", 2)

    kind = take(2)
    refuse(kind > 1, f"the automaton is of format {kind}, which is unknown")
    width, symbols = take(4) + 1, take(4) + 1
    starts, further = take(width), take(width)
    both = take(starts)
    accepted = [state + 1 for state in range(starts) if both >> state & 1]
    ends = (*([0] if accepted else []), *accepted, *range(starts + 1, starts + further + 1))
    count_width = symbols if kind == 1 else take(4)
    edges: list[tuple[int, int, int]] = []
    state = 1
    while count_width and len(bits) - at >= count_width:
        edge_field = take(count_width)
        if kind == 1:
            edges += ((state, symbol, take(width) + 1) for symbol in range(symbols) if edge_field >> symbol & 1)
        else:
            edges += ((state, take((symbols - 1).bit_length()), take(width) + 1) for _ in range(edge_field))
        state += 1
    return ends, frozenset([*edges, *((0, symbol, after) for state, symbol, after in edges if state <= starts)])


def language_of_segments(ends: Digits, edges: Edges, cells: Cells, breaks: Sequence[int], board: Board) -> Language:
    """The rule that an automaton accepts the digits of cells, with symbol n after as many of them as a break says."""
    n, times = board.order, Counter(breaks)
    if not breaks:
        of_digits = frozenset((state, board.least + symbol, after) for state, symbol, after in edges if symbol < n)
        return Language(ends, of_digits, cells)
    # in a diagram each cell has its own states, so that a break between segments needs no symbol
    next_states = grouped(((state, symbol), after) for state, symbol, after in edges)

    def read(states: frozenset[int], *symbols: int) -> frozenset[int]:
        for symbol in symbols:
            states = frozenset().union(*(next_states.get((state, symbol), ()) for state in states))
        return states

    def step(states: frozenset[int], place: int, digit: int) -> frozenset[int] | None:
        return read(states, digit - board.least, *[n] * times[place + 1]) or None

    choices, start = [board.digits] * len(cells), read(frozenset({0}), *[n] * times[0])
    return language_of(diagram(cells, choices, start, step, lambda states: not states.isdisjoint(ends)))


def ignores_names(rule: Language, named: Container[int], board: Board) -> bool:
    """Whether the words of the rule stay the same if the digits of the named cells change their names: if the first and
    the last are exchanged, or all in a circle, of which every other change is made."""
    (automaton,), first, last = rule.primitives(board), board.digits[0], board.digits[-1]

    def renamed(names: Mapping[int, int]) -> list[Layer]:
        """The layers, with states numbered in the order in which they are reached."""
        numbers, layers = {0: 0}, list[Layer]()
        for cell, layer in zip(automaton.cells, automaton.layers, strict=True):
            of = names if cell in named else {}
            edges = sorted((numbers[state], of.get(digit, digit), after) for state, digit, after in layer)
            numbers = {}
            layers.append(tuple((state, digit, numbers.setdefault(to, len(numbers))) for state, digit, to in edges))
        return layers

    return renamed({}) == renamed({first: last, last: first}) == renamed(dict(pairwise((*board.digits, first))))


def pack(ends: Iterable[int], edges: Iterable[tuple[int, int, int]], digits: range) -> str:
    """The code, in format 0, that `unpack` reads as an automaton with these edges (state, digit, next state) and start
    state 0. Raises `UsageError` for more states than the code has room for."""
    last = sorted({*ends} - {0})
    leaving: dict[int, list[tuple[int, int]]] = {state: [] for state in (0, *last)}
    for state, digit, after in sorted(edges):
        leaving.setdefault(state, []).append((digit - digits[0], after))
        leaving.setdefault(after, [])
    number = {state: place for place, state in enumerate(leaving)}
    width, symbol_width = max(1, (len(leaving) - 1).bit_length()), (len(digits) - 1).bit_length()
    count_width = max(map(len, leaving.values())).bit_length()
    refuse(width > 16 or count_width > 15, "its automaton has more than 65536 states")
    fields = [(0, 2), (width - 1, 4), (len(digits) - 1, 4), (1, width), (len(last), width), (0 in {*ends}, 1)]
    fields.append((count_width, 4))
    for edges_of_state in leaving.values():
        fields.append((len(edges_of_state), count_width))
        for symbol, after in edges_of_state:
            fields += [(symbol, symbol_width), (number[after], width)]
    bits = "".join(f"{value:0{size}b}" for value, size in fields if size)
    whole = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    return base64.urlsafe_b64encode(whole).decode().rstrip("=")
