"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

from ringdoku.formats.base import Entry, Format
from ringdoku.formats.claims import Claim, read_claims
from ringdoku.formats.layout import Layout
from ringdoku.formats.pairs import pair
from ringdoku.formats.reader import parse_one, read
from ringdoku.formats.registry import FORMATS, OUTPUTS, layout_named
from ringdoku.formats.weights import read_weights

__all__ = [
    "FORMATS",
    "OUTPUTS",
    "Claim",
    "Entry",
    "Format",
    "Layout",
    "layout_named",
    "pair",
    "parse_one",
    "read",
    "read_claims",
    "read_weights",
]
