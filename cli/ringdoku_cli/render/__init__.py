"""How an answer is shown: the library's text layouts, and three of our own."""

from __future__ import annotations

from typing import Protocol, TextIO

from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result
from ringdoku.formats import OUTPUTS, Entry
from ringdoku.formats.claims import BY_THE_WORD_OF
from ringdoku_cli.messages import printable

DRAWN = ("pretty", "svg", "json")
"""Output formats of our own; they show a score together with its grid."""

OUTPUT_FORMATS = (*OUTPUTS, *DRAWN)
"""Every value of --output-format."""

UNKNOWN = "unknown"


def by_word(word_of: str) -> str:
    """What follows a statement that only a program makes; nothing where there is no such program."""
    return f"{BY_THE_WORD_OF}{printable(word_of)}" if word_of else ""


class Renderer(Protocol):
    """Shows one answer; the objective when a best score was asked for."""

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None, /) -> str:
        """Whole lines, the last one ended too."""
        ...


def renderer(name: str, output: TextIO) -> Renderer:
    """The renderer of this name of `OUTPUT_FORMATS`, for what `output` can show."""
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
