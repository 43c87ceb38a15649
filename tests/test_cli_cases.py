"""What commands print for small inputs, and their exit codes: one row a case; samples of the contest problems through
the console script, byte for byte; and digests of longer answers."""

import shlex
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import FIXTURES, SCRIPT, Run

from ringdoku import __version__

LINE, SOLVED, SECOND = "1.....1...4.....", "1234341221434321", "2143432112343412"
BLANK, MANY, TWELVE = "." * 16, "1" + "." * 15, "12.3" + "." * 12
NONE, HIDDEN = "11" + "." * 14, "123....4........"
"""No solution: two clues that contradict each other, and none that do."""
MALFORMED = "1" + "." * 13
REASON = "ringdoku: <stdin>:{}: the clues contradict each other: row 1 has 1 in r1c1, r1c2\n"
LARGE = "\n".join([" ".join(["."] * 36)] * 36)
LIMITED = ("--backend", "search", "--time-limit", "0.001")
PACKED = "1234\n3412\n2143\n4321\n"
SPACED = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
EACH = ("--template", "{number} {answer}")


@pytest.mark.parametrize(
    ("command", "text", "code", "printed"),
    [
        # how commands end
        ("solve", SOLVED, 0, SOLVED),
        ("solve", f"{NONE}\n{SOLVED}", 1, f"no solution\n{SOLVED}"),
        ("solve", HIDDEN, 1, "no solution"),
        ("solve", f"{SOLVED}\n{MALFORMED}\n{SOLVED}", 2, SOLVED),
        ("solve --keep-going", f"{SOLVED}\n{MALFORMED}\n{NONE}\n{SOLVED}", 2, f"{SOLVED}\nno solution\n{SOLVED}"),
        (("solve", *LIMITED), LARGE, 3, "unknown"),
        ("maximise", SOLVED, 0, "250"),
        ("maximise", f"{NONE}\n{SOLVED}", 0, "-1\n250"),
        ("maximise", f"{SOLVED}\n{MALFORMED}\n{SOLVED}", 2, "250"),
        (("maximise", *LIMITED), LARGE, 3, "unknown"),
        ("solve", "......\n" * 6, 2, ""),
        # layouts
        ("maximise --grid", f"{SOLVED}\n{NONE}", 0, f"250\n{SOLVED}\n-1"),
        ("maximise --grid --output-format packed", SOLVED, 0, f"250\n{PACKED}"),
        ("solve --output-format spaced", SOLVED, 0, SPACED),
        ("solve --output-format line", PACKED, 0, SOLVED),
        # counts
        ("count", f"{BLANK}\n{TWELVE}\n{NONE}", 0, "288\n12\n0"),
        ("count --backend search --rule diagonal", BLANK, 0, "48"),
        ("count --at-most 11", TWELVE, 3, "at least 11"),
        ("count --at-most 12", TWELVE, 0, "12"),
        ("count --at-most 13", TWELVE, 0, "12"),
        # candidates
        ("candidates", NONE, 1, "no solution"),
        ("candidates --time-limit 1e-9", "." * 81, 3, "unknown"),
        # templates
        ("solve --template case", f"{SOLVED}\n{NONE}", 1, f"Case #1:\n{SOLVED}\nCase #2:\nno solution"),
        ("solve --template scenario", f"{SOLVED}\n{NONE}", 1, f"Scenario #1:\n{SOLVED}\n\nScenario #2:\nno solution\n"),
        ("solve --template solvable", f"{SOLVED}\n{NONE}", 1, "Yes\nNo"),
        ("solve --template unique", f"{SOLVED}\n{NONE}", 1, "Yes\nNo"),
        ("solve --template solutions", f"{SOLVED}\n{NONE}", 1, "1\n0"),
        ("solve --template {unique}{solutions}", MANY, 0, "No72"),
        (("solve", "--template", "{unique} {solutions}", "--time-limit", "1"), "." * 81, 3, "No unknown"),
        (("maximise", "--template", "{solutions}", "--time-limit", "1"), "." * 81, 3, "unknown"),
        (("solve", "--template", r"{number}\n[{grid}]{{}}"), f"{SOLVED}\n{NONE}", 1, f"1\n[{SOLVED}]{{}}\n2\n[]{{}}"),
        ("solve --template case --output-format spaced", SOLVED, 0, f"Case #1:\n{SPACED}"),
        (("maximise", *EACH), f"{SOLVED}\n{NONE}", 0, "1 250\n2 -1"),
        (("maximise", "--template", "{score} {solvable}"), f"{SOLVED}\n{NONE}", 0, "250 Yes\n-1 No"),
        # verdicts
        ("check", LINE, 0, "<stdin>:1: well-formed, 3 clues"),
        ("check", MANY, 0, "<stdin>:1: well-formed, 1 clue"),
        ("check", "1..1" + "." * 12, 1, "<stdin>:1: contradictory clues\n  row 1 has 1 in r1c1, r1c4"),
        ("check --unique", SOLVED[:-1] + ".", 0, "<stdin>:1: well-formed, 15 clues, exactly one solution"),
        ("check --unique", LINE, 1, "<stdin>:1: well-formed, 3 clues, more than one solution"),
        ("check --unique", HIDDEN, 1, "<stdin>:1: well-formed, 4 clues, no solution"),
        (("check", "--unique", *LIMITED), LARGE, 3, "<stdin>:1: well-formed, 0 clues, unknown number of solutions"),
    ],
)
def test_outputs(ringdoku_here: Run, command: str | tuple[str, ...], text: str, code: int, printed: str) -> None:
    arguments = command.split() if isinstance(command, str) else command
    done = ringdoku_here(*arguments, input=f"{text}\n")
    assert (done.returncode, done.stdout.rstrip("\n")) == (code, printed.rstrip("\n"))
    says_why = arguments[0] in ("solve", "maximise", "candidates") and NONE in text
    reason = REASON.format(text.split("\n").index(NONE) + 1) if says_why else REASON[-20:]
    assert (reason in done.stderr) is bool(says_why)
    assert "Traceback" not in done.stderr


def test_a_template_is_for_each_solution(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--all", *EACH, input=f"{MANY}\n{SOLVED}\n")
    lines = done.stdout.splitlines()
    assert (len(lines), lines[0][:2], lines[71][:2], lines[72]) == (73, "1 ", "1 ", f"2 {SOLVED}")


SAMPLES = {"b4279": "solve", "nyoj722": "solve", "rules": "solve", "p1074-1": "maximise", "p1074-2": "maximise"}


@pytest.mark.parametrize(("name", "command"), SAMPLES.items())
def test_a_sample_from_a_file_and_from_standard_input(ringdoku: Run, command: str, name: str) -> None:
    file, expected = FIXTURES / f"{name}.in", (FIXTURES / f"{name}.out").read_text()
    for done in (ringdoku(command, file), ringdoku(command, input=file.read_text())):
        assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


@pytest.mark.parametrize("line", (FIXTURES / "digests.txt").read_text().splitlines()[1:])
def test_what_is_printed_stays(ringdoku_here: Run, tmp_path: Path, line: str) -> None:
    """Puzzles of a seed, models, steps: what people keep, or compare with what others have."""
    digest, *asked = shlex.split(line.replace("fixtures", str(FIXTURES)).replace("FOLDER", str(tmp_path / "new")))
    printed = ringdoku_here(*asked).stdout.replace(__version__, "VERSION")
    assert sha256(printed.encode()).hexdigest()[:12] == digest


def test_output_has_unix_line_ends_and_maximize_is_maximise(ringdoku_here: Run) -> None:
    ask: list[str | Path] = [SCRIPT, "solve", FIXTURES / "nyoj722.in"]
    done = subprocess.run(ask, capture_output=True, timeout=60, check=True)
    assert done.stdout == (FIXTURES / "nyoj722.out").read_bytes()
    assert ringdoku_here("maximize", FIXTURES / "p1074-1.in").stdout == "2829\n"
