"""The named constraints, one file for each family, and the table of all of them.

Their classes can be imported from here by name: `from ringdoku.constraints import Thermometer`.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    # each family is a module, which most puzzles do without
    if not name[0].isupper() and name != "__all__":
        raise AttributeError(name)
    from ringdoku.constraints.registry import CONSTRAINTS

    classes = {kind.__name__: kind for kind in CONSTRAINTS.values()}
    if name == "__all__":
        return list(classes)
    try:
        return classes[name]
    except KeyError:
        raise AttributeError(f"there is no constraint called {name}") from None
