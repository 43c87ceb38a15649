"""JSON values ↔ dataclasses, with a clear error for every other shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

MAX_NUMBER = 2**63
"""No count, score or time is larger; pictures cannot show larger ones."""


def is_text(value: object) -> bool:
    """Whether it is text that can be written. It may hold bytes that are not UTF-8, as Python decodes file names."""
    try:
        str(value).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return isinstance(value, str)


def is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_NUMBER


def _is_time(value: object) -> bool:
    # NaN fails the comparison
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


_PLAIN: Mapping[object, tuple[str, Callable[[object], bool]]] = {
    str: ("text", is_text),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("an integer", is_integer),
    float: ("a number of at least 0", _is_time),
}
"""Types of fields, their names in error messages, and which JSON values have them."""


def shown(value: object) -> str:
    """A JSON value for an error message, shortened when it is long."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def read(kind: Any, value: object, name: str = "") -> Any:
    """The value as one of this type: a dataclass, whose fields are an object, or a list in their order; a tuple of a
    type; a member of an Enum; text, a number, true or false; or one of these or None.

    A class with a function `from_json` reads itself; fields that it calls `GONE` are passed over. Raises `ValueError`,
    which names the field.
    """
    choices = get_args(kind)
    if type(None) in choices:
        return None if value is None else read(choices[0], value, name)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{name} is {shown(value)}, not a list")
        return tuple(read(choices[0], each, name) for each in value)
    if is_dataclass(kind):
        return kind.from_json(value) if hasattr(kind, "from_json") else _record(kind, value)
    if issubclass(kind, Enum):
        for choice in kind:
            if choice.value == value:
                return choice
        raise ValueError(f"{shown(value)} is none of {', '.join(choice.value for choice in kind)}")
    what, is_right = _PLAIN[kind]
    if not is_right(value):
        raise ValueError(f"{name} is {shown(value)}, not {what}")
    return value


def _record(kind: Any, value: object) -> object:
    known, hints = {field.name: field for field in fields(kind)}, _hints(kind)
    record = dict(zip(known, value, strict=False)) if isinstance(value, list) and len(value) == len(known) else value
    if not isinstance(record, dict):
        raise ValueError(f"{shown(value)} is not an object")
    record = {name: each for name, each in record.items() if name not in getattr(kind, "GONE", ())}
    if unknown := [name for name in record if name not in known]:
        raise ValueError(f"unknown field {shown(unknown[0])}")
    for name, field in known.items():
        if name not in record and field.default is MISSING:
            raise ValueError(f"no field {name}")
    return kind(**{name: read(hints[name], each, name) for name, each in record.items()})


_hints = cache(get_type_hints)
