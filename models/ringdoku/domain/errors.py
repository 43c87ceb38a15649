"""One class for each kind of error, and checks of arguments. Every error that a user can cause is a `RingdokuError`."""

from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from operator import index
from typing import Any


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to three known names that begin with this one or, if there are none, that resemble it."""
    names = tuple(known)
    return ([other for other in names if name and other.startswith(name)] or get_close_matches(name, names))[:3]


def perhaps(name: str, known: Iterable[str]) -> str:
    """A hint such as ` (perhaps 'cadical195')` at known names that resemble this one; empty if there are none."""
    near = nearest(name, known)
    return f" (perhaps {' or '.join(map(repr, near))})" if near else ""


def shortened(text: str, most: int) -> str:
    """The first `most` characters of a text, and an ellipsis if there are more."""
    return text if len(text) <= most else f"{text[:most]}…"


class RingdokuError(Exception):
    """The base class of all errors that users see; the text is one sentence."""


class UsageError(RingdokuError):
    """An argument is outside its range or names something that does not exist."""


class DimensionError(UsageError):
    """An order, box, grid or weight matrix whose sizes do not belong together."""


class ImpossibleError(UsageError):
    """A constraint that no digits can fulfil, such as a sum out of reach. As one of several cases it is left out."""


# pickling makes an exception anew from its `args`: all arguments that were given by position


@dataclass(eq=False)
class RuleError(UsageError):
    """A line of our text form that cannot be read, or makes no sense on its board."""

    text: str
    problem: str
    expected: str

    def __post_init__(self) -> None:
        self.problem = shortened(self.problem, 300)

    @property
    def shown(self) -> str:
        """The line in quotes, the end of a long one left out."""
        return repr(shortened(" ".join(self.text.split()), 60))

    def __str__(self) -> str:
        return f"{self.shown}: {self.problem}; expected {self.expected}"


@dataclass(eq=False)
class MissingPackageError(RingdokuError):
    """A package that is needed is not installed; the text ends with the command that installs it."""

    what: str
    install: str

    def __str__(self) -> str:
        return f"{self.what} is not installed; install it with: {self.install}"


class BackendError(RingdokuError):
    """A solver crashed, answered nonsense, or cannot do what was asked of it."""


class WrongAnswerError(BackendError):
    """The answer of a user's program failed its check."""


class WorkerDiedError(BackendError):
    """The process that worked on a question ended without an answer."""


class TimeLimitError(RingdokuError):
    """The time limit passed before there was an answer, or before an enumeration was complete."""

    def __str__(self) -> str:
        return "the time limit passed before the answer was complete"


class MalformedError(RingdokuError):
    """A certificate that is not in its format, or uses a rule that is not known here."""


class RefutedError(RingdokuError):
    """A certificate with a step that is wrong, or that does not prove its claim."""


class DisagreementError(RingdokuError):
    """Two independent ways gave different answers, or an answer failed its check: a bug, please report it."""


@dataclass(frozen=True)
class Place:
    """A place in an input text; line and column count from 1, 0 means "the whole"."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([self.file, *(str(number) for number in (self.line, self.column) if number)])


@dataclass(eq=False)
class InputError(RingdokuError):
    """A malformed text: its place, what was found, and what was expected."""

    place: Place
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.place}: found {self.found}, expected {self.expected}"


# checks of arguments, in which integers of any type become Python's own; and counts in sentences

LARGEST_EXACT = 2**62
"""Larger numbers may overflow in programs that count in 64 bits, in most of them silently."""


def whole_numbers(values: Any, what: str) -> tuple[int, ...]:
    """The values as `int`; floats may be whole numbers. Raises `UsageError`, which calls them `what`, for others."""
    if type(values) is tuple and {int}.issuperset(map(type, values)):
        return values
    found = []
    for value in listed(values, what):
        if isinstance(value, bool):
            raise UsageError(f"{what} are whole numbers, not {value}")
        try:
            found.append(index(value))
        except TypeError:
            # NumPy and pandas make floats of whole numbers
            is_integer = getattr(value, "is_integer", None)
            if is_integer is None or not is_integer():
                raise UsageError(f"{what} are whole numbers, not {value!r} ({type(value).__name__})") from None
            found.append(int(value))
    return tuple(found)


def whole_number(value: Any, what: str) -> int:
    """As `whole_numbers`, for one value."""
    return whole_numbers((value,), what)[0]


def rows_of_numbers(rows: Any, what: str) -> list[tuple[int, ...]]:
    """Rows of whole numbers. Raises `UsageError`, which calls them `what`, for anything else."""
    return [whole_numbers(row, what) for row in listed(rows, f"rows of {what}")]


def listed(values: Any, what: str, ordered: bool = False) -> Iterable[Any]:
    """The values of a list, or the rows of a DataFrame. Raises `UsageError`, which calls them `what`, for a text,
    for anything else that is no list, and for a set if they are `ordered`."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    # an array without dimensions is a number
    is_one = isinstance(values, (str, bytes, dict, *[Set] * ordered)) or getattr(values, "ndim", 1) == 0
    if is_one or not isinstance(values, Iterable):
        raise UsageError(f"{what} are given as a list, not as {shortened(repr(values), 80)} ({type(values).__name__})")
    return values


def expect(value: Any, kind: type, what: str) -> Any:
    """Return the value if it is a `kind`. Raises `UsageError`, which calls it `what`, for anything else."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        found = f"{shortened(repr(value), 80)} ({type(value).__name__})"
        raise UsageError(f"{what} is {article} {kind.__name__}, not {found}")
    return value


def refuse(wrong: object, message: str) -> None:
    """Raise `UsageError` with the message if `wrong` is true."""
    if wrong:
        raise UsageError(message)


@contextmanager
def refusing(problem: str) -> Iterator[None]:
    """Turn the error of a file or a connection in this context into a `UsageError` with the problem and its reason."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise UsageError(f"{problem}: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def numbered_errors(number: int) -> Iterator[None]:
    """Errors in this context say which of many puzzles, or of their grids, is wrong."""
    try:
        yield
    except InputError as error:
        kind = "grid" if error.place.file == "<grid>" else "puzzle"
        raise replace(error, place=replace(error.place, file=f"<{kind} {number}>")) from None
    except UsageError as error:
        raise type(error)(f"puzzle {number}: {error}") from None


def counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`: a number with its noun, whose plural ends in s."""
    return f"{number} {what}{'' if number == 1 else 's'}"
