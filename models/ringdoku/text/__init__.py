"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

from ringdoku.text.base import Entry, Format
from ringdoku.text.batch import Batch
from ringdoku.text.counts import FirstLine
from ringdoku.text.layout import Layout
from ringdoku.text.pairs import pair
from ringdoku.text.pastes import PASTES
from ringdoku.text.reader import ReadOptions, parse_one, read, read_source
from ringdoku.text.registry import FORMATS, OUTPUTS, layout_named
from ringdoku.text.source import Source
from ringdoku.text.stated import StatedAnswer, read_stated
from ringdoku.text.weights import read_weights
from ringdoku.text.writing import puzzle_text, read_puzzles, write_puzzles

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
