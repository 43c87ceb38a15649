"""The command that carries a plan out again."""

from __future__ import annotations

import shlex

from ringdoku.services.compare.contenders import OWN_ENCODING
from ringdoku.services.compare.plan import Plan


def command_line(plan: Plan) -> str:
    """`ringdoku compare …` with the arguments that gave the puzzles, and every choice spelt out."""
    options = ["--task", plan.task.value, "--time-limit", f"{plan.time_limit:g}", "--seed", str(plan.seed)]
    options += ["--repeat", str(plan.repeats)]
    if plan.memory_limit is not None:
        options += ["--memory-limit", str(plan.memory_limit)]
    if plan.warm:
        options.append("--warm")
    for backend in dict.fromkeys(one.backend for one in plan.contenders):
        options += ["--backends", backend]
    encoded = {one.backend for one in plan.contenders if one.encoding}
    for encoding in dict.fromkeys(one.encoding for one in plan.contenders if one.backend in encoded):
        options += ["--encodings", encoding or OWN_ENCODING]
    return shlex.join(["ringdoku", "compare", *plan.sources, *options])
