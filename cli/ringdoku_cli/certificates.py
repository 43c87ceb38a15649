"""Where the certificates of answers go: a pair of files for each puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ringdoku.domain.errors import BackendError, DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.proofs.model import Claim, require_sums
from ringdoku.services.certifying import DRAT, certify
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.options import CERTIFICATE_FORMATS, Certified, refuse
from ringdoku_cli.outputs import NUMBER, named, open_output, require_own_file, require_writable


class Claimed(NamedTuple):
    """What is known of a puzzle, for `certify`; `word_of` is the user's program whose word alone stands for it."""

    claim: Claim
    grids: Sequence[Grid] = ()
    objective: Objective | None = None
    word_of: str = ""


@dataclass(frozen=True)
class Certificates:
    """Writes two files for every puzzle whose answer is certain, and says of any other that there is none."""

    name: str
    form: str
    time_limit: float | None
    force: bool

    @classmethod
    def asked(cls, asked: Certified, limit: float | None, force: bool, *others: str | None) -> Certificates | None:
        """None where no certificate is asked for. `others` are the other files of the command. Raises `UsageError`."""
        name = asked.certificate
        if name is None:
            refuse(asked.certificate_format != Certified.certificate_format, "--format goes with --certificate")
            return None
        refuse(not Path(name).name, "the name of a certificate is empty")
        made = cls(name, CERTIFICATE_FORMATS[asked.certificate_format], limit, force)
        for path in made._files(name.replace(NUMBER, "1")):
            require_own_file("--certificate", path, *others)
        return made

    def _files(self, name: str) -> tuple[str, str]:
        """Of the model and the proof."""
        return (f"{name}.cnf", f"{name}.drat") if self.form == DRAT else (f"{name}.opb", f"{name}.pbp")

    def begin(self, number: int, entry: Entry) -> None:
        """Raises `UsageError`, before any work, if no certificate of a puzzle can be written."""
        if self.form != DRAT:
            require_sums(entry.puzzle.ruleset)
        for path in self._files(named(self.name, number, entry)):
            require_writable(path, self.force)

    def write(self, number: int, entry: Entry, found: Claimed | str) -> Exit:
        """The pair of files, after our own checker accepted the certificate; UNKNOWN when the time limit came first.
        Or says why there is none."""
        if isinstance(found, str):
            note(f"{entry.place}: no certificate: {found}")
            return Exit.OK
        claim, grids, objective, word_of = found
        try:
            made = certify(entry.puzzle, claim, grids, objective, self.time_limit, self.form)
        except TimeLimitError:
            note(f"{entry.place}: no certificate: the time limit was reached")
            return Exit.UNKNOWN
        except DisagreementError:
            if not word_of:
                raise
            raise BackendError(f"{word_of} said that there is no other solution, but there is one") from None
        files = self._files(named(self.name, number, entry))
        for path, lines in zip(files, (made.model, made.proof), strict=True):
            with open_output(path, self.force, useless_in_part=True) as stream:
                stream.writelines(f"{line}\n" for line in lines)
        return Exit.OK
