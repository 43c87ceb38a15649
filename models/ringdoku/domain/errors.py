"""One class for each kind of error. Every error that a user can cause is a `RingdokuError`."""

from __future__ import annotations

from dataclasses import dataclass

_SHOWN, _PROBLEM = 60, 300
"""Characters of a line, and of what is wrong with it, that a message shows."""


class RingdokuError(Exception):
    """The base class of all errors that users see; the text is one sentence."""


class UsageError(RingdokuError):
    """An argument is outside its range or names something that does not exist."""


class DimensionError(UsageError):
    """An order, box, grid or weight matrix whose sizes do not belong together."""


class RuleError(UsageError):
    """A line of our text form that cannot be read, or makes no sense on its board."""

    def __init__(self, text: str, problem: str, expected: str) -> None:
        problem = problem if len(problem) <= _PROBLEM else f"{problem[:_PROBLEM]}…"
        super().__init__(text, problem, expected)
        self.text = text
        self.problem = problem
        self.expected = expected

    @property
    def shown(self) -> str:
        """The line in quotes, the end of a long one left out."""
        bare = " ".join(self.text.split())
        return repr(bare if len(bare) <= _SHOWN else f"{bare[:_SHOWN]}…")

    def __str__(self) -> str:
        return f"{self.shown}: {self.problem}; expected {self.expected}"


class LinkError(UsageError):
    """A link or a constraint string that is malformed or asks for something unsupported; the text says where and
    what."""


class UnsupportedRuleError(UsageError):
    """A rule that a model format cannot state; the text names the rule, the format, the reason and formats that can."""

    def __init__(self, rule: str, target: str, reason: str, able: tuple[str, ...]) -> None:
        super().__init__(rule, target, reason, able)
        self.rule = rule
        self.target = target
        self.reason = reason
        self.able = able

    def __str__(self) -> str:
        can = f"formats that can: {', '.join(self.able)}" if self.able else "no format can"
        return f"format {self.target} cannot state the rule {self.rule!r}: {self.reason}; {can}"


class MissingPackageError(RingdokuError):
    """A package that is needed is not installed; the text ends with the command that installs it."""

    def __init__(self, what: str, install: str) -> None:
        # pickling calls the class with `args` again
        super().__init__(what, install)
        self.what = what
        self.install = install

    def __str__(self) -> str:
        return f"{self.what} is not installed; install it with: {self.install}"


class BackendError(RingdokuError):
    """A solver crashed, answered nonsense, or cannot do what was asked of it."""


class WorkerDiedError(BackendError):
    """The process that worked on a question ended without an answer."""


class TimeLimitError(RingdokuError):
    """The time limit passed before there was an answer, or before an enumeration was complete."""

    def __str__(self) -> str:
        return "the time limit passed before the answer was complete"


class DisagreementError(RingdokuError):
    """Two independent ways gave different answers, or an answer failed its check: a bug, please report it."""


@dataclass(frozen=True)
class Place:
    """A place in an input text; line and column count from 1, 0 means "the whole"."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file, *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(parts)


class InputError(RingdokuError):
    """A malformed text: its place, what was found, and what was expected."""

    def __init__(self, place: Place, found: str, expected: str) -> None:
        super().__init__(place, found, expected)
        self.place = place
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.place}: found {self.found}, expected {self.expected}"
