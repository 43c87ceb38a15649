"""`--template`: answers in a form of the user's."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SOLVED, NONE, MANY = "1234341221434321", "11..............", "1..............."


@pytest.mark.parametrize(
    ("command", "template", "printed"),
    [
        ("solve", "case", f"Case #1:\n{SOLVED}\nCase #2:\nno solution\n"),
        ("solve", "scenario", f"Scenario #1:\n{SOLVED}\n\nScenario #2:\nno solution\n\n"),
        ("solve", "solvable", "Yes\nNo\n"),
        ("solve", "unique", "Yes\nNo\n"),
        ("solve", "solutions", "1\n0\n"),
        ("solve", r"{number}:\n[{grid}]{{}}", f"1:\n[{SOLVED}]{{}}\n2:\n[]{{}}\n"),
        ("maximise", "Case #{number}: {answer}", "Case #1: 250\nCase #2: -1\n"),
        ("maximise", "{score} {solvable}", "250 Yes\n-1 No\n"),
        ("maximise", "{score}/{grid}", f"250/{SOLVED}\n-1/\n"),
    ],
)
def test_fields_and_ready_templates(ringdoku_here: Run, command: str, template: str, printed: str) -> None:
    done = ringdoku_here(command, "--template", template, input=f"{SOLVED}\n{NONE}\n")
    assert done.stdout == printed


def test_layouts_and_all_solutions(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--template", "case", "--output-format", "spaced", input=SOLVED)
    assert done.stdout == "Case #1:\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
    done = ringdoku_here("solve", "--all", "--template", "{number} {answer}", input=f"{MANY}\n{SOLVED}\n")
    lines = done.stdout.splitlines()
    assert (len(lines), lines[0][:2], lines[71][:2], lines[72]) == (73, "1 ", "1 ", f"2 {SOLVED}")
    assert ringdoku_here("solve", "--template", "{unique}{solutions}", input=MANY).stdout == "No72\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "--template", "{digit}"), "--template has no field {digit}; there are: number, name, answer"),
        (("solve", "--template", "{score:5}"), "--template has no field {score}"),
        (("solve", "--template", "{"), "--template '{': "),
        (("solve", "--template", "cases"), "--template 'cases' has no field in braces"),
        (("solve", "--template", "case", "--output-format", "json"), "--template cannot go with"),
        (("maximise", "--template", "case", "--top", "2"), "--template cannot go with"),
    ],
)
def test_templates_that_make_no_sense_are_refused(ringdoku_here: Run, arguments: tuple[str, ...], message: str) -> None:
    done = ringdoku_here(*arguments, input=SOLVED)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
