"""What commands say that a table of their output does not show, and what they refuse before anything is written."""

import re
import shlex
from pathlib import Path

import pytest
from conftest import Run

FOUR, SMALL = "1...\n.2..\n..3.\n...4\n", "12..341221.34.21"
MARKS = "1... .2.. 1..4 ...4" + " 1234" * 12
INPUTS = {
    "in": FOUR,
    "two": FOUR * 2,
    "ended": f"{FOUR}\nend\n\n{FOUR}",
    "named": f"A diagonal\n{FOUR}",
    "f-puzzles": '{"size":4,"grid":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"ruleset":"Anti-knight."}',
    "line": SMALL,
    "few": "..3..4..2......1",
    "titles": "Title: A\nTitle: B\n\n..3..4..2......1",
    "open": "..34..1221434321",
    "several": "..343412..434321",
    "blank": "." * 16,
    "none": "1.1.............",
    "hard": "600030000080409050000002900000600042090050003005007000800000701103900400000000800",
    "grid": "174593826952816347638247591286159473519734268743682915491375682367428159825961734",
    "fish": "...15......8..4.21.......569....8...2..5.73....4...2...5...2.....16....84.93.....",
    "slow": "100007090030020008009600500005300900010080002600004000300000010040000007007000300",
    # what a player has: digits, or for each cell the marks that are left
    "good": SMALL.replace("12..", "123."),
    "bad": SMALL.replace("12..", "124."),
    "apart": "1.3434121.434321",
    "fewer": MARKS.replace(" ", ""),
    "right": MARKS.replace(" ", "").replace("1..4", "..34"),
    "ruled": f"diagonal\n{SMALL}",
    "long": "." * 81,
    "weights": "\n".join(" ".join(str(min(c, 80 - c) ** 2 * 5 % 67) for c in range(r, r + 9)) for r in range(0, 81, 9)),
    "rows": "X...\n...",
    "wrong": "12x4",
    "empty": "",
}
SAID = (Path(__file__).parents[1] / "fixtures" / "said.txt").read_text()
CASES = re.findall(r"^(\w.*)\n  ([0-9]) (.*)((?:\n  \+ .*)*)", SAID, re.MULTILINE)


@pytest.mark.parametrize(("line", "code", "first", "others"), CASES)
def test_what_is_said(ringdoku_here: Run, tmp_path: Path, line: str, code: str, first: str, others: str) -> None:
    for name, text in INPUTS.items():
        (tmp_path / f"{name}.txt").write_text(f"{text}\n" * bool(text))
    done = ringdoku_here(*shlex.split(line.replace("\\n", "\n")), cwd=tmp_path)
    printed = done.stdout + done.stderr
    missing = [part for part in (first, *others.split("\n  + ")[1:]) if part not in printed]
    assert (done.returncode, missing) == (int(code), [])
    if code == "2":
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)
        assert {path.stem for path in tmp_path.iterdir()} == set(INPUTS)
