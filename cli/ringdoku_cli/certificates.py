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
from ringdoku_cli.options import CERTIFICATE_FORMATS, Certified
from ringdoku_cli.outputs import NUMBER, open_output, require_own_file, require_writable


class Certificates:
    """Writes two files for every puzzle whose answer is certain, and says of any other that there is none.

    Nothing is written where no certificate is `asked` for. `others` are the other files of the command.
    """

    def __init__(self, asked: Certified, time_limit: float | None, force: bool, *others: str | None) -> None:
        self._name = asked.certificate
        self._form = CERTIFICATE_FORMATS[asked.certificate_format]
        self._time_limit = time_limit
        self._force = force
        if self._name is None and asked.certificate_format != Certified.certificate_format:
            raise UsageError("--format goes with --certificate")
        for path in self._paths(1):
            require_own_file("--certificate", path, *others)

    @property
    def wanted(self) -> bool:
        return self._name is not None

    def require_a_pair_for_each(self, puzzles: Puzzles) -> None:
        """Raises `UsageError` for several puzzles and one name."""
        if self._name is not None and NUMBER not in self._name:
            puzzles.require_one(f"--certificate '{self._name}-{NUMBER}' names a pair of files for each")

    def begin(self, number: int, entry: Entry) -> None:
        """Raises `UsageError`, before any work, if no certificate of a puzzle can be written."""
        if self.wanted and self._form != DRAT:
            require_sums(entry.puzzle.ruleset)
        for path in self._paths(number):
            require_writable(path, self._force)

    def refuse(self, entry: Entry, reason: str) -> None:
        """Say why there is none."""
        if self._name is not None:
            note(f"{entry.place}: no certificate: {reason}")

    def write(
        self,
        number: int,
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
            made = certify(entry.puzzle, claim, grids, objective, self._time_limit, self._form)
        except TimeLimitError:
            self.refuse(entry, "the time limit was reached")
            return Exit.UNKNOWN
        except DisagreementError:
            if not word_of:
                raise
            raise BackendError(f"{word_of} said that there is no other solution, but there is one") from None
        for path, lines in zip(self._paths(number), (made.model, made.proof), strict=True):
            with open_output(path, self._force, useless_in_part=True) as stream:
                stream.writelines(f"{line}\n" for line in lines)
        return Exit.OK

    def _paths(self, number: int) -> list[str]:
        """Of the model and the proof."""
        if self._name is None:
            return []
        name = self._name.replace(NUMBER, str(number))
        if not Path(name).name:
            raise UsageError("the name of a certificate is empty")
        return [name + ending for ending in ((".cnf", ".drat") if self._form == DRAT else (".opb", ".pbp"))]
