"""Certificates of answers: their options, and the pair of files that is written for each puzzle."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

from ringdoku import Claim, DisagreementError, Grid, Objective, TimeLimitError, certify
from ringdoku.domain.errors import WrongAnswerError, refuse
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit
from ringdoku_cli.options import Panel, choice, option
from ringdoku_cli.outputs import NUMBER, file_name, open_output, require_own_file, require_writable

FORMATS = {"veripb": "3.0", "veripb-1.2": "1.2", "drat": "drat"}
"""The values of `--format`, each with the name that `certify` has for it."""
NAME_HELP = f"Write NAME.opb and NAME.pbp, which prove the answer; with {NUMBER} in NAME for each puzzle."
FORMAT_HELP = f"{', '.join(FORMATS)}: veripb-1.2 is of 2022, drat writes NAME.cnf and NAME.drat."


Claimed: TypeAlias = tuple[Claim, Sequence[Grid], Objective | None]
"""What `certify` has to prove of a puzzle."""


@dataclass(frozen=True)
class Certificates(Panel, title="Certificates"):
    """The options. A puzzle whose answer is certain gets two files, any other a message that there is none."""

    certificate: Annotated[str | None, option("--certificate NAME", NAME_HELP)] = None
    certificate_format: Annotated[str, choice("--format", FORMATS, FORMAT_HELP)] = "veripb"

    def check(self, *others: str | None) -> None:
        """Raises `UsageError` for options that contradict each other; `others` are the other files of the command."""
        name = self.certificate
        if name is None:
            refuse(self.certificate_format != "veripb", "--format goes with --certificate")
            return
        refuse(not Path(name).name, "the name of a certificate is empty")
        for path in self._files(name.replace(NUMBER, "1")):
            require_own_file("--certificate", path, *others)

    def _files(self, name: str) -> tuple[str, str]:
        """The names of the files of the model and the proof."""
        endings = (".cnf", ".drat") if self.certificate_format == "drat" else (".opb", ".pbp")
        return name + endings[0], name + endings[1]

    def require_writable_files(self, number: int, entry: Entry, force: bool) -> None:
        """Raises `UsageError`, before any work, if the certificate of a puzzle cannot be written."""
        for path in self._files(file_name(self.certificate, number, entry)) if self.certificate else ():
            require_writable(path, force)

    def write(
        self, number: int, entry: Entry, claimed: Claimed | str, word_of: str, limit: float | None, force: bool
    ) -> tuple[Exit, str]:
        """Write the files, if our checker accepts them. Returns the exit code, UNKNOWN at the limit, and a note.
        `word_of` is the program whose word alone stands for the claim so far; a text says why nothing is claimed."""
        if isinstance(claimed, str):
            return Exit.OK, f"no certificate: {claimed}"
        try:
            certificate = certify(entry.puzzle, *claimed, limit, FORMATS[self.certificate_format])
        except TimeLimitError:
            rests_on = f"; the answer is the word of {word_of}" if word_of else ""
            return Exit.UNKNOWN, f"no certificate: the time limit was reached{rests_on}"
        except DisagreementError:
            # the fault is ours if no program answered, or CP-SAT, whose model is ours
            if word_of in ("", "CP-SAT"):
                raise
            raise WrongAnswerError(f"{word_of} said that there is no other or better solution, but there is") from None
        files = self._files(file_name(self.certificate or "", number, entry))
        for path, lines in zip(files, (certificate.model, certificate.proof), strict=True):
            with open_output(path, force, useless_in_part=True) as stream:
                stream.writelines(f"{line}\n" for line in lines)
        return Exit.OK, word_of and f"the certificate proves it, without the word of {word_of}"
