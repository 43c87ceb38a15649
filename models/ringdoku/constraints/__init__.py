"""The named constraints, one file for each family, and the table of all of them. Their classes can be imported from
here by name, `from ringdoku.constraints import Thermometer`, and so can what a class of one's own is made of."""

from ringdoku.constraints.digits import *  # noqa: F403
from ringdoku.constraints.lines import *  # noqa: F403
from ringdoku.constraints.logic import *  # noqa: F403
from ringdoku.constraints.outside import *  # noqa: F403
from ringdoku.constraints.pairs import *  # noqa: F403
from ringdoku.constraints.regions import *  # noqa: F403
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.constraints.sums import *  # noqa: F403
from ringdoku.constraints.unknown import *  # noqa: F403
from ringdoku.domain.constraint import Boxes as Boxes
from ringdoku.domain.constraint import Cell as Cell
from ringdoku.domain.constraint import Cells as Cells
from ringdoku.domain.constraint import Constraint as Constraint
from ringdoku.domain.constraint import Digits as Digits
from ringdoku.domain.constraint import Groups as Groups
from ringdoku.domain.constraint import House as House
from ringdoku.domain.constraint import Lines as Lines
from ringdoku.domain.constraint import OfCells as OfCells
from ringdoku.domain.constraint import Pairs as Pairs

__all__ = [kind.__name__ for kind in CONSTRAINTS.values()]


def __dir__() -> list[str]:
    return __all__
