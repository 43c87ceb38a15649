"""Without a solver's package its backends name the command that installs it, and the others work."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
from ringdoku import MissingPackageError, Puzzle, bound, count_exactly, maximise
try:
    print({question})
except MissingPackageError as error:
    print(error.install)
"""

COMMAND = "from ringdoku_cli.__main__ import main as run\nsys.argv[1:] = ['page', '--no-open']\ntry:"


def answer(hidden: set[str], question: str) -> str:
    """What comes of it in a process of its own."""
    program = PROGRAM.format(hidden=hidden, question=question)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert run.stderr == ""
    return run.stdout.strip()


@pytest.mark.parametrize(
    ("question", "hidden", "expected"),
    [
        ("lp-sat", {"pysat", "pysolvers"}, "pip install 'python-sat>=1.9.dev17'"),
        ("lp-sat", {"ortools"}, "pip install ortools"),
        ("cpsat", {"ortools"}, "pip install ortools"),
        ("rc2", {"pysat", "pysolvers"}, "pip install 'python-sat>=1.9.dev17'"),
        ("rc2", {"ortools"}, "254"),
        ("rc2", {"numpy"}, "pip install numpy"),
        ("search", {"ortools", "pysat", "pysolvers", "numpy"}, "254"),
        ("bound(Puzzle.blank(4)).value", {"ortools"}, "pip install ortools"),
        ("bound(Puzzle.blank(4)).value", {"numpy"}, "pip install numpy"),
        ("count_exactly(Puzzle.blank(4))", {"pyganak"}, "pip install 'ringdoku[count]'"),
    ],
)
def test_a_question_without_its_package(question: str, hidden: set[str], expected: str) -> None:
    asked = question if "(" in question else f"maximise(Puzzle.blank(4), backend={question!r}).score"
    assert answer(hidden, asked) == expected


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_the_page_names_the_extra_that_it_needs(package: str) -> None:
    program = PROGRAM.format(hidden={package}, question="run()").replace("try:", COMMAND)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.endswith("install it with: pip install 'ringdoku[page]'\n")
