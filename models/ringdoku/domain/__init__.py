"""What everything else speaks of: boards, grids, puzzles and their rules, objectives, results and errors. Rows, marks
and the checker are modules of their own."""

# ruff: noqa: F403  this is the door of the domain
from ringdoku.domain.board import *
from ringdoku.domain.constraint import *
from ringdoku.domain.errors import *
from ringdoku.domain.grid import *
from ringdoku.domain.objective import *
from ringdoku.domain.primitives import *
from ringdoku.domain.result import *
from ringdoku.domain.ruleset import *
