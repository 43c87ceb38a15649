"""`ringdoku page` without a browser: what the server answers and refuses, what ends with it, and the static page."""

import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from conftest import FIXTURES, Run
from links import fpuzzles, fpuzzles_link
from pages import LONG, Page

from ringdoku import RingdokuError, Session, maximise, parse, ring_weights
from ringdoku.exports import EXPORTS, export
from ringdoku_cli.page.answers import TASKS, answer

pytest.importorskip("starlette", reason="needs the extra: pip install 'ringdoku[page]'")
pytest.importorskip("uvicorn", reason="needs the extra: pip install 'ringdoku[page]'")

SMALL = json.dumps({"grid": [[1, 0, 0, 0], [0, 0, 3, 0], [0, 2, 0, 0], [0, 0, 0, 4]]})
SEVERAL = json.dumps({"grid": [[1, 0, 0, 0], [0, 0, 3, 0], [0, 2, 0, 0], [0, 0, 0, 0]]})
NONE = json.dumps({"grid": [[1, 2, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0], [0, 0, 0, 0]]})
QUESTIONS = (FIXTURES / "questions.txt").read_text().splitlines()
BLANK = json.dumps({"grid": [[0] * 4] * 4})


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with Page(FIXTURES / "target.in") as served:
        yield served


def asked(task: str, puzzle: str = SMALL, **fields: Any) -> dict[str, Any]:
    """The answer without a server."""
    return answer({"task": task, "puzzle": puzzle, **fields}, Session(), lambda _: None)


def test_a_text_becomes_a_record_and_that_the_puzzle() -> None:
    for path in ("rules.in", "target.in"):
        text = (FIXTURES / path).read_text()
        record = asked("read", text=text)
        rows = [record["clues"][start : start + 9] for start in range(0, 81, 9)]
        assert parse(json.dumps(record["shape"] | {"grid": rows})) == parse(text)
        assert record["names"] == list("123456789")
        assert len(record["houses"]) == len(parse(text).ruleset.houses)
        # the picture has its grid where the record says
        picture = record["picture"]
        left, top, side = picture["left"], picture["top"], picture["cell"]
        assert f'<rect x="{left}" y="{top}" width="{side}" height="{side}"' in picture["svg"]
        assert min(picture["width"] - left, picture["height"] - top) > 9 * side


@pytest.mark.parametrize(("question", "problem"), [*zip(QUESTIONS[1::2], QUESTIONS[2::2], strict=True)])
def test_a_question_that_makes_no_sense(question: str, problem: str) -> None:
    with pytest.raises(RingdokuError, match=problem.strip()):
        asked(**json.loads(question))


def test_answers_are_those_of_the_library() -> None:
    progress: list[dict[str, Any]] = []
    fields = {"task": "maximise", "puzzle": SEVERAL, "weights": None}
    best = answer(fields, Session(), progress.append)
    assert (best["status"], best["score"]) == ("optimal", maximise(parse(SEVERAL)).score)
    assert progress[-1]["score"] == progress[-1]["bound"] == best["score"]
    assert [step["digits"] for step in progress if "digits" in step][-1] == best["digits"]
    assert asked("maximise", BLANK, lowest=True)["score"] < asked("maximise", BLANK)["score"]
    assert None not in asked("solve")["digits"]
    assert asked("solve", NONE)["status"] == "infeasible"
    assert asked("candidates")["cells"][0] == (1,)
    assert asked("candidates", NONE)["cells"] is None
    assert asked("unique")["status"] == "unique"
    assert asked("unique", NONE)["status"] == "infeasible"
    several = asked("unique", SEVERAL)
    assert several["status"] == "several"
    first, second = several["grids"]
    assert {cell for cell in range(16) if first[cell] != second[cell]} <= set(several["cells"])
    prices = asked("prices", SEVERAL)
    assert "all together" in prices["lines"][-2]
    assert (len(prices["costs"]), prices["digits"]) == (16, best["digits"])
    assert [bool(prices["costs"][cell]) for cell in (0, 6)] == [True, True]
    assert asked("prices", NONE) == {"lines": ["There is no solution."]}
    assert 'fill="#1f4e9e"' in asked("picture", digits=asked("solve")["digits"])["text"]
    for name, form in EXPORTS.items():
        file = BytesIO()
        export(parse(SMALL), name, file, ring_weights(parse(SMALL).board) if form.has_objective else None)
        assert asked("export", format=name)["text"] == file.getvalue().decode()


def test_what_a_player_has_is_checked_and_new_puzzles_are_of_their_kind() -> None:
    right = asked("solve")["digits"]
    place = next(cell for cell, clue in enumerate(parse(SMALL).clues.digits) if not clue)
    wrong = [*right[:place], right[place] % 4 + 1, *right[place + 1 :]]
    fewer = [None if cell == place else digit for cell, digit in enumerate(right)]
    for digits, solved, cells, text in (
        (right, True, [], ""),
        (wrong, False, [place], "1 cell is wrong."),
        (fewer, False, [], "Nothing is wrong so far."),
    ):
        assert asked("check", digits=digits) == {"solved": solved, "wrong": cells, "text": text}
    several = [1, 1, *asked("solve", SEVERAL)["digits"][2:]]
    assert asked("check", SEVERAL, digits=several) == {"solved": False, "wrong": [1], "text": "1 cell is wrong."}
    clues = [clue or None for row in json.loads(NONE)["grid"] for clue in row]
    assert asked("check", NONE, digits=clues)["text"] == "From here there is no solution."
    record = asked("new", kind="6×6", level="medium", seed=5)
    assert (record["title"], record["rows"], record["is_blank"]) == ("6×6, medium", 6, False)
    assert record == asked("new", kind="6×6", level="medium", seed=5)
    killer = asked("new", kind="killer", level="easy", seed=1)
    assert (killer["has_sums"], killer["rules"][0][:7]) == (True, "Killer:")
    with pytest.raises(RingdokuError, match="classic, killer"):
        asked("new", kind="x", level="easy", seed=1)
    text = json.dumps({"grid": json.loads(SMALL)["grid"], "rules": ["diagonal"]})
    assert parse(asked("text", text)["copied"]) == parse(text)


def test_hints_come_in_levels_and_say_first_what_is_wrong() -> None:
    solution = asked("solve")["digits"]
    flat = [digit or None for row in json.loads(SMALL)["grid"] for digit in row]
    hint = asked("hint", digits=flat)
    cell, digit = hint["placed"]
    assert (len(hint["levels"]), solution[cell]) == (4, digit)
    following = [*flat[:cell], digit, *flat[cell + 1 :]]
    assert asked("hint", digits=following)["placed"] not in (None, hint["placed"])
    wrong = next(digit for digit in (2, 3, 4) if digit != solution[1])
    for fields in ({"digits": [1, wrong, *flat[2:]]}, {"digits": flat, "marks": [[], [wrong]]}):
        assert asked("hint", **fields)["levels"][0] == "r1c2 is wrong: look at it again."
    assert asked("hint", digits=solution)["levels"] == ["Every cell has its digit."]
    assert "no solution" in asked("hint", NONE, digits=[None] * 16)["levels"][0]


def test_steps_lead_to_the_solution_or_to_the_contradiction() -> None:
    path = asked("steps")
    left = [set(digits) for digits in path["start"]]
    for step in path["steps"]:
        for cell, digit in step["gone"]:
            left[cell].discard(digit)
    assert [min(digits) for digits in left] == asked("solve")["digits"]
    assert path["outcome"] == "solved"
    conflict = asked("steps", NONE)
    assert conflict["outcome"] == "contradiction"
    assert conflict["conflict"].startswith("These conflict already, the fewest there are: r1c1 = 1")
    repeated = asked("steps", json.dumps({"grid": [[1, 1, 0, 0], *[[0] * 4] * 3]}))
    assert "r1c1 = 1, r1c2 = 1" in repeated["conflict"]


def test_the_page_forbids_what_it_does_not_need(page: Page) -> None:
    got = page.ask("GET", "")
    assert got.status == 200
    assert got.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert (got.headers["Referrer-Policy"], got.headers["Cache-Control"]) == ("no-referrer", "no-store")
    assert "Access-Control-Allow-Origin" not in got.headers
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', got.text)
    assert policy
    assert (policy[1].startswith("default-src 'none'; connect-src 'self'; "), "unsafe" in policy[1]) == (True, False)
    assert not re.search(r"(?:src|href|url)[=(]\W?(?:https?:)?//", got.text)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *((path, 404) for path in ("page.js", "__init__.py", "..%2Fserver.py", "runs")),
        # without the token there is nothing
        *((path, 403) for path in ("/", "*", "/wrong/", "/wrong/page.js", "/wrong/ask", "//", "/ask")),
    ],
)
def test_there_is_nothing_else_and_nothing_for_foreign_hosts(page: Page, path: str, status: int) -> None:
    for method in ("GET", "POST", "DELETE", "OPTIONS") if status == 403 else ("GET",):
        got = page.ask(method, path)
        assert (got.status, bool(got.headers["Content-Security-Policy"])) == (status, True)
    longer = page.path.rstrip("/") + "x/"
    assert page.ask("GET", longer).status == page.ask("GET", longer.upper()).status == 403
    for host in ("example.org", "127.0.0.1.example.org", "192.168.0.1", "[::1]", ""):
        assert page.ask("GET", "", Host=host).status == page.ask("POST", "ask", b"{}", Host=host).status == 400


def test_a_run_ends_with_its_answer_its_connection_or_its_process(page: Page) -> None:
    # those that had no question yet are replaced too
    for worker in page.workers():
        os.kill(worker, signal.SIGKILL)
    with page.begin("maximise", puzzle=SEVERAL) as events:
        *progress, last = [kind for kind, _ in events]
    assert (set(progress), last) == ({"progress"}, "result")
    with page.begin("maximise", **LONG) as events:
        assert next(events)[0] == "progress"
        before = set(page.workers())
    assert page.answer("solve", puzzle=SMALL)[0] == "result"
    while before <= set(page.workers()):
        time.sleep(0.1)
    with page.begin("maximise", **LONG) as events:
        next(events)
        for worker in page.workers():
            os.kill(worker, signal.SIGKILL)
        kind, data = list(events)[-1]
    assert (kind, "was killed by signal 9" in data["text"]) == ("error", True)
    # the next has a new process
    assert page.answer("unique", puzzle=SMALL) == ("result", {"status": "unique"})


def test_questions_are_answered_beside_a_long_run_up_to_a_number(page: Page) -> None:
    with ExitStack() as runs:
        for _ in range(2):
            runs.enter_context(page.begin("maximise", **LONG))
        assert page.answer("solve", puzzle=SMALL)[0] == "result"
        runs.enter_context(page.begin("maximise", **LONG))
        assert page.ask("POST", "ask", b"{}").status == 429
    assert page.answer("solve", puzzle=SMALL)[0] == "result"


def test_ctrl_c_ends_the_page_and_its_workers() -> None:
    page = Page()
    # a client that leaves during an upload is no traceback
    host, port = page.host.split(":")
    with socket.create_connection((host, int(port))) as client:
        head = f"POST {page.path}ask HTTP/1.1\r\nHost: {page.host}\r\nContent-Length: 1000\r\n\r\n{{"
        client.sendall(head.encode())
    with page.begin("maximise", **LONG) as events:
        next(events)
        workers = page.workers()
        assert workers
        start = time.monotonic()
        page.process.send_signal(signal.SIGINT)
        # once more
        code, errors = page.end()
        assert code == 130
        assert errors == "ringdoku: the page is open while this runs; Ctrl-C ends it\n"
        assert time.monotonic() - start < 10
        assert list(events)[-1] == ("error", {"text": "ringdoku has ended."})
    assert not [worker for worker in workers if Path(f"/proc/{worker}/exe").exists()]


def test_a_port_that_is_taken_is_refused_and_so_is_what_makes_no_sense(ringdoku_here: Run, page: Page) -> None:
    port = page.host.partition(":")[2]
    done = ringdoku_here("page", "--no-open", "--port", port)
    message = f"cannot listen on port {port}: Address already in use; --port 0 takes a free one"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ringdoku: error: {message}\n")
    for malformed in (b"{", b"\xff", b"[" * 100_000):
        assert page.ask("POST", "ask", malformed).status == 400
    text = f"a question has a task, one of {', '.join(TASKS)}"
    assert page.answer("dance") == ("error", {"text": text, "can_ignore": False})
    for body in (b"[]", b"null", b'"read"', b"{}", b'{"task": ["read"]}', b'{"task": {}}'):
        assert json.loads(page.ask("POST", "ask", body).text)[0] == "error"


def test_f_puzzles_is_answered_live_and_no_other_site(page: Page) -> None:
    pytest.importorskip("websockets", reason="needs the extra: pip install 'ringdoku[page]'")
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect
    from websockets.typing import Origin

    address = f"ws://{page.host}/"
    for origin in (None, "https://example.org", "http://f-puzzles.com", "https://f-puzzles.com.example.org"):
        with pytest.raises(InvalidStatus, match="HTTP 403"):
            connect(address, origin=Origin(origin) if origin else None)

    def packed(puzzle: str, **keys: Any) -> str:
        clues = "".join(str(digit or ".") for row in json.loads(puzzle)["grid"] for digit in row)
        return fpuzzles_link(fpuzzles(4, clues, **keys)).partition("load=")[2]

    with connect(address, origin=Origin("https://www.f-puzzles.com")) as socket:

        def told(command: str, data: str, kind: str = "fpuzzles") -> dict[str, Any]:
            socket.send(json.dumps({"nonce": 7, "command": command, "dataType": kind, "data": data}))
            answer: dict[str, Any] = json.loads(socket.recv(30))
            assert answer.pop("nonce") == 7
            return answer

        solution = asked("solve")["digits"]
        assert told("solve", packed(SMALL)) == {"type": "solved", "solution": solution}
        assert [told(command, packed(SEVERAL))["count"] for command in ("check", "count")] == [2, 3]
        colours = ["truecandidatesnumsolutions=2", "logical"]
        counts = told("truecandidates", packed(SEVERAL, truecandidatesoptions=colours))["solutionsPerCandidate"]
        assert (len(counts), counts[:4], set(counts)) == (64, [2, 0, 0, 0], {0, 1, 2})
        assert told("step", packed(SMALL))["message"] == "Initial candidates.\n"
        last = told("solvepath", packed(SMALL))
        assert ([cell["value"] for cell in last["cells"]], last["isValid"]) == (solution, True)
        assert told("solve", packed(NONE)) == {"type": "invalid", "message": "No solutions found."}
        for wrong in (("solve", "xx"), ("dance", packed(SMALL)), ("solve", packed(SMALL), "text")):
            assert told(*wrong)["type"] == "invalid"
        blank = fpuzzles_link(fpuzzles(9)).partition("load=")[2]
        socket.send(json.dumps({"nonce": 8, "command": "count", "dataType": "fpuzzles", "data": blank}))
        assert json.loads(socket.recv(30))["inProgress"]
        socket.send(json.dumps({"nonce": 9, "command": "cancel"}))
        while (said := json.loads(socket.recv(30)))["nonce"] == 8:
            pass
        assert said == {"nonce": 9, "type": "canceled"}


def test_the_static_page_is_one_file_with_the_result(ringdoku_here: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert ringdoku_here("page", FIXTURES / "p1074-1.in", "--static", file).returncode == 0
    text = file.read_text()
    found = re.search(r'<script id="start" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    finished = json.loads(found[1])["finished"]
    assert finished["result"]["score"] == finished["result"]["bound"] == 2829
    assert finished["progress"]
    assert finished["steps"]["steps"]
    assert ("default-src 'none'" in text, "\nimport " in text) == (True, False)
    assert ringdoku_here("page", FIXTURES / "p1074-1.in", "--static", file).returncode == 2
    # a name cannot end the data
    link = fpuzzles_link(fpuzzles(4, title="</script><script>alert(1)</script>"))
    assert ringdoku_here("page", link, "--static", file, "--force").returncode == 0
    assert ("alert(1)" in file.read_text(), "<script>alert" in file.read_text()) == (True, False)
