"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

from ringdoku.formats.base import Entry, Format
from ringdoku.formats.claims import Claim, read_claims
from ringdoku.formats.layout import Layout
from ringdoku.formats.pairs import pair
from ringdoku.formats.pastes import PASTES
from ringdoku.formats.reader import parse_one, read
from ringdoku.formats.registry import FORMATS, OUTPUTS, layout_named
from ringdoku.formats.weights import read_weights
from ringdoku.formats.writing import puzzle_text, read_puzzles, write_puzzles

__all__ = [
    "FORMATS",
    "OUTPUTS",
    "PASTES",
    "Claim",
    "Entry",
    "Format",
    "Layout",
    "layout_named",
    "pair",
    "parse_one",
    "puzzle_text",
    "read",
    "read_claims",
    "read_puzzles",
    "read_weights",
    "write_puzzles",
]
