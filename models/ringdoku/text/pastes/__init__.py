"""The table of paste grammars. `ringdoku.text.pasting` tries them on a text that the reader refuses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ringdoku.text.pastes.base import Paste
from ringdoku.text.pastes.fields import FIELDS
from ringdoku.text.pastes.labels import LABELS
from ringdoku.text.pastes.lists import LISTS
from ringdoku.text.pastes.marks import SIGNS
from ringdoku.text.pastes.markup import HTML, XML
from ringdoku.text.pastes.one_line import ONE_LINE
from ringdoku.text.pastes.spaces import SPACES
from ringdoku.text.pastes.tables import TABLES

__all__ = ["PASTES", "Paste"]

PASTES: Mapping[str, Paste] = MappingProxyType(
    {paste.name: paste for paste in (FIELDS, ONE_LINE, LISTS, TABLES, HTML, XML, LABELS, SIGNS, SPACES)}
)
"""Paste grammars by name."""
