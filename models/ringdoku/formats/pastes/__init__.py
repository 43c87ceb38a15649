"""The table of paste grammars. `ringdoku.formats.pasting` tries them on a text that the reader refuses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ringdoku.formats.pastes.base import Paste
from ringdoku.formats.pastes.fields import FIELDS
from ringdoku.formats.pastes.labels import LABELS
from ringdoku.formats.pastes.lists import LISTS
from ringdoku.formats.pastes.marks import SIGNS
from ringdoku.formats.pastes.markup import HTML, XML
from ringdoku.formats.pastes.one_line import ONE_LINE
from ringdoku.formats.pastes.spaces import SPACES
from ringdoku.formats.pastes.tables import TABLES

__all__ = ["PASTES", "Paste"]

PASTES: Mapping[str, Paste] = MappingProxyType(
    {paste.name: paste for paste in (FIELDS, ONE_LINE, LISTS, TABLES, HTML, XML, LABELS, SIGNS, SPACES)}
)
"""Paste grammars by name."""
