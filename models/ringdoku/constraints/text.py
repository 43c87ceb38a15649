"""The rules of a puzzle as lines of text: its board, and how its rules differ from those of classic sudoku.

Without any line the rules are classic: rows, columns, and square boxes where the side of the board is a square number.
`boxes 2x3` asks for other boxes. `no boxes` takes them away, `no lines` rows and columns. `regions: …` replace the
boxes, unless a line asks for boxes too. `board 4x7 digits 0-6` is for a board that is not n×n with the digits 1..n. Any
other line adds the constraint of its name.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isqrt

from ringdoku.constraints.regions import Regions
from ringdoku.constraints.registry import begins_with_name, named, read_constraint, unknown_rule
from ringdoku.domain import Board, Boxes, Constraint, Lines, RuleError, Ruleset, UsageError, classic, write_constraint

BOARD = "board 4x7 digits 0-6"
"""An example of the line for a board."""

_LEFT_OUT = ("box", "boxes", "line", "lines", "row", "rows", "column", "columns", "region", "regions")
_ORDINAL = re.compile(r"#?[0-9]+\W*")
_TELLING = re.compile(r":[ \t]*[^ \t]|\b[rR][0-9]+[cC][0-9]+\b")
"""What only lines of the text form have: something after a colon, or a cell."""
_BOARD = re.compile(
    r"board[ \t]+([0-9]{1,4})[ \t]*[x×][ \t]*([0-9]{1,4})"
    r"(?:[ \t]+digits[ \t]+(-?[0-9]{1,4})[ \t]*-[ \t]*(-?[0-9]{1,4}))?(?:[ \t]+extra((?:[ \t]+[^ \t,:;|{}]+)+))?",
    re.IGNORECASE,
)


def is_rule(text: str) -> bool:
    """Whether a line is one of our text form, well-formed or not, as opposed to a title. It is one if it names a cell,
    has a colon, or begins with a word of a constraint's name; or if it states a board or leaves something out."""
    word, _, rest = text.lower().partition(" ")
    rest = rest.strip(" \t")
    if word == "board":
        return not _ORDINAL.fullmatch(rest)
    if word == "no" and (re.split("[ \t:]", rest, maxsplit=1)[0] in _LEFT_OUT or begins_with_name(rest)):
        return True
    return bool(_TELLING.search(text)) or begins_with_name(text)


def _kind(text: str) -> str:
    """What a line states: `board`, `no boxes`, `no lines`, the name of a constraint, or something else that it leaves
    out, `no`; "" for none of these."""
    words = " ".join(text.lower().split())
    first = re.split("[ :]", words, maxsplit=1)[0]
    if first == "board" or words in ("no boxes", "no lines"):
        return first if first == "board" else words
    return named(text)[0] or ("no" if first == "no" else "")


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
                rule = _alone(text, board)
                if isinstance(rule, Boxes):
                    # after the lines, so that equal rules have the same order
                    first = [Lines()] if Lines() in kept else []
                    kept = dict.fromkeys((*first, rule, *_without(Boxes, kept)))
                kept[rule] = None
    made = Ruleset(board, tuple(_without(Boxes, kept) if shape_in(texts)[1] == () else kept))
    return classic(board.order, made.classic_box) if made.classic_box else made


def _without(kind: type[Constraint], rules: Iterable[Constraint]) -> dict[Constraint, None]:
    return dict.fromkeys(rule for rule in rules if not isinstance(rule, kind))


def _alone(text: str, board: Board) -> Constraint:
    rule = read_constraint(text, board)
    try:
        Ruleset(board, (rule,))
    except UsageError as error:
        raise RuleError(text, str(error), f"a line such as {type(rule).example!r}") from None
    return rule


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
    if len(boxes) > 1:
        raise UsageError("the text form has no line for boxes of two shapes")
    regions = any(isinstance(rule, Regions) for rule in rules)
    lines = [] if any(isinstance(rule, Lines) for rule in rules) else ["no lines"]
    side = isqrt(board.columns)
    usual = Boxes(side, side) if board.rows == board.columns == side * side else None
    if boxes and (regions or boxes[0] != usual):
        lines.append(write_constraint(boxes[0], board))
    elif not boxes and not regions and board.rows == board.columns:
        lines.append("no boxes")
    return lines + [write_constraint(rule, board) for rule in rules if not isinstance(rule, (Lines, Boxes))]
