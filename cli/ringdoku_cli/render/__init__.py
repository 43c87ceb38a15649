"""The output formats of answers: the text layouts of the library, drawings, pictures, and JSON."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Protocol, TextIO

from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective
from ringdoku.domain.result import Result
from ringdoku.drawing import PICTURES
from ringdoku.text import OUTPUTS, Entry
from ringdoku_cli.render.text import Text, render_competition, render_json

DRAWN = ("pretty", *PICTURES, "json")
"""They show a score together with its grid."""

OUTPUT_FORMATS = (*OUTPUTS, *DRAWN)
"""Every value of --output-format."""

COMPETITION = "competition"
"""The format of the SAT Competition, for `solve` alone."""


def format_of(asked: str | None, output: str | None, formats: Iterable[str]) -> str | None:
    """The format that was asked for; else the one of `formats` that is the ending of the output's name; else None.

    Raises `UsageError` for the ending of a picture that is none of them.
    """
    ending = (output or "").rpartition(".")[2].lower()
    if asked or ending in formats:
        return asked or ending
    if ending in PICTURES:
        raise UsageError(f"{output} would be a picture, which this command does not draw; `ringdoku draw` does")
    return None


class Renderer(Protocol):
    """Writes one answer as text; it gets the objective when the question was for a best score."""

    def __call__(self, entry: Entry, result: Result, objective: Objective | None = None, /) -> str:
        """Whole lines, each with its line end; nothing where the answer was written to the output as bytes."""
        ...


def renderer(name: str, output: TextIO, groups: bool = False) -> Renderer:
    """The renderer of this name of `OUTPUT_FORMATS`, with the characters and colours that `output` can show; text has a
    blank line between `groups` of answers."""
    if name == "pretty":
        from ringdoku_cli.render.pretty import Pretty

        return Pretty.for_stream(output)
    if name in PICTURES:
        from ringdoku_cli.render.pictures import render_picture

        return partial(render_picture, form=name, output=output)
    return {"json": render_json, COMPETITION: render_competition}.get(name) or Text(name, groups)
