"""Recognise, read and write the links and files of other programs."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote, unquote

from ringdoku.domain import Constraint, Puzzle, UsageError, refuse
from ringdoku.links import fpuzzles, iss, penpa, plain, sudokupad, sudokuwiki
from ringdoku.links.compression import compress, decompress, refuse_length
from ringdoku.links.iss_writer import write_iss
from ringdoku.links.shared import ImportedPuzzle
from ringdoku.links.values import shown

__all__ = ["FORMS", "LINKS", "PROGRAMS", "WITH_SOLUTION", "Form", "ImportedPuzzle", "is_link", "read_link"]

PROGRAMS: Mapping[str, frozenset[type[Constraint]]] = {
    "f-puzzles": fpuzzles.STATES,
    "SudokuPad": sudokupad.STATES,
    "Penpa+": penpa.STATES,
    "ISS": iss.STATES,
    "sudokuwiki.org": sudokuwiki.STATES,
    "plain text": plain.STATES,
}
"""For each program the constraints that its links and files can state."""


LINKS: Mapping[str, Callable[[ImportedPuzzle], str]] = {
    "fpuzzles": lambda imported: f"https://www.f-puzzles.com/?load={compress(fpuzzles.write_fpuzzles(imported))}",
    # SudokuPad opens files of f-puzzles too
    "sudokupad": lambda imported: (
        f"https://sudokupad.app/fpuzzles{quote(compress(fpuzzles.write_fpuzzles(imported, 'SudokuPad')), '')}"
    ),
    "penpa": lambda imported: f"https://swaroopg92.github.io/penpa-edit/#m=solve&{penpa.write_penpa(imported)}",
    # ISS has no title, author and text of rules
    "iss": lambda imported: f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(write_iss(imported.puzzle))}",
    "sudokuwiki": sudokuwiki.write_sudokuwiki,
}
"""The functions that write links, by program. Each raises `UsageError` for the first rule that it cannot state."""
WITH_SOLUTION = frozenset({"fpuzzles", "sudokupad", "penpa"})
"""The links that contain the solution if it is known."""


class Form(NamedTuple):
    """A form in which puzzles are shared: its name, a function that recognises it, and a function that reads it. Both
    functions get the text without blanks around it. `read` raises `UsageError`."""

    name: str
    recognises: Callable[[str], object]
    read: Callable[[str], ImportedPuzzle | Puzzle]


def is_link(text: str, is_source: bool = False) -> bool:
    """Whether a text looks like a link or a file of another program, which `read_link` reads or refuses. An address
    that may only say where a puzzle is from (`is_source`) is none below 75 characters, or if it is of another site."""
    form = _form(text.strip())
    return form is not None and not (is_source and "//" in text and (form is FORMS[-1] or len(text) < 75))


def read_link(text: str) -> ImportedPuzzle:
    """The puzzle of a link, of the part after its address, or of the JSON that is packed in it. Raises `UsageError` for
    a text without a form of `FORMS`, or one that is damaged or needs the network: where, and what to use instead."""
    refuse_length(text)
    text = text.strip()
    form = _form(text)
    if form is None:
        raise UsageError(f"{shown(text)} is not a link or file of a puzzle program")
    try:
        found = form.read(text)
        return ImportedPuzzle(found) if isinstance(found, Puzzle) else found
    except UsageError as error:
        raise UsageError(f"{form.name}: {error}") from None


def _form(text: str) -> Form | None:
    return next((form for form in FORMS if form.recognises(text)), None)


_PACKED = re.compile(r"(fpuzzles|fpuz|scl|ctc)(?=N4|[0-9A-Za-z+/% ]{40})|(?=N4[0-9A-Za-z+/% ]{30})")
_FPUZZLES_GRID = r'"grid"\s*:\s*\[\s*\[\s*\{'
_SUDOKUPAD_CELLS = r'["{,](cells|ce)"?\s*:\s*\[\s*\[\s*[{,\]]'


def _matches(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL).match


def _link_to(host: str) -> Callable[[str], object]:
    """The function that says whether a text is a link to a host or a subdomain, perhaps without `https://`."""
    return _matches(rf"https?://([^/?#]*[.@])?({host})(:[0-9]+)?([/?#]|$)|(www\.|app\.)?({host})/")


def _address_fields(text: str) -> dict[str, str]:
    """The fields of an address after `?` or `#`. Their values are not decoded, since `+` is not a space in them."""
    _, _, fields = text.partition("#" if "?" not in text.partition("#")[0] else "?")
    return {name: value for name, _, value in (field.partition("=") for field in re.split("[&#]", fields))}


def _unescaped(payload: str) -> str:
    """Packed text without the escapes and line ends that addresses and mails add."""
    for _ in range(3):
        payload = unquote(payload, errors="replace")
    return re.sub(r"[\r\n\t]", "", payload).replace(" ", "+")


def _short_link_error(address: str, then: str) -> UsageError:
    """The error for a short link, whose puzzle is on a server."""
    return UsageError(f"a short link needs the network: open {ascii(address[:100])[1:-1]} and paste {then}")


def _read_packed(payload: str) -> ImportedPuzzle:
    """The puzzle of packed text, perhaps after `fpuz`, `scl` or the like. Without that the file shows its program."""
    _, kind, packed = _PACKED.split(payload, maxsplit=1)
    text = decompress(_unescaped(packed))
    if kind in ("scl", "ctc") or (kind is None and not re.search(_FPUZZLES_GRID, text)):
        return sudokupad.read_sudokupad(text)
    return fpuzzles.read_fpuzzles(text)


def _read_fpuzzles_link(text: str) -> ImportedPuzzle:
    fields = _address_fields(text)
    if "load" in fields:
        return fpuzzles.read_fpuzzles(decompress(_unescaped(fields["load"])))
    if "id" in fields:
        raise _short_link_error(f"https://tinyurl.com/{fields['id']}", "the long address, with ?load=")
    raise UsageError("there is no puzzle in the address, such as ?load=N4Ig…")


def _read_sudokupad_link(text: str) -> ImportedPuzzle:
    path = re.sub("^(https?://)?[^/]*/?", "", re.split("[?#]", text)[0], flags=re.IGNORECASE)
    payload = (_address_fields(text).get("puzzleid") or path.removeprefix("sudoku/")).removeprefix("/")
    if _PACKED.match(payload):
        return _read_packed(payload)
    refuse(not payload, "there is no puzzle in the address, such as /sclN4…")
    raise _short_link_error(f"https://sudokupad.app/api/puzzle/{payload}", "the text that it shows")


def _read_penpa_link(text: str) -> ImportedPuzzle:
    fields = _address_fields(text if "://" in text[:8] else f"?{text.lstrip('?#')}")
    refuse(not fields.get("p"), "there is no puzzle in the address, such as ?m=solve&p=…")
    return penpa.read_penpa(_unescaped(fields["p"]), _unescaped(fields.get("a", "")))


def _refuse_other_address(text: str) -> ImportedPuzzle:
    host = re.split("[/?#]", text)[2].rpartition("@")[2].partition(":")[0].lower().removeprefix("www.")
    why = "is not a puzzle program whose links are read, and the address has no n² digits"
    then = "paste where it leads to, or the digits, or export the puzzle to f-puzzles"
    raise UsageError(f"{shown(host or text)} {why}; {then}")


FORMS: tuple[Form, ...] = (
    Form("the f-puzzles link", _link_to(r"f-puzzles\.com"), _read_fpuzzles_link),
    Form("the SudokuPad link", _link_to(r"sudokupad\.app|crackingthecryptic\.com"), _read_sudokupad_link),
    Form("the Penpa+ link", _matches("https?://[^?#]*penpa|[#?]?m=(edit|solve|solve_dup)&p="), _read_penpa_link),
    Form("the ISS link", lambda text: "Interactive-Sudoku-Solver" in text.partition("?")[0], iss.read_iss),
    Form("the ISS text", iss.is_iss, iss.read_iss),
    Form("the sudokuwiki.org text", sudokuwiki.is_sudokuwiki, sudokuwiki.read_sudokuwiki),
    Form("the killer", plain.is_short_killer, plain.read_short_killer),
    Form("the killer", _matches("3x3:d?:k:"), plain.read_sumocue),
    Form("the jigsaw", plain.is_jigsaw, plain.read_jigsaw),
    Form("the list of candidates", plain.is_candidates, plain.read_candidates),
    Form("the packed puzzle", lambda text: _PACKED.match(text) and text.isascii(), _read_packed),
    Form("the f-puzzles file", _matches(rf"\{{.*?{_FPUZZLES_GRID}"), fpuzzles.read_fpuzzles),
    Form("the SudokuPad file", _matches(rf"(?=\{{).*?{_SUDOKUPAD_CELLS}"), sudokupad.read_sudokupad),
    # any other address, for its own error message
    Form("the link", _matches(r"https?://[^\[\]]"), _refuse_other_address),
)
"""Every form, in the order in which they are tried."""
