"""The contenders of a comparison: backends by name, the encodings that they get, and how one is opened."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ringdoku.compare.plan import OWN_ENCODING, Contender, Task
from ringdoku.domain.errors import UsageError
from ringdoku.solvers.base import Backend
from ringdoku.solvers.registry import BACKENDS, EXTERNAL, find

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions

ALL = "all"


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


def split_names(text: str) -> list[str]:
    """Names separated by commas; none is empty.

    A command line after `cmd:` may contain commas: it goes on until one that is followed by `cmd:`, `all` or the name
    of a backend, and that is not between quotes.
    """
    names: list[str] = []
    for piece in re.findall(r"""((?:"[^"]*"|'[^']*'|[^,])*)(?:,|$)""", text):
        name = piece.strip()
        goes_on = names and names[-1].startswith(EXTERNAL) and not name.startswith(EXTERNAL)
        if goes_on and name not in (*BACKENDS, ALL):
            names[-1] += f",{piece}"
        elif name:
            names.append(name)
    # the last match is empty
    return [name.removesuffix(",").rstrip() for name in names]


def open_contender(contender: Contender, warm: bool = False) -> Backend:
    """The backend with all that it may import; in a warm run its solver stays in every encoding that allows it.

    Raises `UsageError` for an unknown name and `MissingPackageError`, which names the install command.
    """
    entry = find(contender.backend)
    entry.load()
    return entry.open(parse_encoding(contender.encoding), live=warm)


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

    choices: dict[str, dict[str, object]] = {
        "clause_set": {member.value: member for member in ClauseSet},
        "digits": {known: known for known in DIGITS},
        "at_most_one": {known: known for known in AT_MOST_ONE},
        "triads": {"triads": True},
        "innies": {"innies": True},
        "presolve": {"presolve": True},
    }
    chosen: dict[str, object] = {}
    for word in name.split("+"):
        choice = next((choice for choice, words in choices.items() if word in words), None)
        if choice is None:
            known = ", ".join(known for words in choices.values() for known in words)
            raise UsageError(f"no encoding is called {word!r}; join with +: {known}")
        if choice in chosen:
            raise UsageError(f"encoding {name!r} chooses twice between {', '.join(choices[choice])}")
        chosen[choice] = choices[choice][word]
    return EncodingOptions(**chosen)  # type: ignore[arg-type]  # the choices are its fields
