"""The named constraints, one file for each family, and the table of all of them. Their classes can be imported from
here, `from ringdoku.constraints import Thermometer`, with everything that a constraint class of your own needs."""

from ringdoku.constraints.digits import *  # noqa: F403
from ringdoku.constraints.lines import *  # noqa: F403
from ringdoku.constraints.logic import *  # noqa: F403
from ringdoku.constraints.outside import *  # noqa: F403
from ringdoku.constraints.pairs import *  # noqa: F403
from ringdoku.constraints.regions import *  # noqa: F403
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.constraints.sums import *  # noqa: F403
from ringdoku.constraints.unknown import *  # noqa: F403
from ringdoku.domain.constraint import *  # noqa: F403

__all__ = [kind.__name__ for kind in CONSTRAINTS.values()]


def __dir__() -> list[str]:
    return __all__
