"""Answers as JSON: one object on a line for each answer, always with the same keys."""

from __future__ import annotations

import json

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result
from ringdoku.text import Entry
from ringdoku.text.layout import rule_keys


def render_json(entry: Entry, result: Result, _objective: Objective | None = None) -> str:
    """`name` and `place` of the puzzle, `box` [height, width] or null, `board` as a text or null where it is n×n with
    1..n, `rules` in our text form, none where they are classic, `status`, `grid` as a list of rows or null, `score` and
    `bound` (null where there is none), `backend`, `word_of` (the program whose word alone stands for infeasible, else
    null), and `seconds` of wall-clock time; on a board with extra cells also `extra`, their digits by their names."""
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
