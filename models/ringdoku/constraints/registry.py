"""Every named constraint by its name in our text form, in one table; then reading and writing the rules of a puzzle as
lines of text: its board, and how its rules differ from those of classic sudoku.

Without any line the rules are classic: rows, columns, and square boxes where the side of the board is a square number.
`boxes 2x3` asks for other boxes. `no boxes` takes them away, `no lines` rows and columns. `regions: …` replace the
boxes, unless a line asks for boxes too. `board 4x7 digits 0-6` is for a board that is not n×n with the digits 1..n. Any
other line adds the constraint of its name; `windoku` and `disjoint-groups` alone are of the size of square boxes.
"""

import re
from collections.abc import Iterable, Mapping
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
"""The constraints that people write, as opposed to those that only programs state."""

ALIASES_OF: Mapping[str, tuple[str, ...]] = {
    "anti-king": ("king", "king's move", "no touching"),
    "anti-knight": ("knight", "knight's move"),
    "anti-taxicab": ("taxicab",),
    "arrow": ("arrow sum",),
    "between": ("between line",),
    "boxes": ("box",),
    "clone": ("clones",),
    "contains": ("quad", "quadruple"),
    "diagonal": ("both diagonals", "main diagonals", "sudoku x", "x sudoku"),
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
"""The aliases of each constraint, by its name, followed by the numbers that an alias without numbers stands for: `x` is
`pair-sum 10`. Case, hyphens, spaces and plurals make no difference, except where both are here: `main diagonals`."""

ALIASES: Mapping[str, str] = {alias: meant for meant, names in ALIASES_OF.items() for alias in names}

# at most ten words, since a line may have a megabyte of them, and not a row of letters and dots such as `nons.A7`
_HEAD = re.compile(r"[A-Za-z]+(?:'s)?(?:[-_ \t]+[A-Za-z]+(?:'s)?){0,9}(?!\.*[A-Za-z0-9])")
_WORD = re.compile("[a-z]+")


def read_constraint(text: str, board: Board) -> Constraint:
    """The constraint of a line of our text form, as `killer 15: r1c1 r1c2`; a straight run may be written `r1c1-r1c4`.
    Raises `RuleError` for a malformed line; whether the constraint makes sense on the board is not checked."""
    name, rest = split_name(text)
    kind = CONSTRAINTS.get(name)
    if kind is None:
        raise unknown_rule_error(text)
    numbers, _, cells = rest.partition(":")
    side = isqrt(board.order)
    # `boxes` must have its numbers, since it is read before the board is known
    if issubclass(kind, OfBoxes) and kind is not Boxes and not rest.strip(": \t") and side * side == board.order:
        numbers = f"{side}x{side}"
    try:
        return kind(**read_fields(kind, numbers, cells.strip(), board, partial(read_constraint, board=board)))
    except UsageError as error:
        raise RuleError(text, str(error), f"a line such as {kind.example!r}") from None


def split_name(text: str) -> tuple[str, str]:
    """The name of the constraint at the beginning of a line, "" if there is none, and the rest of the line: `whisper`
    and ` 5: r1c1-r1c3` for `German Whispers: r1c1-r1c3`."""
    text = text.lstrip(" \t")
    found = _HEAD.match(text)
    words = list(_WORD.finditer(found.group().lower())) if found else []
    # `2 x 3` may follow a name, other words do not
    for count in (len(words), *(count for count, word in enumerate(words) if word.group() == "x")):
        named = [word.group() for word in words[:count]]
        if meant := _MEANINGS.get("".join(named)) or _MEANINGS.get(_normalised(named)):
            name, _, numbers = meant.partition(" ")
            rest = text[words[count - 1].end() :]
            return name, rest if rest.partition(":")[0].strip() or not numbers else f" {numbers}{rest}"
    return "", text


def begins_with_name(text: str) -> bool:
    """Whether a line begins with a constraint's name, or with a word of such a name."""
    found = _HEAD.match(text)
    if not found:
        return False
    first = _WORD.findall(found.group().lower())[0]
    return _singular(first) in _FIRST_WORDS or split_name(text)[0] not in ("", "pair-sum")


def unknown_rule_error(text: str) -> RuleError:
    """The error for a line that does not begin with the name of a constraint; it suggests similar names."""
    if _NEGATIVE.fullmatch(text):
        return RuleError(text, "here it has other names", "'no-ratio 2', 'no-difference 1' or 'no-pair-sum 5 10'")
    found = _HEAD.match(text)
    name = found.group() if found and not text[found.end() :][:1].isalpha() else text.partition(":")[0].strip()
    expected = " or ".join(map(repr, nearest(name.lower(), (*CONSTRAINTS, *ALIASES))))
    return RuleError(text, f"no constraint is called {name!r}", expected or "one of `ringdoku list constraints`")


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 1 else word


def _normalised(words: Iterable[str]) -> str:
    return "".join(map(_singular, words))


_MEANINGS = {
    form(_WORD.findall(name)): ALIASES.get(name, name)
    for form in (_normalised, "".join)
    for name in (*ALIASES, *CONSTRAINTS)
}
"""The name, perhaps with a number, for each name and alias without hyphens and spaces, with and without plurals."""

_FIRST_WORDS = {*map(_singular, _WORD.findall(" ".join((*CONSTRAINTS, *ALIASES))))}
_FIRST_WORDS -= {"no", "with", "x", "v", "sudoku", "both", "positive", "negative"}
"""The words of names and aliases, except those with which titles begin."""


# the rules of a puzzle

_ORDINAL = re.compile(r"#?[0-9]+\W*")
_RULE_SIGN = re.compile(r":[ \t]*[^ \t]|(?<![\w.])[rR][0-9]+[cC][0-9]+\b")
"""The signs of a line of the text form: text after a colon, or a cell name that is not part of a row of letters."""
_NEGATIVE = re.compile(
    r"\s*(negative[ -]+constraints?|(no|negative)[ -]+(xv|kropki|dots?)|(xv|kropki)[ -]+negative)[.!\s]*", re.IGNORECASE
)
"""What people write for rules that we have by other names, as `no-pair-sum`."""
_BOARD = re.compile(
    r"board[ \t]+([0-9]{1,4})[ \t]*[x×][ \t]*([0-9]{1,4})"
    r"(?:[ \t]+digits[ \t]+(-?[0-9]{1,4})[ \t]*-[ \t]*(-?[0-9]{1,4}))?(?:[ \t]+extra((?:[ \t]+[^ \t,:;|{}]+)+))?",
    re.IGNORECASE,
)


def is_rule(text: str) -> bool:
    """Whether a line is one of our text form, well-formed or not, as opposed to a title. It is one if it names a cell,
    has a colon, or begins with a word of a constraint's name; or if it states a board, leaves something out or asks for
    a negative constraint by a name that is not ours."""
    word, _, rest = text.lower().replace("-", " ", 1).partition(" ")
    rest = rest.strip(" \t")
    if word == "board":
        return not _ORDINAL.fullmatch(rest)
    leaves_out = word == "no" and (rest.startswith("column") or begins_with_name(rest))
    return leaves_out or begins_with_name(text) or bool(_RULE_SIGN.search(text) or _NEGATIVE.fullmatch(text))


def _stated_kind(text: str) -> str:
    """What a line states: `board`, `no boxes`, `no lines`, the name of a constraint, `no` for other removals, or ""."""
    first, *others = re.split("[ :-]+", text.strip().lower(), maxsplit=1)
    name = first if first == "board" else split_name(text)[0]
    if first != "no" or name or _NEGATIVE.fullmatch(text):
        return name
    removed, rest = split_name(others[0]) if others else ("", "")
    return f"no {removed}" if removed in ("boxes", "lines") and not rest else "no"


def _board_of(text: str) -> Board:
    try:
        if not (found := _BOARD.fullmatch(text.strip())):
            raise UsageError("this is not a board")
        least, greatest = (int(found[3]), int(found[4])) if found[3] else (1, None)
        return Board(int(found[1]), int(found[2]), least, greatest, tuple((found[5] or "").split()))
    except UsageError as error:
        raise RuleError(text, str(error), "a line such as 'board 4x7 digits 0-6'") from None


def shape_in(texts: Iterable[str]) -> tuple[Board | None, tuple[int, int] | tuple[()] | None]:
    """The board that lines of the text form state, or None; and the height and width of their boxes, () if they remove
    boxes, as `no boxes` and `regions: …` do, None without either. Raises `RuleError` for what is wrong on any board."""
    board: Board | None = None
    boxes: tuple[int, int] | tuple[()] | None = None
    for text in texts:
        match _stated_kind(text):
            case "":
                raise unknown_rule_error(text)
            case "board":
                found = _board_of(text)
                if board not in (None, found):
                    raise RuleError(text, f"there is a board of {board} too", "one board")
                board = found
            case "boxes":
                # whether they fill the board is checked when it is known
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


# an option adds the same rules to every puzzle; one object for equal rules saves time
@lru_cache(maxsize=64)
def with_rules(ruleset: Ruleset, *texts: str) -> Ruleset:
    """The given rules, changed by lines of the text form. Raises `RuleError` for a line that is wrong."""
    board = ruleset.board
    # an ordered set
    rules = dict.fromkeys(ruleset.constraints)
    for text in texts:
        match _stated_kind(text):
            case "board":
                if _board_of(text) != board:
                    raise RuleError(text, f"the puzzle has a board of {board}", "the same")
            case "no lines":
                rules.pop(Lines(), None)
            case "no boxes":
                continue
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
                rules[rule] = None
    # the last of several lines about boxes counts
    if (boxes := shape_in(texts)[1]) is not None:
        others = [rule for rule in rules if not isinstance(rule, Lines | Boxes)]
        # in this order, so that equal rules are one object
        rules = dict.fromkeys([*([Lines()] if Lines() in rules else []), *([Boxes(*boxes)] if boxes else []), *others])
    changed = Ruleset(board, tuple(rules))
    return classic(board.order, changed.classic_box) if changed.classic_box else changed


def write_board(board: Board) -> str:
    """The line of a board without the word `board`: `4x7 digits 0-6`."""
    usual = board.least == 1 and board.order == max(board.rows, board.columns)
    digits = "" if usual else f" digits {board.least}-{board.greatest}"
    extra = f" extra {' '.join(board.extra)}" if board.extra else ""
    return f"{board.rows}x{board.columns}{digits}{extra}"


def write_rules(ruleset: Ruleset) -> list[str]:
    """The lines that state these rules, apart from the board; none for classic rules with square boxes. Raises
    `UsageError` for boxes of two shapes, which the text form cannot state."""
    board, rules = ruleset.board, ruleset.constraints
    boxes = [rule for rule in rules if isinstance(rule, Boxes)]
    refuse(len(boxes) > 1, "the text form has no line for boxes of two shapes")
    jigsaw = any(isinstance(rule, regions.Regions) for rule in rules)
    found = [] if Lines() in rules else ["no lines"]
    side = isqrt(board.columns)
    usual = Boxes(side, side) if board.rows == board.columns == side * side else None
    if boxes and (jigsaw or boxes[0] != usual):
        found.append(write_constraint(boxes[0], board))
    elif not boxes and not jigsaw and board.rows == board.columns:
        found.append("no boxes")
    return found + [write_constraint(rule, board) for rule in ruleset.special]
