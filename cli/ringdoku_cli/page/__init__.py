"""The page of `ringdoku page`. Its files are HTML, one style sheet and plain ES modules, put into one here."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

MODULES = ("state.js", "runs.js", "grid.js", "chart.js", "page.js")
"""The modules in an order in which each imports only from those before it."""


def page_html(start: Mapping[str, Any]) -> str:
    """The page in one file, which loads nothing and asks no server but its own; `start` has its initial data."""
    style = _text("page.css")
    # no two modules define the same name, so they can be concatenated
    script = re.sub(r"^(import [^;]*;\n|export )", "", "\n".join(map(_text, MODULES)), flags=re.MULTILINE)
    policy = (
        f"default-src 'none'; connect-src 'self'; img-src data: blob:; style-src {_digest(style)}; "
        f"script-src {_digest(script)}; base-uri 'none'; form-action 'none'"
    )
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<style>{style}</style>\n<script type="module">{script}</script>'
    )
    title = f"{start['record']['title'] or 'Sudoku'} · ringdoku"
    # a name in the data must not end the script element
    data = json.dumps(start).replace("<", "\\u003c")
    return Template(_text("page.html")).substitute(title=html.escape(title), head=head, start=data)


def _text(name: str) -> str:
    return (files(__package__) / "files" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
