"""The table of text formats, in the order in which they are tried on an input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ringdoku.domain.errors import UsageError
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import numbers_from_zero, one_character, starts_at_zero
from ringdoku.text.base import Format
from ringdoku.text.boxed import BOXED
from ringdoku.text.json_lines import JSON
from ringdoku.text.layout import Layout
from ringdoku.text.line import LINE
from ringdoku.text.packed import PACKED
from ringdoku.text.spaced import SPACED

FORMATS: Mapping[str, Format] = MappingProxyType({entry.name: entry for entry in (JSON, BOXED, LINE, PACKED, SPACED)})
"""Input formats by name; the last one recognises every text."""

OUTPUTS = ("same", *(name for name in FORMATS if name != "json"))
"""Layouts for printing grids: `same` as the input, or a format by name."""


def find_format(name: str) -> Format:
    """Raises `UsageError` for a name that is not in the table."""
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def layout_named(name: str, ruleset: Ruleset, source: Layout | None = None) -> Layout:
    """How to print grids of `ruleset` in this format, with the alphabet of the layout `source` where it fits.

    Raises `UsageError` for an unknown name, and for an order that is too large for the format.
    """
    if source is not None and name in ("same", source.format):
        return source
    layout = find_format(name).layout(ruleset)
    if source is None or name == "json":
        return layout
    if layout.symbols:
        return replace(layout, symbols=one_character(source.symbols, ruleset.board))
    if starts_at_zero(source.symbols) and ruleset.board.is_plain:
        blank = "." if layout.blank == "0" else layout.blank
        return replace(layout, symbols=numbers_from_zero(ruleset.order), blank=blank)
    return layout
