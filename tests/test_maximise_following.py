"""Watching a maximisation: the log, the live line of a terminal, and what Ctrl-C leaves."""

import json
import os
import re
import signal
import sys
import threading
from pathlib import Path

import pytest
from conftest import SCRIPT, Run, on_terminal, running
from puzzles import P1074, random_puzzle

from ringdoku.domain.ruleset import classic
from ringdoku.solvers.registry import Progress
from ringdoku_cli.commands.maximise import in_words

SAMPLE, BEST = next(iter(P1074.items()))
CONTRADICTORY = "11" + "." * 14
SOLVED = "1234341221434321"
unix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals and SIGINT are of Unix")


def hard_puzzle() -> str:
    """One that nobody proves the best score of in minutes."""
    hard = random_puzzle(classic(25), 200, seed=1)
    return "".join(" ".join(map(str, row)) + "\n" for row in hard.clues.rows)


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_log_tells_scores_and_bounds_of_each_puzzle(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("maximise", "--log", "log.jsonl", input=f"{SAMPLE}\n{'.' * 81}\n", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{BEST}\n2906\n", "")
    lines = records(tmp_path / "log.jsonl")
    assert all(list(line) == ["seconds", "place", "score", "bound", "status"] for line in lines)
    for place, best in (("<stdin>:1", BEST), ("<stdin>:2", 2906)):
        of_puzzle = [line for line in lines if line["place"] == place]
        assert [line["status"] for line in of_puzzle] == [None] * (len(of_puzzle) - 1) + ["optimal"]
        assert (of_puzzle[-1]["score"], of_puzzle[-1]["bound"]) == (best, best)
        seconds = [line["seconds"] for line in of_puzzle]
        assert seconds == sorted(seconds)  # type: ignore[type-var]
        assert len(of_puzzle) > 1


def test_a_log_is_kept_unless_forced_and_nothing_is_drawn_when_piped(ringdoku_here: Run, tmp_path: Path) -> None:
    log, text = tmp_path / "log.jsonl", f"{CONTRADICTORY}\n1.....1...4.....\n"
    log.write_text("old\n")
    refused = ringdoku_here("maximise", "--top", "2", "--log", log, input=text)
    assert (refused.returncode, refused.stdout, log.read_text()) == (2, "", "old\n")
    assert "--force replaces it" in refused.stderr
    ringdoku_here("maximise", "--top", "2", "--log", log, "--force", input=text)
    ends = [(line["status"], line["score"]) for line in records(log) if line["status"]]
    assert ends == [("infeasible", None), ("optimal", 252), ("optimal", 251)]
    done = ringdoku_here("maximise", "--time-limit", "1.5", input=hard_puzzle())
    assert done.stderr.startswith("ringdoku: <stdin>:1: time limit: ")
    assert "\x1b" not in done.stderr


@unix
def test_ctrl_c_tells_what_is_known_and_writes_nothing_by_halves(tmp_path: Path) -> None:
    (tmp_path / "hard.txt").write_text(hard_puzzle())
    os.mkfifo(tmp_path / "log")
    ask = (SCRIPT, "maximise", "hard.txt", "--log", "log", "--output", "best.txt")
    with running(*ask, folder=tmp_path) as (process, _, out, err):
        rescue = threading.Timer(60, process.kill)
        rescue.start()
        with (tmp_path / "log").open(encoding="utf-8") as lines:
            # the search is at work
            first = json.loads(lines.readline())
            process.send_signal(signal.SIGINT)
            last = [first, *map(json.loads, lines)][-1]
        assert process.wait() == 130
        rescue.cancel()
        said = in_words(Progress(0, last["score"], last["bound"]))
        assert err.read() == f"ringdoku: hard.txt:1: interrupted: {said}\n"
        assert out.read() == ""
    assert {path.name for path in tmp_path.iterdir()} == {"hard.txt", "log"}


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (None, "no solution yet, no bound yet"),
        (Progress(1, None, 2901), "no solution yet, bound 2901"),
        (Progress(1, 2829, None), "score 2829, no bound yet"),
        (Progress(1, 2829, 2901), "score 2829, bound 2901, gap 72"),
        (Progress(1, 2829, 2800), "score 2829, bound 2800, gap 29"),
    ],
)
def test_what_is_known_in_words(progress: Progress | None, text: str) -> None:
    assert in_words(progress) == text


@unix
@pytest.mark.parametrize("piped", [False, True])
def test_a_terminal_leaves_the_line_to_messages(tmp_path: Path, piped: bool) -> None:
    (tmp_path / "hard.txt").write_text(hard_puzzle())
    command = '"$0" maximise hard.txt --time-limit 1.5'
    ask: list[str | Path] = ["bash", "-c", f"set -o pipefail; {command} | cat" if piped else command, SCRIPT]
    code, text = on_terminal(ask, tmp_path)
    assert code == 3
    first, second, rest = (line.rpartition("\r\x1b[K")[2] for line in text.split("\r\n"))
    # who reads the pipe may be slower than we are
    answer, message = sorted((first, second), key=len) if piped else (first, second)
    assert re.search(r"\d s: (no solution yet|score)", text)
    assert answer == "unknown" or int(answer) > 0
    assert message.startswith("ringdoku: hard.txt:1: time limit: ")
    assert rest == ""


@unix
def test_with_answers_in_a_file_the_line_stays_below_messages(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{CONTRADICTORY}\n")
    (tmp_path / "b.txt").write_text(hard_puzzle())
    code, text = on_terminal([SCRIPT, "maximise", "a.txt", "b.txt", "--time-limit", "2", "-o", "out"], tmp_path)
    assert code == 3
    assert text.index("ringdoku: a.txt:1: the clues contradict") < text.index("1 puzzle ")
    assert re.search(r"1 puzzle .*\d s: (no solution yet|score)", text)
