"""Recognise and read the links and files of other programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from ringdoku.domain.errors import UsageError
from ringdoku.links.compression import decompress_repaired, refuse_length
from ringdoku.links.fpuzzles import read_fpuzzles
from ringdoku.links.iss import is_iss, read_iss
from ringdoku.links.killer import is_short_killer, is_sumocue
from ringdoku.links.penpa import read_penpa
from ringdoku.links.plain import is_candidates, is_jigsaw, read_candidates, read_jigsaw
from ringdoku.links.shared import Shared, shown
from ringdoku.links.sudokupad import read_sudokupad

__all__ = ["FORMS", "Form", "Shared", "is_link", "read_link"]


@dataclass(frozen=True)
class Form:
    """A form in which puzzles are shared: its name, a function that recognises it, and a function that reads it.

    Both functions get the text without blanks around it. `read` raises `UsageError`.
    """

    name: str
    recognises: Callable[[str], bool]
    read: Callable[[str], Shared]


def is_link(text: str) -> bool:
    """Whether a text looks like a link or a file of another program, which `read_link` reads or refuses."""
    return _form(text.strip()) is not None


def read_link(text: str) -> Shared:
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


def _printable(address: str) -> str:
    return ascii(address[:100])[1:-1]


def _clean(payload: str) -> str:
    """Packed text without the changes that addresses and mails make."""
    for _ in range(3):
        if "%" in payload:
            payload = unquote(payload, errors="replace")
    return re.sub(r"[\r\n\t]", "", payload).replace(" ", "+")


def _read_packed(payload: str) -> Shared:
    """The puzzle of packed text, with or without `fpuz`, `scl` and so on before it. The file shows which program wrote
    it."""
    found = _PACKED.match(payload)
    packed = decompress_repaired(_clean(payload[found.end() :] if found else payload))
    if '"formatVersion"' in packed[:200]:
        return _refuse_sudokumaker(payload)
    kind = found[1] if found else None
    if kind in ("scl", "ctc") or (kind is None and not _FPUZZLES_JSON.search(packed)):
        return read_sudokupad(packed)
    return read_fpuzzles(packed)


# the forms


def _read_fpuzzles_link(text: str) -> Shared:
    fields = _fields(text)
    if "load" in fields:
        return read_fpuzzles(decompress_repaired(_clean(fields["load"])))
    if "id" in fields:
        opened = _printable(f"https://tinyurl.com/{fields['id']}")
        raise UsageError(f"a short link needs the network: open {opened} and paste the long address, with ?load=")
    raise UsageError("there is no puzzle in the address, such as ?load=N4Ig…")


def _read_sudokupad_link(text: str) -> Shared:
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
    opened = _printable(f"https://sudokupad.app/api/puzzle/{payload}")
    raise UsageError(f"a short link needs the network: open {opened} and paste the text that it shows")


def _read_penpa_link(text: str) -> Shared:
    fields = _fields(text if _address(text) else f"?{text.lstrip('?#')}")
    if not fields.get("p"):
        raise UsageError("there is no puzzle in the address, such as ?m=solve&p=…")
    return read_penpa(_clean(fields["p"]), _clean(fields.get("a", "")))


def _refuse_sudokumaker(_: str) -> Shared:
    raise UsageError("links of SudokuMaker are not read; export the puzzle to f-puzzles or SudokuPad")


def _refuse_lisudoku(_: str) -> Shared:
    raise UsageError("links of lisudoku are not read; export the puzzle to f-puzzles")


def _refuse_tinyurl(text: str) -> Shared:
    raise UsageError(f"a short link needs the network: open {_printable(text)} and paste the address that it leads to")


def _refuse_address(text: str) -> Shared:
    raise UsageError(
        f"{shown(_host(text) or text)} is not a puzzle program whose links are read, and the address has no n² digits; "
        "copy the digits themselves"
    )


def _read_iss(text: str) -> Shared:
    return Shared(read_iss(text))


def _read_jigsaw(text: str) -> Shared:
    return Shared(read_jigsaw(text))


def _read_candidates(text: str) -> Shared:
    return Shared(read_candidates(text))


def _one_word(text: str) -> str:
    """The text, empty if it has several words."""
    return "" if len(text.split()) > 1 else text


def _is_penpa(text: str) -> bool:
    if re.match(r"[#?]?m=(edit|solve|solve_dup)&p=", text):
        return True
    address = _address(text)
    return address is not None and "penpa" in f"{address.netloc}{address.path}".lower()


def _json_of(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: text.startswith("{") and pattern.search(text) is not None


FORMS: tuple[Form, ...] = (
    Form("the f-puzzles link", lambda text: _host(text) == "f-puzzles.com", _read_fpuzzles_link),
    Form(
        "the SudokuPad link",
        lambda text: _host(text).endswith(("sudokupad.app", "crackingthecryptic.com")),
        _read_sudokupad_link,
    ),
    Form("the Penpa+ link", _is_penpa, _read_penpa_link),
    Form("the ISS link", lambda text: "Interactive-Sudoku-Solver" in text.partition("?")[0], _read_iss),
    Form("the SudokuMaker link", lambda text: _host(text).endswith("sudokumaker.app"), _refuse_sudokumaker),
    Form("the lisudoku link", lambda text: _host(text).endswith("lisudoku.xyz"), _refuse_lisudoku),
    Form("the link", lambda text: _host(text) == "tinyurl.com", _refuse_tinyurl),
    Form("the ISS text", is_iss, _read_iss),
    Form("the killer", lambda text: is_short_killer(_one_word(text)) or is_sumocue(_one_word(text)), _read_iss),
    Form("the jigsaw", is_jigsaw, _read_jigsaw),
    Form("the list of candidates", lambda text: is_candidates(_one_word(text)), _read_candidates),
    Form("the packed puzzle", lambda text: _PACKED.match(text) is not None and text.isascii(), _read_packed),
    Form("the f-puzzles file", _json_of(_FPUZZLES_JSON), read_fpuzzles),
    Form("the SudokuPad file", _json_of(_SUDOKUPAD_JSON), read_sudokupad),
    # any other address, for its own error message
    Form("the link", lambda text: _address(text) is not None, _refuse_address),
)
"""Every form, in the order in which they are tried. A new form is a new entry."""
