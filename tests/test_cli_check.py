"""`ringdoku check`: verdicts on puzzles, filled grids and uniqueness."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from conftest import FIXTURES, Run

from ringdoku import TimeLimitError
from ringdoku.services import needs
from ringdoku_cli.commands import count

LINE, BLANK, NONE = "1.....1...4.....", "." * 16, "11.............."
SOLVED, SECOND = "1234341221434321", "2143432112343412"
BEST = "3124243113424213"
"""The best grid of a blank 4×4 board, whose score is 254."""
CLUE_CHANGED = "2143341212344321"
P1074 = "".join((FIXTURES / "p1074-1.in").read_text().split())

CASES = f"""
1 | {LINE} {LINE} {LINE} | {SOLVED} {CLUE_CHANGED} 1.{SOLVED[2:]} |
1: right solution, score 250
2: wrong solution, score 250
  r1c1 is 2, but the clue is 1
  r3c3 is 3, but the clue is 4
3: wrong solution
  r1c2 is blank

1 | puzzle,solution {LINE},{SOLVED} {LINE},{CLUE_CHANGED} | |
2: right solution, score 250
3: wrong solution, score 250
  r1c1 is 2, but the clue is 1
  r3c3 is 3, but the clue is 4

0 | {BLANK} {NONE} | 254 -1 | --best
1: well-formed, 0 clues, score 254 claimed, the best
2: contradictory clues, no solution claimed, the best

0 | {BLANK} | 254 {BEST} | --best
1: right solution, score 254, the best

1 | {BLANK} {NONE} | 251 250 | --best
1: well-formed, 0 clues, score 251 claimed, not the best
  answers:1: the best score is 254, not 251
2: contradictory clues, score 250 claimed, not the best
  row 1 has 1 in r1c1, r1c2
  box 1 has 1 in r1c1, r1c2
  answers:2: there is no solution

1 | {BLANK} {BLANK} | -1 250 {SOLVED} | --best
1: well-formed, 0 clues, no solution claimed, not the best
  answers:1: there is a solution with the score 254
2: right solution, score 250, not the best
  answers:3: the best score is 254, not 250

3 | {BLANK} {NONE} | unknown -1 | --best
1: well-formed, 0 clues, no answer claimed
2: contradictory clues, no solution claimed, the best

0 | {BLANK} | 246 | --best --minimise
1: well-formed, 0 clues, score 246 claimed, the best

3 | {"." * 81} | 246 | --best --time-limit 1e-9
1: well-formed, 0 clues, score 246 claimed, not proved best

0 | {BEST} | | --best
1: right solution, score 254, the best

3 | {"." * 81} | | --best --rule anti-knight
1: well-formed, 0 clues, 1 constraint, no answer to check

3 | {P1074} | 2829 |
1: well-formed, 30 clues, score 2829 claimed, not compared without --best

0 | {P1074} | 2829 | --best
1: well-formed, 30 clues, score 2829 claimed, the best

1 | {SOLVED[:-1]}. | solution-is-none | --unique
1: well-formed, 15 clues, no solution claimed, exactly one solution

0 | {SOLVED} | | --weights weights
1: right solution, score -1
"""
"""Exit code, puzzles, answers and options, and below them what is printed. A filled grid is its own answer; the best
score of the anti-knight's board takes minutes, and is not asked for."""


@pytest.mark.parametrize("case", CASES.strip().split("\n\n"))
def test_verdicts(ringdoku_here: Run, tmp_path: Path, case: str) -> None:
    head, _, verdicts = case.partition("\n")
    code, puzzles, answers, options = (part.split() for part in head.split("|"))
    (tmp_path / "puzzles").write_text("\n".join(puzzles))
    (tmp_path / "answers").write_text("\n".join(answers).replace("solution-is-none", "no solution"))
    (tmp_path / "weights").write_text("1 -1 0 0\n" + "0 0 0 0\n" * 3)
    said = ("--solution", "answers") if answers else ()
    done = ringdoku_here("check", "puzzles", *said, *options, cwd=tmp_path)
    assert (done.stdout.replace("puzzles:", ""), done.stderr) == (f"{verdicts}\n", "")
    assert [str(done.returncode)] == code


@pytest.mark.parametrize(
    ("answers", "code", "verdict"),
    [
        (f"250\n{SOLVED}\n250\n{SECOND}\n", 0, "right solution, score 250"),
        (f"251\n{SOLVED}\n250\n{SECOND}\n", 1, "wrong solution, score 250\n  the score is 250, not 251"),
        (f"2\n{SOLVED}\n{SECOND}\n", 1, "wrong solution, score 250\n  the score is 250, not 2"),
        ("unknown\n" * 2, 3, "well-formed, 0 clues, no answer claimed"),
        (f"-1\n{SOLVED}\n", 3, "well-formed, 0 clues, no solution claimed"),
        ('{"grid": null, "status": "unknown"}\n' * 2, 3, "well-formed, 0 clues, no answer claimed"),
        (f"-1\n250\n{SOLVED}\n", 3, "well-formed, 0 clues, no solution claimed"),
        (f"250\n{SOLVED}\nno solution\n", 3, "right solution, score 250"),
    ],
)
@pytest.mark.parametrize("rows", [False, True])
def test_claims(ringdoku_here: Run, tmp_path: Path, answers: str, code: int, verdict: str, rows: bool) -> None:
    for line in (SOLVED, SECOND) if rows else ():
        answers = answers.replace(line, "\n".join(line[start : start + 4] for start in (0, 4, 8, 12)))
    (tmp_path / "answers").write_text(answers)
    done = ringdoku_here("check", "--solution", tmp_path / "answers", input=f"{BLANK}\n" * 2)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith(f"<stdin>:1: {verdict}\n")


@pytest.mark.parametrize("solutions", [1, 3])
def test_as_many_solutions_as_puzzles(ringdoku_here: Run, tmp_path: Path, solutions: int) -> None:
    (tmp_path / "solutions").write_text(f"{SOLVED}\n" * solutions)
    done = ringdoku_here("check", "--solution", tmp_path / "solutions", input=f"{LINE}\n" * 2)
    assert (done.returncode, "solutions holds" in done.stderr) == (2, True)


@pytest.mark.parametrize("symbols", ["123456789ABCDEFG", "ABCDEFGHIJKLMNOP", "0123456789ABCDEF"])
def test_solved_output_in_letters_passes_its_check(ringdoku_here: Run, tmp_path: Path, symbols: str) -> None:
    rows = [symbols[shift:] + symbols[:shift] for start in range(4) for shift in range(start, 16, 4)]
    board = "board 16x16 digits 0-15\n" if "0" in symbols else ""
    (tmp_path / "puzzle").write_text(board + "\n".join(rows).replace(symbols[7], "."))
    assert ringdoku_here("solve", "puzzle", "-o", "solution", cwd=tmp_path).returncode == 0
    assert (tmp_path / "solution").read_text().split() == rows
    done = ringdoku_here("check", "puzzle", "--solution", "solution", cwd=tmp_path)
    assert (done.returncode, done.stdout.count("right solution")) == (0, 1)


@pytest.mark.parametrize("command", [["solve"], ["maximise", "--grid"], ["maximise", "--output-format", "json"]])
def test_what_other_commands_write_is_understood(ringdoku_here: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "puzzles").write_text(f"{LINE}\n{NONE}\n{BLANK}\n123....4........\n")
    ringdoku_here(*command, "puzzles", "-o", "answers", cwd=tmp_path)
    done = ringdoku_here("check", "puzzles", "--solution", "answers", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, "")
    verdicts = [line for line in done.stdout.splitlines() if line.startswith("puzzles")]
    assert "right solution" in verdicts[0]
    assert verdicts[1] == "puzzles:2: contradictory clues, no solution claimed"
    assert "right solution" in verdicts[2]
    assert verdicts[3] == "puzzles:4: well-formed, 4 clues, no solution claimed"


def test_json_and_several_inputs_with_their_answers_in_order(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("check", "--output-format", "json", "--unique", input=f"{SOLVED}\n{LINE}\n")
    right, many = map(json.loads, done.stdout.splitlines())
    said = {"good": True, "score": 250, "best": None, "solutions": "exactly one solution", "word_of": None}
    said["ground"] = "a refutation by cadical195"
    counts = {"clues": 16, "constraints": 0, "faults": []}
    verdict = "right solution, score 250, exactly one solution"
    assert right == said | counts | {"name": "", "author": "", "about": "", "place": "<stdin>:1", "verdict": verdict}
    assert (many["good"], many["solutions"]) == (False, "more than one solution")
    for name, text in (("a.in", f"{SOLVED}\n"), ("b.in", "1...............\n"), ("out", "3\n4\n")):
        (tmp_path / name).write_text(text)
    for ask in (("a.in", "b.in", "--unique"), ("a.in", "b.in", "--solution", "out", "--best")):
        done = ringdoku_here("check", *ask, cwd=tmp_path)
        assert done.returncode == 1
        assert done.stdout.index("a.in:1") < done.stdout.index("b.in:1")


@pytest.mark.parametrize(("ending", "code"), [(TimeLimitError, 3), (KeyboardInterrupt, 130)])
def test_what_is_known_so_far_is_said(
    ringdoku_here: Run, monkeypatch: pytest.MonkeyPatch, ending: type[BaseException], code: int
) -> None:
    def cut(ask: Callable[..., Iterator[object]], *asked: object) -> Iterator[object]:
        yield next(ask(*asked))
        raise ending

    for module, name in ((needs, "needs"), (count, "estimates")):
        monkeypatch.setattr(module, name, partial(cut, getattr(module, name)))
    for command, text, parts in (
        ("check --minimal", SOLVED, ["exactly one solution", "unknown whether these can go: r", "not proved smallest"]),
        ("count --estimate --box 2x3", "." * 36, ["about ", " 2 of 16 runs"]),
    ):
        done = ringdoku_here(*command.split(), input=f"{text}\n")
        said = done.stdout + done.stderr
        assert (done.returncode, [part for part in parts if part not in said]) == (code, [])


def test_tests_are_paired_with_their_answers_in_the_order_of_the_numbers(ringdoku_here: Run, tmp_path: Path) -> None:
    for name, said in {"1": "254", "2.x": "253", "10": f"{SOLVED}\n{SOLVED}"}.items():
        (tmp_path / f"{name}.in").write_text(f"{BLANK}\n")
        (tmp_path / f"{name}.{'ans' if name == '1' else 'out'}").write_text(f"{said}\n")
    (tmp_path / "tests.md").write_text("what they are for\n")
    done = ringdoku_here("check", ".", "--best", cwd=tmp_path)
    assert re.findall("^[^ :]+", done.stdout, re.MULTILINE) == ["1.in", "2.x.in", "10.in"]
    assert (done.returncode, "10.out holds more solutions than there are puzzles" in done.stderr) == (2, True)
    assert ringdoku_here("maximise", ".", cwd=tmp_path).stdout == "254\n" * 3


ROWS = "\n".join(f"{row} 0 0 0" for row in range(4)) + "\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"2\n{ROWS}{ROWS}", None),
        (f"{LINE}\n{LINE}\n", None),
        (f"# easy\n{ROWS}", "1:1: found '# easy\\n', expected '0 0 0 0\\n'"),
        (ROWS.replace(" ", "  ", 1), "1:3: found '0  0 0 0\\n', expected '0 0 0 0\\n'"),
        (ROWS.replace("\n", "\r\n"), "1:8: found '0 0 0 0\\r\\n', expected '0 0 0 0\\n'"),
        (ROWS[:-1], "4:8: found '3 0 0 0', expected '3 0 0 0\\n'"),
        (f"{ROWS}\n", "5:1: found '\\n', expected the end"),
        ("0 0 0 0\n" * 4, "1: found 0 clues, expected 1 to 3"),
    ],
)
def test_a_strict_file_is_what_we_would_write(ringdoku_here: Run, tmp_path: Path, text: str, fault: str | None) -> None:
    (tmp_path / "in").write_bytes(text.encode())
    done = ringdoku_here("check", "in", "--strict", "--clues", "1-3", cwd=tmp_path)
    assert (done.returncode, done.stderr) == ((2, f"ringdoku: error: in:{fault}\n") if fault else (0, ""))
    # a pipe, which can be read once, says the same
    piped = ringdoku_here("check", "-", "--strict", "--clues", "1-3", input=text)
    assert (piped.returncode, piped.stderr) == (done.returncode, done.stderr.replace("in:", "<stdin>:"))
