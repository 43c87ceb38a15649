"""Without a solver's package its backends name the command that installs it, and the others work."""

from __future__ import annotations

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
from ringdoku import MissingPackageError, Puzzle, maximise
try:
    print(maximise(Puzzle.blank(4), backend={backend!r}).score)
except MissingPackageError as error:
    print(error.install)
"""


@pytest.mark.parametrize(
    ("backend", "hidden", "expected"),
    [
        ("lp-sat", {"pysat", "pysolvers"}, "pip install 'python-sat>=1.9.dev17'"),
        ("lp-sat", {"ortools"}, "pip install ortools"),
        ("cpsat", {"ortools"}, "pip install ortools"),
        ("rc2", {"pysat", "pysolvers"}, "pip install 'python-sat>=1.9.dev17'"),
        ("rc2", {"ortools"}, "254"),
        ("search", {"ortools", "pysat", "pysolvers", "numpy"}, "254"),
    ],
)
def test_a_backend_without_its_package(backend: str, hidden: set[str], expected: str) -> None:
    program = PROGRAM.format(hidden=hidden, backend=backend)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout.strip(), run.stderr) == (expected, "")
