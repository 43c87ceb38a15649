"""Checks that JSON objects have the fields of a dataclass, with a clear error for every other shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_type_hints

Choice = TypeVar("Choice", bound=Enum)

MAX_NUMBER = 2**63
"""No count, score or time is larger; pictures cannot show larger ones."""

SHOWN_CHARACTERS = 40


def checked_fields(described: type, record: object) -> dict[str, Any]:
    """The fields of a JSON object, where text, numbers and truth values have the types that the dataclass declares.

    The caller checks fields of all other types. Raises `ValueError`, which names the field, for a value of the wrong
    type, for an unknown field, and for a missing one.
    """
    if not isinstance(record, dict):
        raise ValueError(f"{shown(record)} is not an object")
    known = {field.name: field for field in fields(described)}
    for name in record:
        if name not in known:
            raise ValueError(f"unknown field {shown(name)}")
    for name, field in known.items():
        if name not in record and field.default is MISSING:
            raise ValueError(f"no field {name}")
    hints = _type_hints(described)
    for name, value in record.items():
        if plain := _PLAIN_TYPES.get(hints[name]):
            what, is_right = plain
            if not is_right(value):
                raise ValueError(f"{name} is {shown(value)}, not {what}")
    return dict(record)


def listed(record: Mapping[str, Any], name: str) -> list[Any]:
    """A field that is a list in JSON, empty where it is missing. Raises `ValueError`."""
    value = record.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{name} is {shown(value)}, not a list")
    return value


def member(choices: type[Choice], value: object) -> Choice:
    """The member of an Enum that has this value. Raises `ValueError`."""
    for choice in choices:
        if choice.value == value:
            return choice
    raise ValueError(f"{shown(value)} is none of {', '.join(str(choice.value) for choice in choices)}")


def is_text(value: object) -> bool:
    """Whether it is text that can be written. It may hold bytes that are not UTF-8, as Python decodes file names."""
    try:
        str(value).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return isinstance(value, str)


def is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_NUMBER


def is_time(value: object) -> bool:
    """Whether it is a finite number of at least 0; NaN fails the comparison."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


def shown(value: object) -> str:
    """A JSON value for an error message, shortened when it is long."""
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def _or_null(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or is_right(value)


_PLAIN_TYPES: Mapping[object, tuple[str, Callable[[object], bool]]] = {
    str: ("text", is_text),
    str | None: ("text", _or_null(is_text)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    bool | None: ("true or false", lambda value: value is None or isinstance(value, bool)),
    int: ("an integer", is_integer),
    int | None: ("an integer", _or_null(is_integer)),
    float: ("a number of at least 0", is_time),
    float | None: ("a number of at least 0", _or_null(is_time)),
}
"""Types of fields, their names in error messages, and which JSON values have them."""


@cache
def _type_hints(described: type) -> Mapping[str, object]:
    return get_type_hints(described)
