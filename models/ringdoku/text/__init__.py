"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

from ringdoku.text.base import Entry, Format
from ringdoku.text.counts import FirstLine
from ringdoku.text.layout import OUTPUTS, Layout, layout_named, puzzle_text
from ringdoku.text.pairs import pair
from ringdoku.text.pastes import PASTES
from ringdoku.text.reader import FORMATS, ReadOptions, parse_one, read, read_puzzles, read_source, write_puzzles
from ringdoku.text.source import Source
from ringdoku.text.stated import StatedAnswer, read_stated
from ringdoku.text.weights import read_weights

__all__ = [
    "FORMATS",
    "OUTPUTS",
    "PASTES",
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
