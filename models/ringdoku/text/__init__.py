"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

from ringdoku.text.formats import Entry
from ringdoku.text.layout import OUTPUTS, Layout, layout_named, puzzle_text
from ringdoku.text.lines import Source
from ringdoku.text.reader import FORMATS, Format, ReadOptions, parse_one, read, read_puzzles, write_puzzles
from ringdoku.text.stated import StatedAnswer, pair, read_stated, read_weights

__all__ = [
    "FORMATS",
    "OUTPUTS",
    "Entry",
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
    "read_stated",
    "read_weights",
    "write_puzzles",
]
