"""What several test modules need."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any, TypeAlias

import pytest
from hypothesis import settings

FIXTURES = Path(__file__).parents[1] / "fixtures"
Done: TypeAlias = subprocess.CompletedProcess[str]
Extra: TypeAlias = dict[str, str] | None
Run = Callable[..., Done]
SCRIPT = Path(sysconfig.get_path("scripts")) / "ringdoku"
"""The console script that was installed with the library."""
LONG = """backends_interrupts cluster compare_command compare_process compare_results exports_rules external judge_sets
    large limits long_runs maximise_following page_browser page_server pool report top"""
DROPPED = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM")

# programs that are started inherit an ignored Ctrl-C, as in a shell's background, and then nothing interrupts them
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# how long an example takes says how busy the machine is
settings.register_profile("ringdoku", deadline=None, max_examples=60)
settings.load_profile("ringdoku")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips the files that take longest, unless RINGDOKU_LONG is set, as `.ci/run` sets it."""
    if not os.environ.get("RINGDOKU_LONG"):
        skipped = pytest.mark.skip(reason="it takes long: RINGDOKU_LONG=1 runs it, as .ci/run does")
        for item in items:
            if item.path.stem.removeprefix("test_") in LONG.split():
                item.add_marker(skipped)


@pytest.fixture(scope="session")
def ringdoku() -> Run:
    """Runs the installed console script to its end; `env` is added to a plain environment."""

    def run(*arguments: str | Path, input: str = "", env: Extra = None, cwd: Path | None = None) -> Done:  # noqa: A002
        return subprocess.run(
            [SCRIPT, *arguments],
            input=input,
            env=plain_environment() | (env or {}),
            cwd=cwd,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def ringdoku_here(monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same in this process: saves the start, where starting and ending are not what a test is about."""

    def run(*arguments: str | Path, input: str = "", env: Extra = None, cwd: Path | None = None) -> Done:  # noqa: A002
        from ringdoku_cli.app import main

        written = {"stdout": BytesIO(), "stderr": BytesIO()}
        streams = {name: TextIOWrapper(to, "utf-8", write_through=True) for name, to in written.items()}
        streams["stdin"] = TextIOWrapper(BytesIO(input.encode()), "utf-8")
        with monkeypatch.context() as here:
            for name in DROPPED:
                here.delenv(name, raising=False)
            for name, value in (env or {}).items():
                here.setenv(name, value)
            for name, stream in streams.items():
                here.setattr(sys, name, stream)
            here.setattr(sys, "argv", ["ringdoku", *map(str, arguments)])
            if cwd:
                here.chdir(cwd)
            code = main()
        return Done(sys.argv, code, *(each.getvalue().decode() for each in written.values()))

    return run


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    api = pytest.importorskip("playwright.sync_api", reason="needs the extra: pip install 'ringdoku[test]'")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program:
        pytest.skip("no browser: install chromium")
    with api.sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])


def cases_in(file: Path) -> list[tuple[str, list[str]]]:
    """The cases of a fixture, each `=== `, a text, and lines with `--> ` that say what it is read as."""
    blocks = (
        block.rstrip("\n").split("\n--> ") for block in file.read_text("utf-8").removeprefix("=== ").split("\n=== ")
    )
    return [(given, expected) for given, *expected in blocks]


def on_terminal(command: list[str | Path], folder: Path, text: str = "", **more: str) -> tuple[int, str]:
    """The exit code of a program that has a terminal to write on, and what that shows."""
    import pty

    shown, terminal = pty.openpty()
    environment = plain_environment() | {"TERM": "xterm-256color", "COLUMNS": "100"} | more
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=pipe, stdout=terminal, stderr=terminal
    ) as process:
        os.close(terminal)
        assert process.stdin
        process.stdin.write(text.encode())
        process.stdin.close()
        drawn = b""
        with contextlib.suppress(OSError):
            while chunk := os.read(shown, 1 << 16):
                drawn += chunk
        code = process.wait()
    os.close(shown)
    return code, drawn.decode()


@contextlib.contextmanager
def running(
    *command: str | Path, text: str = "", folder: Path | None = None
) -> Iterator[tuple[subprocess.Popen[str], IO[str], IO[str], IO[str]]]:
    """A program with its three streams, which got a text on the first."""
    pipe, environment = subprocess.PIPE, plain_environment()
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8"
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(text)
        process.stdin.flush()
        yield process, process.stdin, process.stdout, process.stderr


def plain_environment() -> dict[str, str]:
    """Without what changes colours or width."""
    return {name: value for name, value in os.environ.items() if name not in DROPPED}
