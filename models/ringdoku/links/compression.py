"""Pack and unpack the data of links, within limits: lz-string (base64 and URI forms) and raw deflate.

lz-string is pieroxy's LZW variant: codes grow from 2 bits, each read from its lowest bit on, six bits a character.
"""

import base64
import zlib

from ringdoku.domain import UsageError, refuse

MAX_PACKED = 2_000_000
"""The most characters of a link or of another program's file. It may unpack to at most twice as many."""

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BITS = {digit: f"{value:06b}" for value, digit in enumerate(_DIGITS)} | {"-": "111111"}


def decompress(packed: str) -> str:
    """The text packed in lz-string's base64 (`+/=`) or URI (`+-$`) form. Raises `UsageError` for other characters, for
    a text that is cut off or has an impossible code, and beyond the limits."""
    refuse_length(packed)
    packed = packed.rstrip("=$")
    try:
        bits = "".join([_BITS[digit] for digit in packed])
    except KeyError as error:
        place = packed.index(error.args[0]) + 1
        raise UsageError(f"character {place} of the link's data is {error.args[0]!a}, which is not base64") from None
    # characters above 16 bits come as surrogate pairs
    return "".join(_phrases(bits)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _phrases(bits: str) -> list[str]:
    place = 0

    def read(width: int) -> int:
        nonlocal place
        code = bits[place : place + width]
        if len(code) < width:
            raise UsageError(f"the link's data stops after {len(bits) // 6} characters without its end: it is cut off")
        place += width
        return int(code[::-1], 2)

    # codes 0 and 1 announce a new character of 8 or 16 bits, 2 is the end; the dictionary begins at entry 3
    dictionary = ["", "", ""]
    width, length, before = 2, 0, ""
    found: list[str] = []
    while (code := read(width)) != 2:
        if code < 2:
            dictionary.append(chr(read(8 + 8 * code)))
            code = len(dictionary) - 1
        if code < len(dictionary):
            entry = dictionary[code]
        elif code == len(dictionary) and before:
            entry = before + before[0]
        else:
            raise UsageError(f"character {place // 6} of the link's data cannot follow: the link is damaged")
        found.append(entry)
        length += len(entry)
        refuse(length > 2 * MAX_PACKED, f"the link unpacks to more than {2 * MAX_PACKED} characters")
        if before:
            dictionary.append(before + entry[0])
        before = entry
        # the next code may be that of the entry which is not yet complete
        width = max(3, len(dictionary).bit_length())
    return found


def compress(text: str) -> str:
    """The text packed in lz-string's base64 form, as `decompress` reads it."""
    data = text.encode("utf-16-le")
    units = "".join(chr(data[place] + 256 * data[place + 1]) for place in range(0, len(data), 2))
    # the code of each phrase in the reader's dictionary when it comes to `start`
    codes: dict[str, int] = {}
    fields: list[tuple[int, int]] = []
    width, start, phrase = 2, 0, ""
    while start < len(units):
        first, end = units[start], start + 1
        if is_new := first not in codes:
            is_wide = first > "\xff"
            fields += [(int(is_wide), width), (ord(first), 16 if is_wide else 8)]
            codes[first] = len(codes) + 3
        if phrase:
            codes[phrase + first] = len(codes) + 3
        while end < len(units) and units[start : end + 1] in codes:
            end += 1
        phrase, start = units[start:end], end
        if not is_new:
            fields.append((codes[phrase], width))
        width = max(3, (len(codes) + 3).bit_length())
    fields.append((2, width))
    stream = "".join(f"{code:0{width}b}"[::-1] for code, width in fields) + "0"
    stream += "0" * (-len(stream) % 6)
    packed = "".join(_DIGITS[int(stream[place : place + 6], 2)] for place in range(0, len(stream), 6))
    return packed + "=" * (-len(packed) % 4)


def inflate(packed: str) -> bytes:
    """The text packed in base64 and raw deflate, Penpa's form. Raises `UsageError` as `decompress`."""
    unpacker = zlib.decompressobj(-15)
    try:
        plain = unpacker.decompress(from_base64(packed), 2 * MAX_PACKED)
    except zlib.error:
        raise UsageError("the link's data cannot be inflated: it is damaged") from None
    refuse(unpacker.unconsumed_tail, f"the link unpacks to more than {2 * MAX_PACKED} characters")
    refuse(not unpacker.eof, "the link's data stops without its end: it is cut off")
    return plain


def deflate(text: str) -> str:
    """The text packed as `inflate` reads it."""
    return base64.b64encode(zlib.compress(text.encode(), 9, -15)).decode()


def from_base64(code: str) -> bytes:
    """The bytes of a base64 text in either alphabet, with or without padding. Raises `UsageError`."""
    code = code.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(code + "=" * (-len(code) % 4), validate=True)
    except ValueError:
        raise UsageError("the link's data is not base64: it is damaged or cut off") from None


def refuse_length(packed: str) -> None:
    """Raise `UsageError` for more than `MAX_PACKED` characters."""
    refuse(len(packed) > MAX_PACKED, f"a link or its file has at most {MAX_PACKED} characters, not {len(packed)}")
