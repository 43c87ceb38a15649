"""Every named constraint by its name in our text form, in one table, and the reader of the text form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache, partial
from types import ModuleType

from ringdoku.constraints import digits, lines, logic, outside, pairs, regions, sums, unknown
from ringdoku.domain import constraint as base
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, read_fields, refuse_constraint
from ringdoku.domain.errors import RuleError, UsageError


def _in(module: ModuleType) -> Iterator[type[Constraint]]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Constraint) and "text" in vars(value):
            yield value


CONSTRAINTS: Mapping[str, type[Constraint]] = {
    found.text: found
    for module in (base, regions, sums, lines, pairs, digits, outside, logic, unknown)
    for found in _in(module)
}
"""Every named constraint by its name."""

LISTED: Mapping[str, type[Constraint]] = {name: kind for name, kind in CONSTRAINTS.items() if kind.listed}
"""Those that people write."""

ALIASES: Mapping[str, str] = {
    "anti consecutive": "non-consecutive",
    "arrow sum": "arrow",
    "between line": "between",
    "black dot": "ratio 2",
    "black kropki": "ratio 2",
    "box": "boxes",
    "cage": "killer",
    "chaos": "unknown-regions",
    "clones": "clone",
    "consecutive pair": "difference 1",
    "disjoint set": "disjoint-groups",
    "disjoint": "disjoint-groups",
    "dutch whisper": "whisper 4",
    "entropic line": "entropic",
    "entropy line": "entropic",
    "even cell": "even",
    "extra cage": "extra-region",
    "german whisper": "whisper 5",
    "greater than": "greater",
    "hyper sudoku": "windoku",
    "inequality": "greater",
    "irregular": "regions",
    "jigsaw": "regions",
    "killer cage": "killer",
    "king": "anti-king",
    "king's move": "anti-king",
    "knight": "anti-knight",
    "knight's move": "anti-knight",
    "kropki black": "ratio 2",
    "kropki white": "difference 1",
    "lockout line": "lockout",
    "main diagonal": "diagonal-down",
    "modular line": "modular",
    "no repeats": "extra-region",
    "no touching": "anti-king",
    "odd cell": "odd",
    "palindrome line": "palindrome",
    "quad": "contains",
    "quadruple": "contains",
    "renban line": "renban",
    "row indexer": "indexer",
    "sandwich sum": "sandwich",
    "slow thermo": "slow-thermometer",
    "sudoku x": "diagonal",
    "taxicab": "anti-taxicab",
    "thermo": "thermometer",
    "v": "pair-sum 5",
    "whisper line": "whisper",
    "white dot": "difference 1",
    "white kropki": "difference 1",
    "window": "windoku",
    "x": "pair-sum 10",
    "x sudoku": "diagonal",
    "zipper line": "zipper",
}
"""What people and other programs call constraints: the name here, and the numbers that are meant where none are
given. Case, plurals, hyphens and spaces make no difference, here and in names."""

NEAR: Mapping[str, tuple[str, ...]] = {
    "kropki": ("kropki white", "kropki black"),
    "region sum line": ("equal-sums",),
    "segmented sum": ("equal-sums",),
    "xv": ("x", "v"),
}
"""Names that say too little to be a constraint, and those that they may stand for."""

_HEAD = re.compile(r"[A-Za-z]+(?:'s)?(?:[-_ \t]+[A-Za-z]+(?:'s)?)*(?![A-Za-z0-9])")
_WORD = re.compile("[a-z]+")
_UNTELLING = {"no", "with", "x", "v", "sudoku"}
"""Words of names that begin titles too."""
_LONGEST_PROBLEM = 300
_LONGEST_NAME = 40
_MOST_WORDS = 10
"""Of a name: a line may be a megabyte of words."""


def read_constraint(text: str, board: Board) -> Constraint:
    """The constraint of a line of our text form, as `killer 15: r1c1 r1c2`; a straight run may be written `r1c1-r1c4`.

    Raises `RuleError`, which says what is wrong with the text.
    """
    name, rest = named(text)
    kind = CONSTRAINTS.get(name)
    if kind is None:
        raise unknown_rule(text)
    numbers, _, tail = rest.partition(":")
    try:
        made = kind(**read_fields(kind, numbers, tail.strip(), board, partial(read_constraint, board=board)))
        refuse_constraint(made, board)
    except UsageError as error:
        problem = str(error)
        if len(problem) > _LONGEST_PROBLEM:
            problem = f"{problem[:_LONGEST_PROBLEM]}…"
        raise RuleError(text, problem, f"a line such as {kind.example!r}") from None
    return made


def named(text: str) -> tuple[str, str]:
    """The name of the constraint that a line begins with, and the rest of the line; "" where it begins with none.

    `German Whispers: r1c1-r1c3` is `whisper` and ` 5: r1c1-r1c3`.
    """
    text = text.lstrip(" \t")
    found = _HEAD.match(text)
    words = list(_WORD.finditer(found.group().lower())) if found else []
    # `2 x 3` may follow a name, other words do not
    ends = [len(words), *(count for count, word in enumerate(words[:_MOST_WORDS]) if word.group() == "x")]
    for count in (count for count in ends if count <= _MOST_WORDS):
        meant = _meaning().get("".join(_singular(word.group()) for word in words[:count]))
        if meant is not None:
            name, _, numbers = meant.partition(" ")
            rest = text[words[count - 1].end() :]
            given = rest.partition(":")[0].strip()
            return name, rest if given or not numbers else f" {numbers}{rest}"
    return "", text


def begins_with_name(text: str) -> bool:
    """Whether a line begins with a name of a constraint, or with one word of one."""
    found = _HEAD.match(text)
    if not found:
        return False
    first = _WORD.findall(found.group().lower())[0]
    return (first not in _UNTELLING and _singular(first) in _words()) or named(text)[0] not in ("", "pair-sum")


def aliases_of(name: str) -> list[str]:
    """What a constraint is called besides its name."""
    return [alias for alias, meant in ALIASES.items() if meant.partition(" ")[0] == name]


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 1 else word


@lru_cache(maxsize=1)
def _meaning() -> Mapping[str, str]:
    """Names and aliases without hyphens, spaces and plurals, and what they stand for."""
    meanings = {**ALIASES, **{name: name for name in CONSTRAINTS}}
    return {"".join(map(_singular, _WORD.findall(name))): meant for name, meant in meanings.items()}


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """The words of all names."""
    words = (word for name in (*CONSTRAINTS, *ALIASES, *NEAR) for word in _WORD.findall(name))
    return frozenset(_singular(word) for word in words if word not in _UNTELLING)


def unknown_rule(text: str) -> RuleError:
    """The error for a line that does not begin with the name of a constraint; it names the nearest."""
    found = _HEAD.match(text)
    name = (found.group() if found else text.partition(":")[0].strip())[:_LONGEST_NAME]
    words = {_singular(word) for word in _WORD.findall(name.lower())} - _UNTELLING
    known = (*CONSTRAINTS, *ALIASES)
    vague = [meant for vague, names in NEAR.items() if words >= set(_WORD.findall(vague)) for meant in names]
    near = [other for other in known if words & set(map(_singular, _WORD.findall(other)))]
    near += get_close_matches(name.lower(), known, 3)
    # one name for each constraint
    unique: dict[str, str] = {}
    for other in near:
        unique.setdefault(ALIASES.get(other, other).partition(" ")[0], other)
    expected = " or ".join(map(repr, (vague or [*unique.values()])[:3]))
    return RuleError(
        text, f"no constraint is called {name!r}", expected or "one that `ringdoku list constraints` lists"
    )
