"""Generated puzzles of each kind, proved to have the wished number of solutions by two ways.

python benchmarks/generated.py [--count 200] [--seed 1] [--kind NAME]

The ways are a SAT solver (`auto`) and another one: the plain search for rules of houses alone, CP-SAT where constraints
were laid. Times are those of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from itertools import islice

from ringdoku import Session, classic
from ringdoku.services.generator import make
from ringdoku.services.placing import PLACED, REGIONS
from ringdoku.services.spec import SYMMETRIES, Solutions, Spec

NINE, SIX = classic(9), classic(6, (2, 3))
WAYS = ("auto", "search")
OTHER_WAYS = ("auto", "cpsat-alldifferent")

KINDS: Mapping[str, Spec] = {
    "minimal": Spec(NINE, minimal=True),
    "clues 24-30": Spec(NINE, (24, 30)),
    **{f"symmetry {name}": Spec(NINE, symmetry=name) for name in SYMMETRIES if name != "none"},
    "regions": Spec(NINE, kinds=(REGIONS,)),
    "several solutions": Spec(NINE, solutions=Solutions.MANY),
    "no solution": Spec(NINE, solutions=Solutions.NONE),
    "level singles": Spec(NINE, levels=("singles", "singles")),
    **{f"{kind}, 6x6": Spec(SIX, kinds=(kind,)) for kind in PLACED},
}
"""What is made, by name."""

COUNTS = {Solutions.ONE: 1, Solutions.MANY: 2, Solutions.NONE: 0}


def verified(wish: Spec, count: int, seed: int) -> tuple[int, float]:
    """How many puzzles of a kind were made, and the seconds that making took. Raises `SystemExit` for one with another
    number of solutions."""
    seconds, done = 0.0, 0
    sessions = [Session(backend) for backend in (OTHER_WAYS if wish.kinds else WAYS)]
    puzzles = islice(make(wish, seed), count)
    while True:
        start = time.process_time()
        made = next(puzzles, None)
        seconds += time.process_time() - start
        if made is None:
            return done, seconds
        if made.puzzle is None:
            continue
        done += 1
        for session in sessions:
            if (found := session.count_solutions(made.puzzle, at_most=2)) != COUNTS[wish.solutions]:
                raise SystemExit(f"{session.backend} finds {found} solutions of {made.puzzle!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this one; can be repeated")
    arguments = parser.parse_args()
    for name in arguments.kind or KINDS:
        done, seconds = verified(KINDS[name], arguments.count, arguments.seed)
        each = 1000 * seconds / max(1, done)
        print(f"{name}: {done} of {arguments.count} made, each proved by two ways; {each:.1f} ms each", flush=True)


if __name__ == "__main__":
    main()
