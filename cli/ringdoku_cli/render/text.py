"""Answers as programs compare them: grids in a text layout, scores, lines of JSON, and those of the SAT Competition."""

from __future__ import annotations

import json
from textwrap import wrap

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result, Status
from ringdoku.text import Entry, layout_named
from ringdoku.text.layout import rule_keys
from ringdoku.text.stated import BY_THE_WORD_OF, NO_SOLUTION, UNKNOWN
from ringdoku_cli.messages import printable


class Text:
    """Renders in `layout`, a name of `ringdoku.text.OUTPUTS`, or the score alone without one; with an objective the
    score comes first.

    Blank lines separate the answers where they separate the puzzles, and with `groups` those of several puzzles.
    """

    def __init__(self, layout: str | None, groups: bool = False) -> None:
        self._layout = layout
        self._groups = groups
        self._first = True

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None) -> str:
        ruleset = entry.puzzle.ruleset
        layout = layout_named(self._layout, ruleset, entry.layout) if self._layout else None
        begins = self._groups and result.rank == 1
        text = "\n" if not self._first and (begins or (layout and layout.gap)) else ""
        self._first = False
        if objective or not layout:
            text += score_line(result)
        elif result.grid is None:
            text += (
                f"{NO_SOLUTION}{by_word(result.word_of)}\n" if result.status is Status.INFEASIBLE else f"{UNKNOWN}\n"
            )
        return text + (f"{layout.render(result.grid, ruleset)}\n" if layout and result.grid else "")


def score_line(result: Result) -> str:
    """The score alone; -1 without a solution, as in NOIP 2009 "target sudoku" (Luogu P1074)."""
    without = "-1" if result.status is Status.INFEASIBLE else UNKNOWN
    return f"{without if result.score is None else result.score}\n"


def render_bound(_entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """The bound alone, whatever is known of solutions."""
    return f"{result.bound}\n" if result.bound is not None else score_line(result)


def by_word(word_of: str) -> str:
    """What to write after a statement that rests on the word of a program; empty where there is none."""
    return f"{BY_THE_WORD_OF}{printable(word_of)}" if word_of else ""


def render_json(entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """One object on a line, always with the same keys: `name` and `place` of the puzzle, `box` [height, width] or null,
    `board` as a text or null where it is n×n with 1..n, `rules` in our text form, none where they are classic,
    `status`, `grid` as a list of rows or null, `score` and `bound` (null where there is none), `backend`, `word_of`
    (the program whose word alone stands for infeasible, else null), and `seconds` of wall-clock time; on a board with
    extra cells also `extra`, their digits by their names."""
    ruleset = entry.puzzle.ruleset
    record = {
        "name": entry.name,
        "place": str(entry.place),
        "box": ruleset.box and list(ruleset.box),
        **rule_keys(ruleset, result.grid),
        "status": result.status.value,
        "grid": result.grid and result.grid.rows,
        "score": result.score,
        "bound": result.bound,
        "backend": result.backend,
        "word_of": result.word_of or None,
        "seconds": round(result.seconds, 6),
    }
    return json.dumps(record) + "\n"


def render_competition(entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """The `c`, `s` and `v` lines of the SAT Competition. Variable cell·n + place, cells from 0, says that the cell has
    the digit at the place, from 1."""
    board = entry.puzzle.board
    n, from_one = board.order, 1 - board.least
    digit = f"digit {'+' if from_one > 0 else '-'} {abs(from_one)}" if from_one else "digit"
    answer = {Status.SATISFIABLE: "SATISFIABLE", Status.INFEASIBLE: "UNSATISFIABLE"}.get(result.status, "UNKNOWN")
    lines = [
        f"c {printable(str(entry.place))} {printable(entry.name)}".rstrip(),
        f"c backend {result.backend}, {result.seconds:.6f} s",
        "c a variable is true when its cell holds its digit; row and column are from 0",
        f"c variable = (row*{board.columns} + column)*{n} + {digit}",
    ]
    if result.word_of:
        lines.append(f"c no proof was checked: the answer is the word of {printable(result.word_of)}")
    lines.append(f"s {answer}")
    if result.grid is not None:
        held = {cell * n + board.digits.index(digit) + 1 for cell, digit in enumerate(result.grid.digits)}
        literals = [var if var in held else -var for var in range(1, n * len(result.grid.digits) + 1)]
        lines += wrap(" ".join(map(str, [*literals, 0])), 78, initial_indent="v ", subsequent_indent="v ")
    return "".join(f"{line}\n" for line in lines)
