"""Where the certificates of answers go: a pair of files for each puzzle."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from ringdoku import Claim, DisagreementError, Grid, Objective, TimeLimitError, certify
from ringdoku.domain import WrongAnswerError, refuse
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit
from ringdoku_cli.options import Panel, choice, option
from ringdoku_cli.outputs import NUMBER, named, open_output, require_own_file, require_writable

FORMATS = {"veripb": "3.0", "veripb-1.2": "1.2", "drat": "drat"}
"""What `--format` may be, and what `certify` calls it."""
NAME_HELP = f"Write NAME.opb and NAME.pbp, which prove the answer; with {NUMBER} in NAME for each puzzle."
FORMAT_HELP = f"{', '.join(FORMATS)}: veripb-1.2 is of 2022, drat writes NAME.cnf and NAME.drat."


class Claimed(NamedTuple):
    """What is known of a puzzle, for `certify`; `word_of` is whose word alone stands for it."""

    claim: Claim
    grids: Sequence[Grid] = ()
    objective: Objective | None = None
    word_of: str = ""


@dataclass(frozen=True)
class Certified(Panel, title="Certificates"):
    """Two files for every puzzle whose answer is certain, and words that there is none for any other."""

    certificate: Annotated[str | None, option("--certificate NAME", NAME_HELP)] = None
    certificate_format: Annotated[str, choice("--format", FORMATS, FORMAT_HELP)] = "veripb"

    def check(self, *others: str | None) -> None:
        """Raises `UsageError` for options that make no sense; `others` are the other files of the command."""
        name = self.certificate
        if name is None:
            refuse(self.certificate_format != "veripb", "--format goes with --certificate")
            return
        refuse(not Path(name).name, "the name of a certificate is empty")
        for path in self._files(name.replace(NUMBER, "1")):
            require_own_file("--certificate", path, *others)

    def _files(self, name: str) -> tuple[str, str]:
        """Of the model and the proof."""
        endings = (".cnf", ".drat") if self.certificate_format == "drat" else (".opb", ".pbp")
        return name + endings[0], name + endings[1]

    def begin(self, number: int, entry: Entry, force: bool) -> None:
        """Raises `UsageError`, before any work, if no certificate of a puzzle can be written."""
        for path in self._files(named(self.certificate, number, entry)) if self.certificate else ():
            require_writable(path, force)

    def write(
        self, number: int, entry: Entry, found: Claimed | str, limit: float | None, force: bool
    ) -> tuple[Exit, str]:
        """The pair of files, accepted by our checker, and what to say of it; UNKNOWN at the time limit (seconds)."""
        if isinstance(found, str):
            return Exit.OK, f"no certificate: {found}"
        claim, grids, objective, word_of = found
        try:
            made = certify(entry.puzzle, claim, grids, objective, limit, FORMATS[self.certificate_format])
        except TimeLimitError:
            word = f"; the answer is the word of {word_of}" if word_of else ""
            return Exit.UNKNOWN, f"no certificate: the time limit was reached{word}"
        except DisagreementError:
            # CP-SAT may have solved a wrong model of ours
            if word_of in ("", "CP-SAT"):
                raise
            raise WrongAnswerError(f"{word_of} said that there is no other or better solution, but there is") from None
        files = self._files(named(self.certificate or "", number, entry))
        for path, lines in zip(files, (made.model, made.proof), strict=True):
            with open_output(path, force, useless_in_part=True) as stream:
                stream.writelines(f"{line}\n" for line in lines)
        return Exit.OK, word_of and f"the certificate proves it, without the word of {word_of}"
