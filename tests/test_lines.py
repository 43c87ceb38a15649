"""Plain lines: what they are, and that answers together are those one by one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from puzzles import NO_SOLUTION, ONE_SOLUTION, mixed_puzzles

from ringdoku import Session, Status
from ringdoku.services.lines import count_lines, plain_lines, solve_lines

FOUR = b"1...............\n"


@pytest.mark.parametrize(
    ("raw", "box", "count"),
    [
        (FOUR * 3, None, 3),
        (FOUR + b"0000000000000001", None, 2),
        (FOUR.replace(b"\n", b"  \r\n") * 2, None, 2),
        (f"{ONE_SOLUTION}\n{NO_SOLUTION}\n".encode(), None, 2),
        (b"1" + b"." * 35 + b"\n", (2, 3), 1),
        (b"1" + b"." * 35 + b"\n", None, None),
        (FOUR + b"\n" + FOUR, None, None),
        (b"# two\n" + FOUR, None, None),
        (FOUR + b"0..............1\n", None, None),
        (FOUR + b"5...............\n", None, None),
        (FOUR + b"." * 81 + b"\n", None, None),
        (b"." * 256, None, None),
        (b"", None, None),
    ],
)
def test_what_is_plain_is_taken_and_all_else_is_left(
    raw: bytes, box: tuple[int, int] | None, count: int | None
) -> None:
    stream = BytesIO(raw)
    lines = plain_lines(stream, box)
    assert (None if lines is None else len(lines)) == count
    assert stream.read() == (b"" if count else raw)


def test_answers_together_are_those_one_by_one() -> None:
    some = ["".join(map(str, each.clues.digits)) for each in mixed_puzzles(40) if each.order == 9]
    some += [ONE_SOLUTION, NO_SOLUTION, "11" + "0" * 79] * 5
    lines = plain_lines(BytesIO("\n".join(some).encode()))
    assert lines is not None
    session, alone = Session(), Session()
    for part in lines.parts(10):
        numbers = [alone.count_solutions(part.puzzle(index), 2) for index in range(len(part))]
        counts = count_lines(part, session, 1, numbers.__getitem__)
        assert counts == numbers
        solved = solve_lines(part, None, session)
        others = dict(solved.others)
        for index, line in enumerate(solved.lines.decode().splitlines()):
            result = alone.solve(part.puzzle(index))
            assert others[index].status is result.status if result.grid is None else index not in others
            if counts[index] == 1:
                assert result.grid is not None
                assert line == "".join(map(str, result.grid.digits))
            assert some[part.first - 1 + index].encode() == part.line(index)
    assert alone.solve(lines.puzzle(len(lines) - 1)).status is Status.INFEASIBLE


def test_a_long_file_of_plain_lines_is_answered_as_line_by_line(
    ringdoku_here: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    some = ["".join(map(str, each.clues.digits)) for each in mixed_puzzles(40) if each.order == 9]
    text = "\n".join([*some, ONE_SOLUTION, NO_SOLUTION, "11" + "0" * 79] * 5)
    (tmp_path / "plain").write_text(text)
    (tmp_path / "remarked").write_text(f"# not plain\n{text}")
    for options in ((), ("--output-format", "line", "--time-limit", "20")):
        plain, remarked = (
            ringdoku_here("solve", "--backend", "cadical195", *options, file, cwd=tmp_path)
            for file in ("plain", "remarked")
        )
        assert (plain.returncode, plain.stdout) == (1, remarked.stdout)
        assert plain.stdout.count("\n") == text.count("\n") + 1
        assert plain.stderr.count("contradict") == remarked.stderr.count("contradict") > 0
        assert plain.stderr.startswith("ringdoku: plain:")
    assert ringdoku_here("solve", "plain", "-o", "{number}", cwd=tmp_path).returncode == 1
    assert len(list(tmp_path.iterdir())) == text.count("\n") + 3
