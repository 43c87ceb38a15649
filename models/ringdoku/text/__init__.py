"""Puzzles as text: a module for each format, the table of formats, and readers that work on streams."""

from ringdoku.text.formats import Entry as Entry
from ringdoku.text.layout import OUTPUTS as OUTPUTS
from ringdoku.text.layout import layout_named as layout_named
from ringdoku.text.layout import puzzle_text as puzzle_text
from ringdoku.text.lines import Source as Source
from ringdoku.text.reader import FORMATS as FORMATS
from ringdoku.text.reader import ReadOptions as ReadOptions
from ringdoku.text.reader import or_raise as or_raise
from ringdoku.text.reader import parse_one as parse_one
from ringdoku.text.reader import read as read
from ringdoku.text.reader import read_puzzles as read_puzzles
from ringdoku.text.reader import write_puzzles as write_puzzles
from ringdoku.text.stated import StatedAnswer as StatedAnswer
from ringdoku.text.stated import answer_in_alphabet as answer_in_alphabet
from ringdoku.text.stated import read_stated as read_stated
from ringdoku.text.stated import read_weights as read_weights
