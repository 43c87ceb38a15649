"""SudokuPad's zipped JSON: short names without quotes, single quotes, `t` and `f`, bare colours, no empty objects.

`{ce:[[{v:9},,]],l:[{c:34BBE6}]}` is `{"cells": [[{"value": 9}, {}, {}]], "lines": [{"color": "#34BBE6"}]}`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ringdoku.domain.errors import UsageError
from ringdoku.links.compression import refuse_length
from ringdoku.links.shared import shown

NAMES = {
    "a": "arrows",
    "c": "color",
    "c1": "borderColor",
    "c2": "backgroundColor",
    "ca": "cages",
    "ce": "cells",
    "cs": "cellSize",
    "ct": "center",
    "d": "duration",
    "fs": "fontSize",
    "h": "height",
    "hl": "headLength",
    "l": "lines",
    "o": "overlays",
    "r": "rounded",
    "re": "regions",
    "t": "title",
    "te": "text",
    "th": "thickness",
    "u": "underlays",
    "v": "value",
    "vd": "videos",
    "w": "width",
    "wp": "wayPoints",
}
_WORDS = {"t": True, "f": False, "true": True, "false": False, "null": None, "#0": "#000000", "#F": "#FFFFFF"}
_TOKEN = re.compile(r"""\s*(?:([\[\]{},:])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s\[\]{},:'"]+))""", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?")
_COLOUR = re.compile(r"[0-9a-fA-F]{6}")
_DEPTH = 30


def load_zipped(text: str) -> dict[str, Any]:
    """The object of a SudokuPad file, zipped or plain JSON, with long names. Raises `UsageError`."""
    refuse_length(text)
    try:
        found = json.loads(text)
    except (RecursionError, ValueError):
        found = _Parser(text).parse()
    if not isinstance(found, dict):
        raise UsageError(f"the JSON is {shown(found)}, not an object")
    try:
        return _long_names(found)  # type: ignore[no-any-return]
    except RecursionError:
        raise UsageError("the JSON is nested too deeply") from None


def _long_names(value: Any) -> Any:
    if isinstance(value, list):
        return [_long_names(entry) for entry in value]
    if isinstance(value, dict):
        return {NAMES.get(key, key): _long_names(entry) for key, entry in value.items()}
    return value


class _Parser:
    """A token is a pair: a punctuation mark and nothing, "text" and a quoted string, or "word" and a bare one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def parse(self) -> Any:
        found = self._value(*self._token(), 0)
        if self._text[self._place :].strip():
            raise self._wrong("more text after the end")
        return found

    def _wrong(self, found: str) -> UsageError:
        return UsageError(f"character {self._place + 1} of the JSON: {found}")

    def _token(self) -> tuple[str, Any]:
        found = _TOKEN.match(self._text, self._place)
        if not found:
            raise self._wrong(
                "nothing more, the file is cut off" if not self._text[self._place :].strip() else "no value"
            )
        self._place = found.end()
        mark, single, double, word = found.groups()
        if mark:
            return mark, None
        if word is None:
            return "text", _ESCAPE.sub(_unescape, double if single is None else single)
        return "word", word

    def _value(self, kind: str, value: Any, depth: int) -> Any:
        if depth > _DEPTH:
            raise self._wrong("nested too deeply")
        match kind:
            case "[":
                return self._list(depth)
            case "{":
                return self._object(depth)
            case "text":
                return value
            case "word":
                return self._word(value)
        raise self._wrong(f"{kind!r} where a value is expected")

    def _word(self, word: str) -> Any:
        if word in _WORDS:
            return _WORDS[word]
        if _COLOUR.fullmatch(word):
            return f"#{word}"
        if _NUMBER.fullmatch(word):
            return float(word) if set(word) & set(".eE") else int(word)
        raise self._wrong(f"{shown(word)} where a value is expected")

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        empty = True
        while True:
            kind, value = self._token()
            if kind in (",", "]"):
                # nothing before a comma or the end is an empty object, but in an empty list
                if empty and (kind == "," or found):
                    found.append({})
                if kind == "]":
                    return found
                empty = True
            elif not empty:
                raise self._wrong("a comma is missing")
            else:
                found.append(self._value(kind, value, depth + 1))
                empty = False

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        kind, name = self._token()
        while kind != "}":
            if kind not in ("text", "word"):
                raise self._wrong("no name where one is expected")
            if self._token()[0] != ":":
                raise self._wrong("a colon is missing")
            found[name] = self._value(*self._token(), depth + 1)
            kind, _ = self._token()
            if kind == ",":
                kind, name = self._token()
            elif kind != "}":
                raise self._wrong("a comma is missing")
        return found


def _unescape(found: re.Match[str]) -> str:
    code = found[1]
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(code, code)
