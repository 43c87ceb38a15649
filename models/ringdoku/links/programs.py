"""Which constraints the links and files of each program can state: those that the code of its reader names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.abc import InspectLoader
from importlib.util import find_spec
from types import CodeType

from ringdoku.constraints.registry import CONSTRAINTS

READERS: Mapping[str, tuple[str, ...]] = {
    "f-puzzles": ("shared", "fpuzzles", "fpuzzles_rules"),
    "SudokuPad": ("shared", "sudokupad", "sudokupad_shapes", "clones"),
    "Penpa+": ("shared", "penpa"),
    "ISS": ("iss", "iss_board", "iss_chaos", "iss_codes", "iss_rules", "iss_tokens"),
    "plain text": ("killer", "plain"),
}
"""For each program the modules of this package that make constraints from its files."""


@cache
def programs_of() -> dict[str, tuple[str, ...]]:
    """For the name of each constraint the programs of `READERS` that can state it."""
    named = {program: set().union(*map(_names, modules)) for program, modules in READERS.items()}
    return {
        name: tuple(program for program, names in named.items() if kind.__name__ in names)
        for name, kind in CONSTRAINTS.items()
    }


def _names(module: str) -> set[str]:
    """Every name that the code of a module uses, its functions included."""
    spec = find_spec(f"ringdoku.links.{module}")
    code = spec.loader.get_code(spec.name) if spec and isinstance(spec.loader, InspectLoader) else None
    return set(_names_in(code)) if code else set()


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names_in(part)
