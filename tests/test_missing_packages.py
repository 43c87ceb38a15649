"""Without the packages of an extra, what needs them names the command that installs it."""

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
from ringdoku import MissingPackageError, Puzzle, count_exactly
try:
    print({question})
except MissingPackageError as error:
    print(error.install)
"""

COMMAND = "from ringdoku_cli.__main__ import main as run\nsys.argv[1:] = ['page', '--no-open']\ntry:"


def test_the_exact_count_names_the_extra_that_it_needs() -> None:
    program = PROGRAM.format(hidden={"pyganak"}, question="count_exactly(Puzzle.blank(4))")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr) == ("pip install 'ringdoku[count]'\n", "")


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_the_page_names_the_extra_that_it_needs(package: str) -> None:
    program = PROGRAM.format(hidden={package}, question="run()").replace("try:", COMMAND)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.endswith("install it with: pip install 'ringdoku[page]'\n")
