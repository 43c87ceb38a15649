"""Every named constraint by its name in our text form, in one table, and the reader of the text form."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, partial

from ringdoku.constraints import digits, lines, logic, outside, pairs, regions, sums, unknown
from ringdoku.domain import Board, RuleError, UsageError
from ringdoku.domain import constraint as base
from ringdoku.domain.constraint import Constraint, read_fields
from ringdoku.domain.errors import nearest

FAMILIES = (base, regions, sums, lines, pairs, digits, outside, logic, unknown)
"""The modules of constraints."""

CONSTRAINTS: Mapping[str, type[Constraint]] = {
    found.text: found
    for module in FAMILIES
    for found in vars(module).values()
    if isinstance(found, type) and issubclass(found, Constraint) and "example" in vars(found)
}
"""Every named constraint by its name."""

LISTED: Mapping[str, type[Constraint]] = {name: kind for name, kind in CONSTRAINTS.items() if kind.listed}
"""Those that people write."""

ALSO: Mapping[str, tuple[str, ...]] = {
    "anti-king": ("king", "king's move", "no touching"),
    "anti-knight": ("knight", "knight's move"),
    "anti-taxicab": ("taxicab",),
    "arrow": ("arrow sum",),
    "between": ("between line",),
    "boxes": ("box",),
    "clone": ("clones",),
    "contains": ("quad", "quadruple"),
    "diagonal": ("sudoku x", "x sudoku"),
    "diagonal-down": ("main diagonal",),
    "difference 1": ("consecutive pair", "kropki white", "white dot", "white kropki"),
    "disjoint-groups": ("disjoint", "disjoint set"),
    "entropic": ("entropic line", "entropy line"),
    "even": ("even cell",),
    "extra-region": ("extra cage", "no repeats"),
    "greater": ("greater than", "inequality"),
    "indexer": ("row indexer",),
    "killer": ("cage", "killer cage"),
    "lockout": ("lockout line",),
    "modular": ("modular line",),
    "non-consecutive": ("anti consecutive",),
    "odd": ("odd cell",),
    "pair-sum 5": ("v",),
    "pair-sum 10": ("x",),
    "palindrome": ("palindrome line",),
    "ratio 2": ("black dot", "black kropki", "kropki black"),
    "regions": ("irregular", "jigsaw"),
    "renban": ("renban line",),
    "sandwich": ("sandwich sum",),
    "slow-thermometer": ("slow thermo",),
    "thermometer": ("thermo",),
    "unknown-regions": ("chaos",),
    "whisper": ("whisper line",),
    "whisper 4": ("dutch whisper",),
    "whisper 5": ("german whisper",),
    "windoku": ("hyper sudoku", "window"),
    "zipper": ("zipper line",),
}
"""What people and other programs call constraints besides their names, with the numbers that are meant where none are
given. Case, plurals, hyphens and spaces make no difference, here and in names."""

ALIASES: Mapping[str, str] = {alias: meant for meant, names in ALSO.items() for alias in names}

# at most ten words: a line may be a megabyte of them
_HEAD = re.compile(r"[A-Za-z]+(?:'s)?(?:[-_ \t]+[A-Za-z]+(?:'s)?){0,9}(?![A-Za-z0-9])")
_WORD = re.compile("[a-z]+")
_UNTELLING = {"no", "with", "x", "v", "sudoku"}
"""Words of names that begin titles too."""


def read_constraint(text: str, board: Board) -> Constraint:
    """The constraint of a line of our text form, as `killer 15: r1c1 r1c2`; a straight run may be written `r1c1-r1c4`.
    Whether it makes sense on the board is not asked. Raises `RuleError`, which says what is wrong with the text."""
    name, rest = named(text)
    kind = CONSTRAINTS.get(name)
    if kind is None:
        raise unknown_rule(text)
    numbers, _, cells = rest.partition(":")
    try:
        return kind(**read_fields(kind, numbers, cells.strip(), board, partial(read_constraint, board=board)))
    except UsageError as error:
        raise RuleError(text, str(error), f"a line such as {kind.example!r}") from None


def named(text: str) -> tuple[str, str]:
    """The name of the constraint that a line begins with, and the rest of the line; "" where it begins with none.
    `German Whispers: r1c1-r1c3` is `whisper` and ` 5: r1c1-r1c3`."""
    text = text.lstrip(" \t")
    found = _HEAD.match(text)
    words = list(_WORD.finditer(found.group().lower())) if found else []
    # `2 x 3` may follow a name, other words do not
    for count in (len(words), *(count for count, word in enumerate(words) if word.group() == "x")):
        meant = _meanings().get(_plain(word.group() for word in words[:count]))
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
    return _singular(first) in _telling_words() or named(text)[0] not in ("", "pair-sum")


def aliases_of(name: str) -> list[str]:
    """What a constraint is called besides its name."""
    return sorted(alias for alias, meant in ALIASES.items() if meant.partition(" ")[0] == name)


def unknown_rule(text: str) -> RuleError:
    """The error for a line that does not begin with the name of a constraint; it names those that are near."""
    found = _HEAD.match(text)
    name = found.group() if found else text.partition(":")[0].strip()
    expected = " or ".join(map(repr, nearest(name.lower(), (*CONSTRAINTS, *ALIASES))))
    return RuleError(
        text, f"no constraint is called {name!r}", expected or "one that `ringdoku list constraints` lists"
    )


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 1 else word


def _plain(words: Iterable[str]) -> str:
    return "".join(map(_singular, words))


def _telling(name: str) -> set[str]:
    """The words of a name that titles do not begin with."""
    return set(map(_singular, _WORD.findall(name.lower()))) - _UNTELLING


@cache
def _meanings() -> Mapping[str, str]:
    """Names and aliases without hyphens, spaces and plurals, and what they stand for."""
    return {_plain(_WORD.findall(name)): ALIASES.get(name, name) for name in (*ALIASES, *CONSTRAINTS)}


@cache
def _telling_words() -> frozenset[str]:
    return frozenset().union(*map(_telling, (*CONSTRAINTS, *ALIASES)))
