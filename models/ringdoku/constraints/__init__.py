"""The named constraints, one file for each family, and the table of all of them. Their classes can be imported from
here by name: `from ringdoku.constraints import Thermometer`."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    # each family is a module, which most puzzles do without
    classes: dict[str, Any] = {}
    if name[0].isupper() or name == "__all__":
        from ringdoku.constraints.registry import CONSTRAINTS

        classes = {kind.__name__: kind for kind in CONSTRAINTS.values()}
        classes["__all__"] = list(classes)
    if name not in classes:
        raise AttributeError(f"there is no constraint called {name}")
    return classes[name]
