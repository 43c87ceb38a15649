"""The grammar of ISS texts: `.` before each token, `~` between its name and its arguments, groups of tokens that `.End`
closes, blank lines between parts, and `#` before comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qs, urlsplit

from ringdoku.domain.errors import LinkError

MOST_CHARACTERS = 1_000_000
DEEPEST = 20
"""The deepest nesting of groups."""

GROUPS = ("Or", "And", "Replicate")

_SHOWN = 40


@dataclass(frozen=True)
class Token:
    """A name with arguments. `number` counts all tokens of a text from 1."""

    number: int
    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        text = "~".join((f".{self.name}", *self.arguments))
        return f"token {self.number}, {text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}"


@dataclass(frozen=True)
class Group:
    """Tokens between one that opens a group and its `.End`."""

    token: Token
    nodes: tuple[Node, ...]


Node: TypeAlias = Token | Group


def text_of_link(text: str) -> str:
    """The decoded text after `?q=` in a link; any other text unchanged."""
    text = text.strip()
    if len(text) > MOST_CHARACTERS:
        raise LinkError(f"an ISS text has at most {MOST_CHARACTERS} characters, not {len(text)}")
    if not re.match(r"https?://", text):
        return text
    asked = parse_qs(urlsplit(text).query).get("q")
    if not asked:
        raise LinkError("the link has no ?q= with a puzzle")
    return asked[0]


def parts_of(text: str) -> list[str]:
    """The parts that blank lines separate, without comments."""
    lines = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    return [part for part in re.split(r"\n\s*\n", lines) if part.strip()]


def nodes_of(text: str, first: int = 1) -> tuple[Node, ...]:
    """The tokens and groups of a part; `first` is the number of its first token. Raises `LinkError`."""
    start, *words = "".join(text.split()).split(".")
    if start:
        raise LinkError(f"an ISS text starts with '.', not with {start[:_SHOWN]!r}")
    opened: list[tuple[Token | None, list[Node]]] = [(None, [])]
    for number, word in enumerate(words, first):
        name, *arguments = word.split("~")
        token = Token(number, name, tuple(arguments))
        if name == "End":
            opener, nodes = opened.pop()
            if opener is None:
                raise LinkError(f"{token}: there is no group to end")
            opened[-1][1].append(Group(opener, tuple(nodes)))
        elif name in GROUPS:
            if len(opened) > DEEPEST:
                raise LinkError(f"{token}: more than {DEEPEST} groups are nested")
            opened.append((token, []))
        else:
            opened[-1][1].append(token)
    opener, nodes = opened.pop()
    if opener is not None:
        raise LinkError(f"{opener}: the group has no .End")
    return tuple(nodes)


def tokens_of(nodes: Sequence[Node]) -> Iterator[Token]:
    """All tokens in order, those that open a group too."""
    for node in nodes:
        if isinstance(node, Group):
            yield node.token
            yield from tokens_of(node.nodes)
        else:
            yield node
