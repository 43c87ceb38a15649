"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

from ringdoku.formats.base import Entry, Format
from ringdoku.formats.batch import Batch
from ringdoku.formats.counts import FirstLine
from ringdoku.formats.layout import Layout
from ringdoku.formats.pairs import pair
from ringdoku.formats.pastes import PASTES
from ringdoku.formats.reader import ReadOptions, parse_one, read, read_source
from ringdoku.formats.registry import FORMATS, OUTPUTS, layout_named
from ringdoku.formats.source import Source
from ringdoku.formats.stated import StatedAnswer, read_stated
from ringdoku.formats.weights import read_weights
from ringdoku.formats.writing import puzzle_text, read_puzzles, write_puzzles

__all__ = [
    "FORMATS",
    "OUTPUTS",
    "PASTES",
    "Batch",
    "Entry",
    "FirstLine",
    "Format",
    "Layout",
    "ReadOptions",
    "Source",
    "StatedAnswer",
    "layout_named",
    "pair",
    "parse_one",
    "puzzle_text",
    "read",
    "read_puzzles",
    "read_source",
    "read_stated",
    "read_weights",
    "write_puzzles",
]
