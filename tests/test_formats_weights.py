"""Reading a matrix of weights."""

from __future__ import annotations

from io import BytesIO

import pytest

from ringdoku.domain.errors import InputError
from ringdoku.text import read_weights


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1", ((1,),)),
        ("1 2\n3 4\n\n5 6\n", ((1, 2), (3, 4), (5, 6))),
        ("# rings\n\n6, -7\n+8\t0 # last\n", ((6, -7), (8, 0))),
        ("\ufeff1 2 \r\n3 4\r\n", ((1, 2), (3, 4))),
        ("999999999 -999999999\n0 -0", ((999999999, -999999999), (0, 0))),
    ],
)
def test_weights(text: str, rows: tuple[tuple[int, ...], ...]) -> None:
    assert read_weights(BytesIO(text.encode())) == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "w:1:1: found the end of the input after 0 rows, expected rows of weights"),
        ("1 2\n3\n", "w:2:2: found 1 weight, expected 2 in each row"),
        ("1 2\n3 4 5\n", "w:2:5: found 3 weights, expected 2 in each row"),
        ("1\n" * 1025, "w:1025:1: found row 1025, expected at most 1024 rows"),
        ("1 2\n3 x\n", "w:2:3: found 'x', expected integers"),
        ("1 2.5\n", "w:1:4: found '.', expected integers"),
        ("1 １\n", "w:1:3: found '１' U+FF11 FULLWIDTH DIGIT ONE, expected integers"),
        ("1 −1\n", "w:1:3: found '−' U+2212 MINUS SIGN, expected integers"),
        ("1 2-1\n", "w:1:3: found '2-1', expected an integer of at most nine digits"),
        ("1 1234567890\n", "w:1:3: found '1234567890', expected an integer of at most nine digits"),
        ("1 \0\n", "w:1:3: found U+0000 control character, expected text without control characters"),
        ("0 " * 1025, "w:1:2049: found 1025 weights, expected 1024 in each row"),
    ],
)
def test_malformed_weights(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_weights(BytesIO(text.encode()), "w")
    assert str(error.value) == message
