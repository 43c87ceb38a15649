"""Every named constraint by its name in our text form, in one table, and the rules of a puzzle as lines of text: its
board, and how its rules differ from those of classic sudoku.

Without any line the rules are classic: rows, columns, and square boxes where the side of the board is a square number.
`boxes 2x3` asks for other boxes. `no boxes` takes them away, `no lines` rows and columns. `regions: …` replace the
boxes, unless a line asks for boxes too. `board 4x7 digits 0-6` is for a board that is not n×n with the digits 1..n. Any
other line adds the constraint of its name; `windoku` and `disjoint-groups` alone are of the size of square boxes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import isqrt

from ringdoku.constraints import digits, lines, logic, outside, pairs, regions, sums, unknown
from ringdoku.domain import Board, Boxes, Constraint, Lines, RuleError, Ruleset, UsageError, classic, write_constraint
from ringdoku.domain import constraint as base
from ringdoku.domain.constraint import OfBoxes, read_fields
from ringdoku.domain.errors import nearest, refuse

CONSTRAINTS: Mapping[str, type[Constraint]] = {
    found.text: found
    for module in (base, regions, sums, lines, pairs, digits, outside, logic, unknown)
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
    "diagonal": ("both diagonals", "sudoku x", "x sudoku"),
    "diagonal-down": ("main diagonal", "negative diagonal"),
    "diagonal-up": ("positive diagonal",),
    "difference 1": ("consecutive pair", "kropki white", "white dot", "white kropki"),
    "disjoint-groups": ("disjoint", "disjoint set"),
    "entropic": ("entropic line", "entropy line"),
    "equal-sums": ("region sum", "region sum line"),
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

# at most ten words: a line may be a megabyte of them; and no row of letters and dots, such as `nons.A7`
_HEAD = re.compile(r"[A-Za-z]+(?:'s)?(?:[-_ \t]+[A-Za-z]+(?:'s)?){0,9}(?!\.*[A-Za-z0-9])")
_WORD = re.compile("[a-z]+")


def read_constraint(text: str, board: Board) -> Constraint:
    """The constraint of a line of our text form, as `killer 15: r1c1 r1c2`; a straight run may be written `r1c1-r1c4`.
    Whether it makes sense on the board is not asked. Raises `RuleError`, which says what is wrong with the text."""
    name, rest = named(text)
    kind = CONSTRAINTS.get(name)
    if kind is None:
        raise unknown_rule(text)
    numbers, _, cells = rest.partition(":")
    side = isqrt(board.order)
    # what `boxes` means is asked before the board is known
    if issubclass(kind, OfBoxes) and kind is not Boxes and not rest.strip(": \t") and side * side == board.order:
        numbers = f"{side}x{side}"
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
        meant = _MEANINGS.get(_plain(word.group() for word in words[:count]))
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
    return _singular(first) in _TELLING_WORDS or named(text)[0] not in ("", "pair-sum")


def aliases_of(name: str) -> list[str]:
    """What a constraint is called besides its name."""
    return sorted(alias for alias, meant in ALIASES.items() if meant.partition(" ")[0] == name)


def unknown_rule(text: str) -> RuleError:
    """The error for a line that does not begin with the name of a constraint; it names those that are near."""
    found = _HEAD.match(text)
    name = found.group() if found else text.partition(":")[0].strip()
    expected = " or ".join(map(repr, nearest(name.lower(), (*CONSTRAINTS, *ALIASES))))
    return RuleError(text, f"no constraint is called {name!r}", expected or "one of `ringdoku list constraints`")


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 1 else word


def _plain(words: Iterable[str]) -> str:
    return "".join(map(_singular, words))


_MEANINGS = {_plain(_WORD.findall(name)): ALIASES.get(name, name) for name in (*ALIASES, *CONSTRAINTS)}
"""Names and aliases without hyphens, spaces and plurals, and what they stand for."""

_TELLING_WORDS = {*map(_singular, _WORD.findall(" ".join((*CONSTRAINTS, *ALIASES))))}
_TELLING_WORDS -= {"no", "with", "x", "v", "sudoku", "both", "positive", "negative"}
"""The words of names that titles do not begin with."""


# the rules of a puzzle

BOARD = "board 4x7 digits 0-6"
"""An example of the line for a board."""

_ORDINAL = re.compile(r"#?[0-9]+\W*")
_TELLING = re.compile(r":[ \t]*[^ \t]|(?<![\w.])[rR][0-9]+[cC][0-9]+\b")
"""What only lines of the text form have: something after a colon, or a cell that is no part of such a row."""
_BOARD = re.compile(
    r"board[ \t]+([0-9]{1,4})[ \t]*[x×][ \t]*([0-9]{1,4})"
    r"(?:[ \t]+digits[ \t]+(-?[0-9]{1,4})[ \t]*-[ \t]*(-?[0-9]{1,4}))?(?:[ \t]+extra((?:[ \t]+[^ \t,:;|{}]+)+))?",
    re.IGNORECASE,
)


def is_rule(text: str) -> bool:
    """Whether a line is one of our text form, well-formed or not, as opposed to a title. It is one if it names a cell,
    has a colon, or begins with a word of a constraint's name; or if it states a board or leaves something out."""
    word, _, rest = text.lower().replace("-", " ", 1).partition(" ")
    rest = rest.strip(" \t")
    if word == "board":
        return not _ORDINAL.fullmatch(rest)
    leaves_out = word == "no" and (rest.startswith("column") or begins_with_name(rest))
    return leaves_out or bool(_TELLING.search(text)) or begins_with_name(text)


def _kind(text: str) -> str:
    """What a line states: `board`, `no boxes`, `no lines`, the name of a constraint, or something else that it leaves
    out, `no`; "" for none of these."""
    first, *others = re.split("[ :-]+", text.strip().lower(), maxsplit=1)
    name = first if first == "board" else named(text)[0]
    if first != "no" or name:
        return name
    left, more = named(others[0]) if others else ("", "")
    return f"no {left}" if left in ("boxes", "lines") and not more else "no"


def _board_of(text: str) -> Board:
    found = _BOARD.fullmatch(text.strip())
    if not found:
        raise RuleError(text, "this is not a board", f"a line such as {BOARD!r}")
    least, greatest = (int(found[3]), int(found[4])) if found[3] else (1, None)
    try:
        return Board(int(found[1]), int(found[2]), least, greatest, tuple((found[5] or "").split()))
    except UsageError as error:
        raise RuleError(text, str(error), f"a line such as {BOARD!r}") from None


def shape_in(texts: Iterable[str]) -> tuple[Board | None, tuple[int, int] | tuple[()] | None]:
    """The board that lines of the text form state, None if there is none. Height and width of the boxes that they
    state; () if they remove boxes, as `no boxes` and `regions: …` do; None if they do not mention boxes. Raises
    `RuleError` for a line that is wrong on every board."""
    board: Board | None = None
    boxes: tuple[int, int] | tuple[()] | None = None
    for text in texts:
        match _kind(text):
            case "":
                raise unknown_rule(text)
            case "board":
                found = _board_of(text)
                if board not in (None, found):
                    raise RuleError(text, f"there is a board of {board} too", "one board")
                board = found
            case "boxes":
                # whether they fill the board is asked when it is known
                rule = read_constraint(text, Board.square(1))
                assert isinstance(rule, Boxes)
                boxes = rule.height, rule.width
                if min(boxes) < 1:
                    raise RuleError(text, "a box has at least one cell", f"a line such as {Boxes.example!r}")
            case "no boxes":
                boxes = ()
            case "regions":
                boxes = boxes or ()
    return board, boxes


def with_rules(ruleset: Ruleset, texts: Sequence[str]) -> Ruleset:
    """The given rules, changed by lines of the text form. Raises `RuleError` for a line that is wrong."""
    return _with_rules(ruleset, tuple(texts)) if texts else ruleset


# the rules of an option are the same for every puzzle, and one object for equal rules saves time
@lru_cache(maxsize=64)
def _with_rules(ruleset: Ruleset, texts: tuple[str, ...]) -> Ruleset:
    board = ruleset.board
    # without repeats, and in order
    kept = dict.fromkeys(ruleset.constraints)
    for text in texts:
        match _kind(text):
            case "board":
                if _board_of(text) != board:
                    raise RuleError(text, f"the puzzle has a board of {board}", "the same")
            case "no boxes":
                kept = _without(Boxes, kept)
            case "no lines":
                kept = _without(Lines, kept)
            case "no":
                raise RuleError(text, "this cannot be left out", "'no boxes' or 'no lines'")
            case _:
                rule = read_constraint(text, board)
                try:
                    Ruleset(board, (rule,))
                except UsageError as error:
                    # its example may be of a size that fits another board
                    example = "another size" if isinstance(rule, OfBoxes) else f"a line such as {type(rule).example!r}"
                    raise RuleError(text, str(error), example) from None
                if isinstance(rule, Boxes):
                    # after the lines, so that equal rules have the same order
                    first = [Lines()] if Lines() in kept else []
                    kept = dict.fromkeys((*first, rule, *_without(Boxes, kept)))
                kept[rule] = None
    made = Ruleset(board, tuple(_without(Boxes, kept) if shape_in(texts)[1] == () else kept))
    return classic(board.order, made.classic_box) if made.classic_box else made


def _without(kind: type[Constraint], rules: Iterable[Constraint]) -> dict[Constraint, None]:
    return dict.fromkeys(rule for rule in rules if not isinstance(rule, kind))


def write_board(board: Board) -> str:
    """A board as in its line, without the word `board`: `4x7 digits 0-6`."""
    usual = board.least == 1 and board.order == max(board.rows, board.columns)
    digits = "" if usual else f" digits {board.least}-{board.greatest}"
    extra = f" extra {' '.join(board.extra)}" if board.extra else ""
    return f"{board.rows}x{board.columns}{digits}{extra}"


def write_rules(ruleset: Ruleset) -> list[str]:
    """The lines that state these rules on their board; none for classic rules with square boxes. Raises `UsageError`
    for boxes of two shapes, which the text form cannot state."""
    board, rules = ruleset.board, ruleset.constraints
    boxes = [rule for rule in rules if isinstance(rule, Boxes)]
    refuse(len(boxes) > 1, "the text form has no line for boxes of two shapes")
    jigsaw = any(isinstance(rule, regions.Regions) for rule in rules)
    found = [] if any(isinstance(rule, Lines) for rule in rules) else ["no lines"]
    side = isqrt(board.columns)
    usual = Boxes(side, side) if board.rows == board.columns == side * side else None
    if boxes and (jigsaw or boxes[0] != usual):
        found.append(write_constraint(boxes[0], board))
    elif not boxes and not jigsaw and board.rows == board.columns:
        found.append("no boxes")
    return found + [write_constraint(rule, board) for rule in ruleset.special]
