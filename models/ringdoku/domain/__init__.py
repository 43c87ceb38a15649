"""What everything else speaks of: boards, grids, puzzles and their rules, objectives, results and errors. Primitives,
constraints, rows and the checker are modules of their own."""

from ringdoku.domain.board import MAX_ORDER as MAX_ORDER
from ringdoku.domain.board import Board as Board
from ringdoku.domain.errors import BackendError as BackendError
from ringdoku.domain.errors import DimensionError as DimensionError
from ringdoku.domain.errors import DisagreementError as DisagreementError
from ringdoku.domain.errors import InputError as InputError
from ringdoku.domain.errors import LinkError as LinkError
from ringdoku.domain.errors import MissingPackageError as MissingPackageError
from ringdoku.domain.errors import Place as Place
from ringdoku.domain.errors import RingdokuError as RingdokuError
from ringdoku.domain.errors import RuleError as RuleError
from ringdoku.domain.errors import TimeLimitError as TimeLimitError
from ringdoku.domain.errors import UsageError as UsageError
from ringdoku.domain.errors import WorkerDiedError as WorkerDiedError
from ringdoku.domain.errors import perhaps as perhaps
from ringdoku.domain.errors import shortened as shortened
from ringdoku.domain.grid import Grid as Grid
from ringdoku.domain.objective import Objective as Objective
from ringdoku.domain.objective import Sense as Sense
from ringdoku.domain.objective import gains_of as gains_of
from ringdoku.domain.objective import is_by_cell as is_by_cell
from ringdoku.domain.objective import ring_weights as ring_weights
from ringdoku.domain.puzzle import Puzzle as Puzzle
from ringdoku.domain.result import Result as Result
from ringdoku.domain.result import Status as Status
from ringdoku.domain.ruleset import Ruleset as Ruleset
from ringdoku.domain.ruleset import box_shapes as box_shapes
from ringdoku.domain.ruleset import classic as classic
from ringdoku.domain.ruleset import is_cage as is_cage
from ringdoku.domain.ruleset import plain_rules as plain_rules
