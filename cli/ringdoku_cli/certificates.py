"""Where the certificates of answers go: a pair of files for each puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ringdoku.domain.errors import BackendError, DisagreementError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.proofs.claims import Claim
from ringdoku.proofs.model import require_sums
from ringdoku.services.certifying import DRAT, certify
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.messages import note
from ringdoku_cli.options import CERTIFICATE_FORMATS, NUMBER
from ringdoku_cli.outputs import open_output, require_own_file, require_writable

ENDINGS = dict(zip(CERTIFICATE_FORMATS, ((".opb", ".pbp"), (".cnf", ".drat")), strict=True))
"""Of the model's and the proof's file."""


class Certificates:
    """Writes the two files of `name`, which may have {number} in it; nothing at all where it is None.

    They are written for every puzzle whose answer is certain. What is not certain is said in a note.
    """

    def __init__(
        self, name: str | None, kind: str, version: str, time_limit: float | None, force: bool, *others: str | None
    ) -> None:
        self._name = name
        self._kind = kind
        self._version = version
        self._time_limit = time_limit
        self._force = force
        self._number = 0
        if name is None and (kind != "veripb" or version != "3.0"):
            raise UsageError("--format and --veripb go with --certificate")
        for path in self._paths():
            require_own_file("--certificate", path, *others)

    @property
    def wanted(self) -> bool:
        return self._name is not None

    def require_a_pair_for_each(self, puzzles: Puzzles) -> None:
        """Raises `UsageError` for several puzzles and one name."""
        if self._name is not None and NUMBER not in self._name:
            puzzles.require_one(f"--certificate '{self._name}-{NUMBER}' names a pair of files for each")

    def begin(self, entry: Entry) -> None:
        """Another puzzle. Raises `UsageError`, before any work, if no certificate of it can be written."""
        self._number += 1
        if self.wanted and self._kind != DRAT:
            require_sums(entry.puzzle.ruleset)
        for path in self._paths():
            require_writable(path, self._force)

    def refuse(self, entry: Entry, reason: str) -> None:
        """Say why there is none."""
        if self._name is not None:
            note(f"{entry.place}: no certificate: {reason}")

    def write(
        self,
        entry: Entry,
        claim: Claim,
        grids: Sequence[Grid] = (),
        objective: Objective | None = None,
        word_of: str = "",
    ) -> Exit:
        """The pair of files, after our own checker accepted the certificate; UNKNOWN when the time limit came first.

        `word_of` is the user's program whose word alone stands for the claim.
        """
        if self._name is None:
            return Exit.OK
        try:
            form = self._kind if self._kind == DRAT else self._version
            made = certify(entry.puzzle, claim, grids, objective, self._time_limit, form)
        except TimeLimitError:
            self.refuse(entry, "the time limit was reached")
            return Exit.UNKNOWN
        except DisagreementError:
            if not word_of:
                raise
            raise BackendError(f"{word_of} said that there is no other solution, but there is one") from None
        for path, lines in zip(self._paths(), (made.model, made.proof), strict=True):
            with open_output(path, self._force, useless_in_part=True) as stream:
                stream.writelines(f"{line}\n" for line in lines)
        return Exit.OK

    def _paths(self) -> list[str]:
        if self._name is None:
            return []
        name = self._name.replace(NUMBER, str(self._number))
        if not Path(name).name:
            raise UsageError("the name of a certificate is empty")
        return [name + ending for ending in ENDINGS[self._kind]]
