"""Which backends meet, in which encodings, and how one is opened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ringdoku.backends.base import Backend
from ringdoku.backends.registry import BACKENDS, EXTERNAL, find
from ringdoku.compare.plan import OWN_ENCODING, Contender, Task
from ringdoku.domain.errors import UsageError

if TYPE_CHECKING:
    from ringdoku.encodings.options import EncodingOptions

ALL = "all"


def contenders(task: Task, backends: Iterable[str] = (ALL,), encodings: Iterable[str] = ()) -> tuple[Contender, ...]:
    """Each backend, and each that takes encodings once for every encoding.

    `all` stands for every backend that is installed and able. An encoding is named as `parse_encoding` reads it, or
    `own` for the one that a backend uses by itself.
    Raises `UsageError` for a name that does not exist or a backend that cannot do the task, `MissingPackageError` or
    `BackendError` for what is named and not installed.
    """
    names: dict[str, None] = {}
    for name in backends:
        if name == ALL:
            names |= dict.fromkeys(
                entry.name for entry in BACKENDS.values() if task.ability in entry.abilities and not entry.missing
            )
        else:
            entry = find(name, task.ability)
            if entry.missing or name.startswith(EXTERNAL):
                # what is not installed is told now, not run by run
                entry.open()
            names[entry.name] = None
    wanted = tuple(dict.fromkeys("" if name == OWN_ENCODING else name for name in encodings)) or ("",)
    for encoding in wanted:
        parse_encoding(encoding)
    return tuple(
        Contender(name, encoding) for name in names for encoding in (wanted if find(name).is_encoded else ("",))
    )


def open_contender(contender: Contender) -> Backend:
    """Raises `UsageError` for a name that does not exist and `MissingPackageError` naming the install command."""
    return find(contender.backend).open(parse_encoding(contender.encoding))


def parse_encoding(name: str) -> EncodingOptions | None:
    """`minimal+order+product+triads+presolve`: choices joined by +, of each kind at most one, in any order.

    What is not named is the textbook's: extended, direct, pairwise, neither triads nor presolve. None for "".
    """
    if not name:
        return None
    from ringdoku.encodings.at_most_one.registry import AT_MOST_ONE
    from ringdoku.encodings.digits.registry import DIGITS
    from ringdoku.encodings.options import ClauseSet, EncodingOptions

    kinds: dict[str, dict[str, object]] = {
        "clause_set": {member.value: member for member in ClauseSet},
        "digits": {known: known for known in DIGITS},
        "at_most_one": {known: known for known in AT_MOST_ONE},
        "triads": {"triads": True},
        "presolve": {"presolve": True},
    }
    chosen: dict[str, object] = {}
    for word in name.split("+"):
        kind = next((kind for kind, words in kinds.items() if word in words), None)
        if kind is None:
            known = ", ".join(known for words in kinds.values() for known in words)
            raise UsageError(f"no encoding is called {word!r}; join with +: {known}")
        if kind in chosen:
            raise UsageError(f"encoding {name!r} chooses twice between {', '.join(kinds[kind])}")
        chosen[kind] = kinds[kind][word]
    return EncodingOptions(**chosen)  # type: ignore[arg-type]  # the kinds are its fields
