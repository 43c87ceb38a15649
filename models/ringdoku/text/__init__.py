"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

# ruff: noqa: F401  these are the public names of the room
from ringdoku.text.formats import Entry
from ringdoku.text.layout import OUTPUTS, layout_named, puzzle_text
from ringdoku.text.lines import Source
from ringdoku.text.reader import FORMATS, ReadOptions, or_raise, parse_one, read, read_puzzles, write_puzzles
from ringdoku.text.stated import StatedAnswer, answer_in_alphabet, read_stated, read_weights
