"""The contenders of a comparison: backends by name, the encodings that they get, and how one is opened."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ringdoku.domain.errors import UsageError
from ringdoku.domain.showing import named
from ringdoku.solvers.registry import BACKENDS, EXTERNAL, Ability, Backend, find

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions

ALL = "all"
OWN_ENCODING = "own"
"""The name, on the command line, of the encoding that a backend uses by itself."""


class Task(Enum):
    """The question that each puzzle poses."""

    SOLVE = "solve"
    """Any one solution."""
    MAXIMISE = "maximise"
    """A solution of best ring-weighted score."""
    UNIQUE = "unique"
    """Up to two solutions, to decide whether there is exactly one."""

    __repr__ = named

    @property
    def ability(self) -> Ability:
        """The ability that a backend needs for it."""
        return {Task.SOLVE: Ability.SATISFY, Task.MAXIMISE: Ability.OPTIMISE, Task.UNIQUE: Ability.ENUMERATE}[self]


@dataclass(frozen=True)
class Contender:
    """A backend and the name of its encoding, empty for the backend's own one."""

    backend: str
    encoding: str = ""

    @property
    def name(self) -> str:
        return f"{self.backend}/{self.encoding}" if self.encoding else self.backend

    def open(self, warm: bool = False) -> Backend:
        """The backend with all that it may import; in a warm run its solver stays in every encoding that allows it.

        Raises `UsageError` for an unknown name and `MissingPackageError`, which names the install command.
        """
        entry = find(self.backend)
        entry.load()
        return entry.open(parse_encoding(self.encoding), live=warm)


def contenders(task: Task, backends: Iterable[str] = (ALL,), encodings: Iterable[str] = ()) -> tuple[Contender, ...]:
    """A contender for each backend; a backend that takes encodings has one for each encoding.

    `all` stands for every installed backend that can do the task. An encoding has a name that `parse_encoding` reads,
    or `own` for the backend's own one. Raises `UsageError` for an unknown name or a backend that cannot do the task,
    `MissingPackageError` or `BackendError` for a backend that is named and not installed.
    """
    names: dict[str, None] = {}
    for name in backends:
        if name == ALL:
            able = (known for known in BACKENDS.values() if task.ability in known.abilities and not known.missing)
            names |= dict.fromkeys(known.name for known in able)
        else:
            named = find(name, task.ability)
            if named.missing or name.startswith(EXTERNAL):
                # reports what is not installed now, and not once for each run
                named.open()
            names[named.name] = None
    wanted = tuple(dict.fromkeys("" if name == OWN_ENCODING else name for name in encodings)) or ("",)
    for encoding in wanted:
        parse_encoding(encoding)
    return tuple(
        Contender(name, encoding) for name in names for encoding in (wanted if find(name).is_encoded else ("",))
    )


def split_names(text: str, known: Collection[str] = (*BACKENDS, ALL)) -> list[str]:
    """Names separated by commas; none is empty.

    A command line after `cmd:` may contain commas: it goes on until one that is followed by `cmd:` or one of the names
    that are `known`, and that is not between quotes.
    """
    names: list[str] = []
    for piece in re.findall(r"""((?:"[^"]*"|'[^']*'|[^,])*)(?:,|$)""", text):
        name = piece.strip()
        goes_on = names and names[-1].startswith(EXTERNAL) and not name.startswith(EXTERNAL)
        if goes_on and name not in known:
            names[-1] += f",{piece}"
        elif name:
            names.append(name)
    # the last match is empty
    return [name.removesuffix(",").rstrip() for name in names]


def parse_encoding(name: str) -> EncodingOptions | None:
    """`minimal+order+product+triads+innies+presolve`: at most one name of each choice, joined by +, in any order.

    A choice that is not named is the textbook's: extended, direct, pairwise, no triads, no innies, no presolve.
    None for "". Raises `UsageError`.
    """
    if not name:
        return None
    from ringdoku.sat.at_most_one import AT_MOST_ONE
    from ringdoku.sat.digits import DIGITS
    from ringdoku.sat.options import ClauseSet, EncodingOptions

    choices: dict[str, tuple[str, object]] = {
        **{member.value: ("clause_set", member) for member in ClauseSet},
        **{known: ("digits", known) for known in DIGITS},
        **{known: ("at_most_one", known) for known in AT_MOST_ONE},
        **{known: (known, True) for known in ("triads", "innies", "presolve")},
    }
    chosen: dict[str, object] = {}
    for word in name.split("+"):
        if word not in choices:
            raise UsageError(f"no encoding is called {word!r}; join with +: {', '.join(choices)}")
        field, value = choices[word]
        if field in chosen:
            others = [other for other, (known, _) in choices.items() if known == field]
            raise UsageError(f"encoding {name!r} chooses twice between {', '.join(others)}")
        chosen[field] = value
    return EncodingOptions(**chosen)  # type: ignore[arg-type]  # the choices are its fields
