"""The types that all other rooms use: boards, grids, puzzles and their rules, objectives, results and errors. To read
first: `board`, `grid`, `constraint`, `primitives`, `ruleset`. Rows, marks and the checker are imported by module."""

# ruff: noqa: F401  these are the public names of the domain
from ringdoku.domain.board import MAX_ORDER, Board
from ringdoku.domain.constraint import (
    Boxes,
    Cell,
    Cells,
    Constraint,
    Digits,
    Edges,
    Groups,
    House,
    Lines,
    OfBoxes,
    OfCells,
    write_constraint,
)
from ringdoku.domain.errors import (
    LARGEST_EXACT,
    BackendError,
    DimensionError,
    DisagreementError,
    InputError,
    Place,
    RingdokuError,
    RuleError,
    TimeLimitError,
    UsageError,
    WorkerDiedError,
    counted,
    expect,
    perhaps,
    refuse,
    refusing,
    shortened,
    whole_number,
    whole_numbers,
)
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, gains_of, is_by_cell, ring_weights
from ringdoku.domain.primitives import (
    AllDifferent,
    Allowed,
    Count,
    Diagram,
    Linear,
    OneOf,
    Primitive,
    Relation,
    diagram,
    grouped,
    pairs_of,
    related,
)
from ringdoku.domain.result import Result, Status, word_in
from ringdoku.domain.ruleset import Puzzle, Ruleset, box_shapes, classic, is_cage, pattern_solution, plain_rules
