"""Recognise and read the links and files of other programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from ringdoku.domain.constraint import Constraint
from ringdoku.domain.errors import UsageError
from ringdoku.links import fpuzzles, iss, penpa, plain, sudokupad
from ringdoku.links.compression import decompress_repaired, refuse_length
from ringdoku.links.shared import ImportedPuzzle, shown

__all__ = ["FORMS", "PROGRAMS", "Form", "ImportedPuzzle", "is_link", "read_link"]

PROGRAMS: Mapping[str, frozenset[type[Constraint]]] = {
    "f-puzzles": fpuzzles.STATES,
    "SudokuPad": sudokupad.STATES,
    "Penpa+": penpa.STATES,
    "ISS": iss.STATES,
    "plain text": plain.STATES,
}
"""For each program the constraints that its links and files can state."""


class Form(NamedTuple):
    """A form in which puzzles are shared: its name, a function that recognises it, and a function that reads it.

    Both functions get the text without blanks around it. `read` raises `UsageError`.
    """

    name: str
    recognises: Callable[[str], bool]
    read: Callable[[str], ImportedPuzzle]


def is_link(text: str) -> bool:
    """Whether a text looks like a link or a file of another program, which `read_link` reads or refuses."""
    return _form(text.strip()) is not None


def read_link(text: str) -> ImportedPuzzle:
    """The puzzle of a link, of the part after its address, or of the JSON that is packed in it.

    Raises `UsageError` for a text that has no form of `FORMS`, is damaged, makes no sense or needs the network. The
    error says where, and what to use instead.
    """
    refuse_length(text)
    text = text.strip()
    form = _form(text)
    if form is None:
        raise UsageError(f"{shown(text)} is not a link or file of a puzzle program")
    try:
        return form.read(text)
    except UsageError as error:
        raise UsageError(f"{form.name}: {error}") from None


def _form(text: str) -> Form | None:
    return next((form for form in FORMS if form.recognises(text)), None)


# the parts of a link

_BARE = re.compile(r"(www\.)?(f-puzzles\.com|sudokupad\.app|app\.crackingthecryptic\.com)/")
_PACKED = re.compile(r"(fpuzzles|fpuz|scl|ctc)(?=N4|[0-9A-Za-z+/% ]{40})|(?=N4[0-9A-Za-z+/% ]{30})")
_FPUZZLES_JSON = re.compile(r'"grid"\s*:\s*\[\s*\[\s*\{')
_SUDOKUPAD_JSON = re.compile(r'["{,](cells|ce)"?\s*:\s*\[\s*\[\s*[{,\]]')


def _address(text: str) -> SplitResult | None:
    """The parts of a link, None if the text is not a link."""
    if _BARE.match(text):
        text = f"https://{text}"
    if not text.lower().startswith(("http://", "https://")):
        return None
    try:
        return urlsplit(text)
    except ValueError:
        return None


def _host(text: str) -> str:
    address = _address(text)
    return "" if address is None else (address.netloc.rpartition("@")[2].partition(":")[0].lower().removeprefix("www."))


def _fields(text: str) -> dict[str, str]:
    """The fields after `?` or `#`. Values are not decoded, since `+` is not a space in them."""
    _, _, fields = text.partition("#" if "?" not in text.partition("#")[0] else "?")
    return {name: value for name, _, value in (field.partition("=") for field in re.split("[&#]", fields))}


def _clean(payload: str) -> str:
    """Packed text without the changes that addresses and mails make."""
    for _ in range(3):
        if "%" in payload:
            payload = unquote(payload, errors="replace")
    return re.sub(r"[\r\n\t]", "", payload).replace(" ", "+")


def _short(address: str, then: str) -> UsageError:
    """The error for a link whose puzzle is elsewhere."""
    return UsageError(f"a short link needs the network: open {ascii(address[:100])[1:-1]} and paste {then}")


# the forms


def _read_packed(payload: str) -> ImportedPuzzle:
    """The puzzle of packed text, with or without `fpuz`, `scl` and so on before it. The file shows which program wrote
    it."""
    found = _PACKED.match(payload)
    packed = decompress_repaired(_clean(payload[found.end() :] if found else payload))
    if '"formatVersion"' in packed[:200]:
        raise UsageError(_SUDOKUMAKER)
    kind = found[1] if found else None
    if kind in ("scl", "ctc") or (kind is None and not _FPUZZLES_JSON.search(packed)):
        return sudokupad.read_sudokupad(packed)
    return fpuzzles.read_fpuzzles(packed)


def _read_fpuzzles_link(text: str) -> ImportedPuzzle:
    fields = _fields(text)
    if "load" in fields:
        return fpuzzles.read_fpuzzles(decompress_repaired(_clean(fields["load"])))
    if "id" in fields:
        raise _short(f"https://tinyurl.com/{fields['id']}", "the long address, with ?load=")
    raise UsageError("there is no puzzle in the address, such as ?load=N4Ig…")


def _read_sudokupad_link(text: str) -> ImportedPuzzle:
    address = _address(text)
    assert address is not None
    payload = _fields(text).get("puzzleid") or address.path.removeprefix("/").removeprefix("sudoku/")
    payload = payload.removeprefix("/")
    if _PACKED.match(payload):
        return _read_packed(payload)
    if not payload:
        raise UsageError("there is no puzzle in the address, such as /sclN4…")
    if payload.startswith("scf"):
        raise UsageError("scf links are not read; copy the digits instead")
    raise _short(f"https://sudokupad.app/api/puzzle/{payload}", "the text that it shows")


def _read_penpa_link(text: str) -> ImportedPuzzle:
    fields = _fields(text if _address(text) else f"?{text.lstrip('?#')}")
    if not fields.get("p"):
        raise UsageError("there is no puzzle in the address, such as ?m=solve&p=…")
    return penpa.read_penpa(_clean(fields["p"]), _clean(fields.get("a", "")))


def _is_penpa(text: str) -> bool:
    if re.match(r"[#?]?m=(edit|solve|solve_dup)&p=", text):
        return True
    address = _address(text)
    return address is not None and "penpa" in f"{address.netloc}{address.path}".lower()


def _read_iss(text: str) -> ImportedPuzzle:
    return ImportedPuzzle(iss.read_iss(text))


def _is_killer(text: str) -> bool:
    return len(text.split()) == 1 and (plain.is_short_killer(text) or plain.is_sumocue(text))


def _json_of(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: text.startswith("{") and pattern.search(text) is not None


def _refused(message: str) -> Callable[[str], ImportedPuzzle]:
    def refuse(text: str) -> ImportedPuzzle:
        raise UsageError(message.format(host=shown(_host(text) or text)))

    return refuse


def _refuse_tinyurl(text: str) -> ImportedPuzzle:
    raise _short(text, "the address that it leads to")


_SUDOKUMAKER = "links of SudokuMaker are not read; export the puzzle to f-puzzles or SudokuPad"
_LISUDOKU = "links of lisudoku are not read; export the puzzle to f-puzzles"
_OTHER = (
    "{host} is not a puzzle program whose links are read, and the address has no n² digits; copy the digits themselves"
)

FORMS: tuple[Form, ...] = (
    Form("the f-puzzles link", lambda text: _host(text) == "f-puzzles.com", _read_fpuzzles_link),
    Form(
        "the SudokuPad link",
        lambda text: _host(text).endswith(("sudokupad.app", "crackingthecryptic.com")),
        _read_sudokupad_link,
    ),
    Form("the Penpa+ link", _is_penpa, _read_penpa_link),
    Form("the ISS link", lambda text: "Interactive-Sudoku-Solver" in text.partition("?")[0], _read_iss),
    Form("the SudokuMaker link", lambda text: _host(text).endswith("sudokumaker.app"), _refused(_SUDOKUMAKER)),
    Form("the lisudoku link", lambda text: _host(text).endswith("lisudoku.xyz"), _refused(_LISUDOKU)),
    Form("the link", lambda text: _host(text) == "tinyurl.com", _refuse_tinyurl),
    Form("the ISS text", iss.is_iss, _read_iss),
    Form("the killer", _is_killer, _read_iss),
    Form("the jigsaw", plain.is_jigsaw, lambda text: ImportedPuzzle(plain.read_jigsaw(text))),
    Form(
        "the list of candidates",
        lambda text: len(text.split()) == 1 and plain.is_candidates(text),
        lambda text: ImportedPuzzle(plain.read_candidates(text)),
    ),
    Form("the packed puzzle", lambda text: _PACKED.match(text) is not None and text.isascii(), _read_packed),
    Form("the f-puzzles file", _json_of(_FPUZZLES_JSON), fpuzzles.read_fpuzzles),
    Form("the SudokuPad file", _json_of(_SUDOKUPAD_JSON), sudokupad.read_sudokupad),
    # any other address, for its own error message
    Form("the link", lambda text: _address(text) is not None, _refused(_OTHER)),
)
"""Every form, in the order in which they are tried. A new form is a new entry."""
