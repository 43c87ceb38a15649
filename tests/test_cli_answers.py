"""What commands make of inputs, links, rules and formats: counts, competition output, certificates of no solution."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from links import fpuzzles, fpuzzles_link
from modelling import formula_of
from puzzles import NO_SOLUTION

from ringdoku import Grid, Puzzle, check, count_exactly, count_solutions, parse, sample_solutions
from ringdoku.solvers.drat import faults_of_proof

FIRST, SECOND, NONE = "1234341221434321", "2143432112343412", "11.............."
BLANK, MANY, TWELVE = "." * 16, "1" + "." * 15, "12.3" + "." * 12
COMPETITION = ("--output-format", "competition")
RECTANGLE = "board 2x3 digits 0-2\n0..\n..1\n"
PACKED = "1234\n3412\n2143\n4321\n"
ISS = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4.Cage~8~R2C1~R2C2~R3C2.~R2C1_3~R3C1_2~R4C4_1"
KEYS: dict[str, Any] = {
    "title": "Warm",
    "author": "Ann",
    "ruleset": "Digits rise along\nthe thermometer.",
    "thermometer": [{"lines": [["R1C1", "R1C2", "R1C3", "R1C4"]]}],
}
THERMOMETER, CLUED = fpuzzles(4, **KEYS), fpuzzles(4, "....3...2......1", **KEYS)
DRAWN = CLUED | {"line": [{"lines": [["R2C1", "R2C2"]], "outlineC": "#67C266", "width": 0.4}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    for name, text in (("one.in", f"{FIRST}\n"), ("two.in", f"{NONE}\n{SECOND}\n"), (".hidden", "x\n")):
        (tmp_path / "tests" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("inputs", [("tests/one.in", "tests/two.in"), ("tests",), ("tests/one.in", "tests")])
def test_inputs_are_answered_one_after_the_other(ringdoku_here: Run, folder: Path, inputs: tuple[str, ...]) -> None:
    done = ringdoku_here("solve", *inputs, cwd=folder)
    assert (done.returncode, done.stdout) == (1, f"{FIRST}\nno solution\n{SECOND}\n")
    done = ringdoku_here("solve", *inputs, "--none", "-1", cwd=folder)
    assert (done.returncode, done.stdout) == (0, f"{FIRST}\n-1\n{SECOND}\n")
    assert done.stderr.startswith("ringdoku: tests/two.in:1: the clues contradict each other")
    assert ringdoku_here("solve", *["tests/one.in"] * 2, cwd=folder).stdout == f"{FIRST}\n" * 2


def test_each_input_has_its_answers_in_a_file_and_malformed_ones_end_it(ringdoku_here: Run, folder: Path) -> None:
    ask = ("maximise", "tests", "-o", "answers/new/{input}.ans")
    assert ringdoku_here(*ask, cwd=folder).returncode == 0
    assert (folder / "answers/new/two.ans").read_text() == "-1\n250\n"
    done = ringdoku_here(*ask, cwd=folder)
    assert (done.returncode, "one.ans exists; --force replaces it" in done.stderr) == (2, True)
    assert ringdoku_here("solve", "tests", "-o", "{input}-{number}.txt", cwd=folder).returncode == 1
    assert (folder / "two-3.txt").read_text() == f"{SECOND}\n"
    ringdoku_here("solve", "-", "-o", "answers/{input}.out", input=FIRST, cwd=folder)
    assert (folder / "answers/stdin.out").read_text() == f"{FIRST}\n"
    (folder / "tests/bad.in").write_text("12x4341221434321\n")
    ask = ("solve", "tests/one.in", "tests/bad.in", "tests/two.in")
    done = ringdoku_here(*ask, cwd=folder)
    assert (done.returncode, done.stdout) == (2, f"{FIRST}\n")
    assert "tests/bad.in:1:3: found 'x'" in done.stderr
    assert ringdoku_here(*ask, "--keep-going", cwd=folder).stdout == f"{FIRST}\nno solution\n{SECOND}\n"
    done = ringdoku_here("solve", "--jobs", "2", "tests/one.in", "nowhere", cwd=folder)
    assert (done.returncode, done.stdout) == (2, f"{FIRST}\n")
    assert done.stderr == "ringdoku: error: cannot read nowhere: No such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tests/one.in", "other/one.in", "-o", "x/{input}"), "two inputs are called one"),
        (("-o", "tests/one.in/{input}"), "cannot write to tests/one.in"),
        (("abc " * 5000,), f"cannot read {'abc ' * 20}…"),
        ((fpuzzles_link(CLUED)[:40],), "<argument>:1: "),
        (("empty",), "the folder empty holds no file"),
    ],
)
def test_unreadable_inputs(ringdoku_here: Run, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    for name in ("other", "empty"):
        (folder / name).mkdir()
    (folder / "other/one.in").write_text(FIRST)
    done = ringdoku_here("solve", *arguments, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"ringdoku: error: {message}")


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        (["1..............."], "72"),
        (["1.../..../..../...."], "72"),
        (["1... .... .... ...."], "72"),
        (["1...\n....\n....\n...."], "72"),
        ([MANY, BLANK], "72\n288"),
        (['{"grid": [[1, 0], [0, 0]], "box": [1, 2]}'], "1"),
        ([ISS, "--rule", "diagonal"], "0"),
    ],
)
def test_puzzles_and_links_are_arguments(ringdoku_here: Run, arguments: list[str], counts: str) -> None:
    assert ringdoku_here("count", *arguments).stdout == f"{counts}\n"


def test_a_link_is_read_from_a_file_standard_input_and_the_argument(ringdoku_here: Run, tmp_path: Path) -> None:
    file = tmp_path / "link.txt"
    for text in (fpuzzles_link(CLUED), ISS):
        file.write_text(f"\n{text}\n")
        for done in (ringdoku_here("solve", file), ringdoku_here("solve", input=text), ringdoku_here("solve", text)):
            assert (done.returncode, done.stdout, done.stderr) == (0, PACKED, "")
    link = fpuzzles_link(CLUED)
    assert len(ringdoku_here("maximise", input=f"{link}\n{link}\n").stdout.split()) == 2


def test_a_second_solution_hints_at_the_rules_text_and_what_is_drawn_only_is_refused(ringdoku_here: Run) -> None:
    link = fpuzzles_link(THERMOMETER)
    done = ringdoku_here("solve", link)
    hint = (
        "more than one solution; the setter's rules text may say more than the file: Digits rise along the thermometer."
    )
    assert (done.returncode, done.stderr) == (0, f"ringdoku: <argument>:1: {hint}\n")
    checked = ringdoku_here("check", link, "--unique")
    assert (checked.returncode, checked.stderr) == (1, "")
    assert checked.stdout == (
        "<argument>:1 Warm: well-formed, 0 clues, 1 constraint, more than one solution\n"
        "  by Ann\n"
        "  Digits rise along\n  the thermometer.\n"
        "  (These words may say more than the rules that were read.)\n"
    )
    done = ringdoku_here("solve", fpuzzles_link(DRAWN))
    assert (done.returncode, done.stdout) == (2, "")
    assert "line" in done.stderr
    assert "--ignore" in done.stderr
    assert ringdoku_here("solve", fpuzzles_link(DRAWN), "--ignore").stdout == PACKED


def test_rules_are_added_to_every_puzzle_that_they_fit(ringdoku_here: Run) -> None:
    ask = ("solve", "--backend", "search", "--rule", "Diagonal", "--rule", "killer 3: r1c1 r1c2")
    done = ringdoku_here(*ask, input=f"{BLANK}\n{BLANK}\n")
    assert (done.returncode, done.stderr) == (0, "")
    for line in done.stdout.split():
        assert set(line[:2]) == {"1", "2"}
        assert set(line[::5]) == set(line[3:13:3]) == set("1234")
    more = ("--backend", "search", "--rule", "no boxes", "--rule", "no lines", "--rule", "odd: r1c1")
    assert ringdoku_here("maximise", *more, input=BLANK).stdout == f"{4 * (12 * 6 + 4 * 7) - 6}\n"
    ask_wrong = ("solve", "--backend", "search", "--rule", "odd: r9c9")
    done = ringdoku_here(*ask_wrong, "--keep-going", input=f"{MANY}\n{'.' * 81}\n")
    assert (done.returncode, len(done.stdout.split())) == (2, 1)
    assert "<stdin>:1: found a puzzle for which --rule 'odd: r9c9' is wrong" in done.stderr


@pytest.mark.parametrize("name", ["same", "line", "packed", "spaced", "boxed", "json"])
def test_solutions_of_any_board_are_written_and_checked(name: str, ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(f"{RECTANGLE}\nno boxes\n{BLANK}\n")
    done = ringdoku_here("solve", "--backend", "search", "--output-format", name, "-o", "s.txt", "p.txt", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    checked = ringdoku_here("check", "p.txt", "--solution", "s.txt", cwd=tmp_path)
    assert (checked.returncode, checked.stdout.count("right solution")) == (0, 2)
    if name == "json":
        record = json.loads((tmp_path / "s.txt").read_text().splitlines()[0])
        assert (record["board"], record["rules"], record["grid"]) == ("2x3 digits 0-2", [], [[0, 1, 2], [2, 0, 1]])
        # an answer is a puzzle too, with all of its rules
        assert ringdoku_here("check", "s.txt", cwd=tmp_path).stdout.count("right solution") == 2


def test_wrong_solutions_are_named_by_rule_and_extra_cells_checked_in_json(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("021\n102\n")
    done = ringdoku_here("check", "-", "--solution", "s.txt", input="killer 1: r1c1 r1c2\n" + RECTANGLE, cwd=tmp_path)
    assert done.returncode == 1
    assert "wrong solution, a board of 2x3 with digits 0-2, no boxes, 1 constraint" in done.stdout
    assert "killer 1: r1c1 r1c2 does not hold" in done.stdout
    (tmp_path / "p.txt").write_text("board 2x2 extra a\nno boxes\nsum 3: a r1c1\n..\n.1\n")
    solved = ringdoku_here("solve", "p.txt", "--backend", "search", "--output-format", "json", cwd=tmp_path).stdout
    assert json.loads(solved)["extra"] == {"a": 2}
    ask = ("check", "p.txt", "--solution", "s.txt")
    (tmp_path / "s.txt").write_text(solved)
    assert "right solution" in ringdoku_here(*ask, cwd=tmp_path).stdout
    # text has no digits of extra cells, of which the steps to the grid need none, and counts say nothing
    for text, verdict in (("12\n21\n", "right solution"), ("21\n12\n", "r2c2 is 2, but the clue is 1")):
        (tmp_path / "s.txt").write_text(text)
        assert verdict in ringdoku_here(*ask, cwd=tmp_path).stdout
    (tmp_path / "p.txt").write_text("board 2x2 extra a b\nno boxes\nkiller 3: a b\n..\n.1\n")
    assert "easy" in ringdoku_here("rate", "p.txt", cwd=tmp_path).stdout
    assert ringdoku_here("candidates", "p.txt", "--counts", cwd=tmp_path).stdout.split()[-3:] == ["r2c2", "1", "1"]


@pytest.mark.parametrize("rule", [None, "diagonal", "killer 5: r1c1 r1c2", "thermometer: r1c1 r1c2 r2c3", "no boxes"])
def test_a_model_counter_agrees_with_counting_one_by_one(ringdoku_here: Run, rule: str | None) -> None:
    pytest.importorskip("pyganak", reason="needs the extra: pip install 'ringdoku[count]'")
    ask = ("count", "--output-format", "json", *(("--rule", rule) if rule else ()))
    text = f"{BLANK}\n{MANY}\n{TWELVE}\n{NONE}\n"
    one, other = (ringdoku_here(*ask, *more, input=text).stdout.splitlines() for more in ((), ("--exact",)))
    for by_search, by_counter in zip(map(json.loads, one), map(json.loads, other), strict=True):
        assert by_search["solutions"] == by_counter["solutions"]
        assert by_counter["backend"] == "ganak"


def test_a_grid_with_several_extra_cells_is_counted_once() -> None:
    pytest.importorskip("pyganak", reason="needs the extra: pip install 'ringdoku[count]'")
    puzzle = parse("board 2x2 extra a b\nno boxes\nsum 4: a b r1c1\n..\n..\n")
    assert count_exactly(puzzle) == count_solutions(puzzle) == 2


@pytest.mark.parametrize(
    ("text", "most_listed"),
    [(BLANK, 5), (MANY, 10), (BLANK, 300), ("diagonal\n" + BLANK, 3), ("killer 5: r1c1 r1c2\n" + BLANK, 3)],
)
def test_each_solution_is_drawn_about_as_often(text: str, most_listed: int) -> None:
    pytest.importorskip("pyganak", reason="needs the extra: pip install 'ringdoku[count]'")
    size = count_solutions(text)
    drawn = Counter(sample_solutions(text, 40 * size, most_listed=most_listed))
    # chi squared, with size - 1 degrees of freedom
    off = sum((count - 40) ** 2 / 40 for count in drawn.values()) + 40 * (size - len(drawn))
    assert abs(off - size) < 3 * (2 * size) ** 0.5


def test_samples_are_printed_as_all_solutions_are(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--sample", "3", input=f"{TWELVE}\n{NONE}\n{MANY}\n")
    first, second, third = done.stdout.split("\n\n")
    assert (done.returncode, second, len(first.split()), len(third.split())) == (1, "no solution", 3, 3)
    assert ringdoku_here("check", input=first + "\n").returncode == 0
    done = ringdoku_here("solve", "--sample", "3", "--time-limit", "0.3", input="." * 81)
    assert (done.returncode, done.stdout, done.stderr) == (3, "unknown\n", "")


def test_counts_at_the_time_limit_are_no_counts(ringdoku_here: Run) -> None:
    done = ringdoku_here("count", "--time-limit", "0.2", "--output-format", "json", input="." * 81)
    record = json.loads(done.stdout)
    assert (done.returncode, record["exact"], record["solutions"] >= 0) == (3, False, True)
    assert "--exact counts without finding each solution" in done.stderr
    pytest.importorskip("pyganak", reason="needs the extra: pip install 'ringdoku[count]'")
    done = ringdoku_here("count", "--exact", "--time-limit", "1", input=f"{TWELVE}\n{'.' * 81}")
    assert (done.returncode, done.stdout, done.stderr) == (3, "12\nunknown\n", "")


def test_all_solutions_are_printed_once_each_in_groups(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("solve", "--all", input=f"{TWELVE}\n{NONE}\n{MANY}\n")
    first, second, third = done.stdout.split("\n\n")
    assert (done.returncode, second) == (1, "no solution")
    assert len(set(first.split())) == len(first.split()) == 12
    assert len(set(third.split())) == len(third.split()) == 72
    # what is printed can be checked, and asked again
    assert ringdoku_here("check", input=first + "\n").returncode == 0
    ask = ("solve", "--all", "--output-format", "svg", "-o", "{rank}.svg")
    assert ringdoku_here(*ask, input=TWELVE, cwd=tmp_path).returncode == 0
    assert len(list(tmp_path.glob("*.svg"))) == 12


@pytest.mark.parametrize(("most", "code", "lines", "said"), [(3, 3, 3, "at least 3 solutions"), (12, 0, 12, "")])
def test_a_limit_says_there_are_more(ringdoku_here: Run, most: int, code: int, lines: int, said: str) -> None:
    done = ringdoku_here("solve", "--all", "--at-most", str(most), "--output-format", "json", input=TWELVE)
    assert (done.returncode, len(done.stdout.splitlines())) == (code, lines)
    assert done.stderr == (f"ringdoku: <stdin>:1: {said}\n" if said else "")


def read_competition(text: str) -> tuple[str, list[int]]:
    """The `s` line's answer and the `v` lines' literals without the closing 0; asserts the format's rules."""
    kinds, rests = zip(*(line.split(" ", 1) for line in text.splitlines()), strict=True)
    assert max(map(len, text.splitlines())) < 80
    assert re.fullmatch("c*sv*", "".join(kinds))
    values = " ".join(rests[kinds.index("s") + 1 :]).split()
    *literals, end = map(int, values or ["0"])
    assert end == 0
    assert 0 not in literals
    return rests[kinds.index("s")], literals


@pytest.mark.parametrize(("text", "box", "n"), [("1.....1...4.....", (2, 2), 4), ("......\n" * 6, (2, 3), 6)])
def test_the_values_solve_the_textbook_formula(ringdoku_here: Run, text: str, box: tuple[int, int], n: int) -> None:
    done = ringdoku_here("solve", *COMPETITION, "--box", f"{box[0]}x{box[1]}", input=f"{text}\n")
    answer, literals = read_competition(done.stdout)
    assert (done.returncode, answer) == (10, "SATISFIABLE")
    assert sorted(map(abs, literals)) == list(range(1, n**3 + 1))
    true = [literal - 1 for literal in literals if literal > 0]
    assert [place // n for place in true] == list(range(n * n))
    grid = Grid(tuple(place % n + 1 for place in true))
    clues = [int(mark.replace(".", "0")) for mark in text.replace("\n", "")]
    assert check(Puzzle.of_rows([clues[row * n : row * n + n] for row in range(n)], box), grid) == []


def test_competition_output_is_for_one_puzzle_of_any_board(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", *COMPETITION, "--backend", "search", input=RECTANGLE)
    assert "c variable = (row*3 + column)*3 + digit + 1\n" in done.stdout
    assert [value for value in read_competition(done.stdout)[1] if value > 0] == [1, 5, 9, 12, 13, 17]
    done = ringdoku_here("solve", *COMPETITION, input=f"{MANY}\n{MANY}\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--output-format competition is for one" in done.stderr
    # a malformed puzzle that was passed over is not forgotten
    done = ringdoku_here("solve", *COMPETITION, "--keep-going", input=f"{FIRST}\n1...\n")
    assert (done.returncode, "\ns SATISFIABLE\n" in done.stdout) == (2, True)


@pytest.mark.parametrize(
    ("text", "more", "code", "answer"),
    [
        (NONE, (), 20, "UNSATISFIABLE"),
        ("\n".join([" ".join(["."] * 36)] * 36), ("--backend", "search", "--time-limit", "0.001"), 0, "UNKNOWN"),
    ],
)
def test_no_solution_no_values(ringdoku_here: Run, text: str, more: tuple[str, ...], code: int, answer: str) -> None:
    done = ringdoku_here("solve", *COMPETITION, *more, input=text)
    assert (done.returncode, read_competition(done.stdout)) == (code, (answer, []))


def test_a_drat_certificate_is_about_the_formula_that_export_writes(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "p").write_text(f"{NO_SOLUTION}\n")
    ask = ("solve", "p", "--certificate", "none", "--format", "drat")
    solved = ringdoku_here(*ask, cwd=tmp_path)
    assert (solved.returncode, solved.stdout, solved.stderr) == (1, "no solution\n", "")
    ringdoku_here("export", "p", "--to", "cnf", "--no-presolve", "-o", "p.cnf", cwd=tmp_path)
    formula = formula_of((tmp_path / "p.cnf").read_bytes())
    assert faults_of_proof(formula, (tmp_path / "none.drat").read_text().splitlines()) == []
    again = ringdoku_here(*ask, cwd=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert ringdoku_here(*ask, "--force", *COMPETITION, cwd=tmp_path).returncode == 20


@pytest.mark.parametrize(
    ("name", "text", "code", "message"),
    [
        ("p", NO_SOLUTION, 2, "--certificate needs a file of its own"),
        ("out", NO_SOLUTION, 2, "--certificate needs a file of its own"),
        ("new", f"{NO_SOLUTION}\n{NO_SOLUTION}", 2, "--certificate 'new-{number}' names a pair of files for each"),
        ("no/new", NO_SOLUTION, 2, "cannot write no/new.cnf: No such file or directory"),
        ("new", FIRST, 0, "no certificate: a solution was found"),
    ],
)
def test_no_certificate(ringdoku_here: Run, tmp_path: Path, name: str, text: str, code: int, message: str) -> None:
    (tmp_path / "p.drat").write_text(f"{text}\n")
    ask = ("solve", "p.drat", "-o", "./out.cnf", "--certificate", name, "--format", "drat", "--force")
    done = ringdoku_here(*ask, cwd=tmp_path)
    assert (done.returncode, message in done.stderr) == (code, True)
    assert {path.name for path in tmp_path.iterdir()} == {"p.drat"} | ({"out.cnf"} if code == 0 else set())
