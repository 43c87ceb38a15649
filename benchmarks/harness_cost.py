"""What `compare` adds to the solver's own process: `python benchmarks/harness_cost.py [RUNS]`.

Both columns start the same worker process and ask it the same question. Bare: no more than that. Measured: through
the comparison, with its limits, journal on the disk and cross-check. Runs of both kinds take turns.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from ringdoku.compare.plan import Contender, Instance, Plan, Task
from ringdoku.compare.process import request_of
from ringdoku.compare.run import begin, compare
from ringdoku.services.generate import Recipe, generate


def main(runs: int) -> None:
    (puzzle,) = generate(Recipe.parse("1:clues=minimal"))
    for backend in ("search", "minisat22", "cpsat"):
        plan = Plan(Task.SOLVE, (Instance("hard", puzzle),), (Contender(backend),))
        bare, measured = [], []
        with tempfile.TemporaryDirectory() as folder:
            for run in range(runs):
                bare.append(bare_seconds(plan))
                measured.append(measured_seconds(replace(plan, seed=run), Path(folder, f"{run}.json")))
        added = median(measured) - median(bare)
        print(f"{backend:12} bare {median(bare):.3f} s, measured {median(measured):.3f} s, added {1000 * added:.1f} ms")


def bare_seconds(plan: Plan) -> float:
    (batch,) = plan.batches()
    request = json.dumps(request_of(batch, plan.instances)) + "\n"
    start = time.perf_counter()
    command = [sys.executable, "-m", "ringdoku.compare.worker"]
    subprocess.run(command, input=request, text=True, capture_output=True, check=True)
    return time.perf_counter() - start


def measured_seconds(plan: Plan, path: Path) -> float:
    """Of the one measurement alone, the warm-up before it not counted."""
    first = Instance("again", plan.instances[0].puzzle)
    ends: list[float] = []
    compare(
        begin(replace(plan, instances=(*plan.instances, first))),
        path,
        on_measurement=lambda _: ends.append(time.perf_counter()),
    )
    return ends[1] - ends[0]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
