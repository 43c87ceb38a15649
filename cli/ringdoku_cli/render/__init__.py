"""The output formats of answers: the text layouts of the library, and three more."""

from __future__ import annotations

from typing import Protocol, TextIO

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result
from ringdoku.formats import OUTPUTS, Entry
from ringdoku.formats.stated import BY_THE_WORD_OF
from ringdoku_cli.messages import printable

DRAWN = ("pretty", "svg", "json")
"""The three more; they show a score together with its grid."""

OUTPUT_FORMATS = (*OUTPUTS, *DRAWN)
"""Every value of --output-format."""

UNKNOWN = "unknown"


def by_word(word_of: str) -> str:
    """What to write after a statement that rests on the word of a program; empty where there is none."""
    return f"{BY_THE_WORD_OF}{printable(word_of)}" if word_of else ""


class Renderer(Protocol):
    """Writes one answer as text; it gets the objective when the question was for a best score."""

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None, /) -> str:
        """Whole lines, each with its line end."""
        ...


def renderer(name: str, output: TextIO) -> Renderer:
    """The renderer of this name of `OUTPUT_FORMATS`, with the characters and colours that `output` can show."""
    if name == "pretty":
        from ringdoku_cli.render.pretty import Pretty

        return Pretty.for_stream(output)
    if name == "svg":
        from ringdoku_cli.render.svg import render_svg

        return render_svg
    if name == "json":
        from ringdoku_cli.render.json import render_json

        return render_json
    from ringdoku_cli.render.text import Text

    return Text(name)
