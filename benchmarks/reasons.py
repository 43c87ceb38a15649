"""Steps and ratings measured on rated puzzles and on positions with a known elimination.

RINGDOKU_RATED=FOLDER python benchmarks/reasons.py [rated|techniques|conflicts] [--every K] [--limit SECONDS]
    [--hardest SE]

The folder has `rated.jsonl`, one object a line with `puzzle`, `solution` and `se`, the rating of Sudoku Explainer, and
`techniques.jsonl` with `code` (HoDoKu's number of a technique), `digits` (81, 0 for blank), and lists of candidates
written digit, row, column: `deleted`, `eliminations`. Times are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from ringdoku import Grid, Puzzle, parse
from ringdoku.domain.checker import repeats
from ringdoku.explanations.checker import check_step
from ringdoku.explanations.graph import CandidateGraph, graph_of
from ringdoku.explanations.inferences import Candidate, Candidates, Inference
from ringdoku.explanations.path import Outcome
from ringdoku.explanations.search import Search
from ringdoku.limits import NEVER
from ringdoku.services.explaining import explain, why_none

MOST = {
    **dict.fromkeys(("00", "0100", "0101"), 1),
    **dict.fromkeys(("0110", "0200", "0210", "0300", "0310", "0320", "0330", "0340", "04", "0703"), 2),
    **dict.fromkeys(("0111", "0201", "0211", "0301", "0311", "0321", "0331", "0341", "05", "08", "0701"), 3),
    **dict.fromkeys(("0202", "0212", "0302", "0312", "0322", "0332", "0342", "0303", "0313", "0304", "0314"), 4),
    **dict.fromkeys(("0361", "0362", "0363", "0364", "1101"), 4),
    **dict.fromkeys(("0706", "0707", "0901", "0702"), 5),
    **dict.fromkeys(("03", "12", "0708", "0709", "0710", "0711", "0902", "0903", "0904"), 6),
}
"""The most truths that a technique takes, by the beginning of its code: the longest that fits counts."""

UNIQUENESS = "06"
"""How the codes of techniques begin that assume a single solution."""


def records(name: str, every: int) -> Iterator[dict[str, Any]]:
    lines = (Path(os.environ["RINGDOKU_RATED"]) / name).read_text().splitlines()
    return (json.loads(line) for line in lines[::every])


def rated(every: int, limit: float, hardest: float = 12.0) -> None:
    found: list[tuple[float, float, Any]] = []
    checked, longest = 0, 0
    for record in records("rated.jsonl", every):
        if record["se"] > hardest:
            continue
        puzzle = parse(record["puzzle"])
        start = time.process_time()
        # each step is checked as it is found, and one that does not follow is an error
        explanation = explain(puzzle, limit)
        seconds = time.process_time() - start
        checked += len(explanation.inferences)
        longest = max(longest, *(len(str(step).splitlines()) for step in explanation))
        if explanation.outcome is not Outcome.SOLVED:
            print(f"SE {record['se']}: {explanation.outcome.value} after {seconds:.1f} s")
        found.append((record["se"], seconds, explanation.rating.key))
    for low, high in ((1.0, 4.5), (4.6, 7.5), (7.6, 8.5), (8.6, 12.0)):
        times = [seconds for rating, seconds, _ in found if low <= rating <= high]
        if times:
            middle, worst = statistics.median(times), max(times)
            print(f"SE {low} to {high}: {len(times)} puzzles, median {middle:.3f} s, worst {worst:.2f} s")
    for low, high in ((1.0, 8.5), (7.6, 12.0)):
        rows = [row for row in found if low <= row[0] <= high]
        if len(rows) > 1:
            correlation = spearman([row[0] for row in rows], [row[2] for row in rows])
            print(f"Spearman with SE {low} to {high}: {correlation:.3f}")
    print(f"{checked} steps checked, none refused; the longest has {longest} lines")


def spearman(one: Sequence[Any], other: Sequence[Any]) -> float:
    return statistics.correlation(ranks(one), ranks(other))


def ranks(values: Sequence[Any]) -> list[float]:
    """The place of each value among all, from 0; equal values share the mean of theirs."""
    ordered = sorted(values)
    places: dict[str, list[int]] = {}
    for place, value in enumerate(ordered):
        places.setdefault(repr(value), []).append(place)
    return [statistics.mean(places[repr(value)]) for value in values]


def techniques(every: int, _limit: float) -> None:
    good, bad, checked, every_one, wanted = 0, Counter[str](), 0, 0, 0
    blank = Puzzle.blank(9)
    graph = graph_of(blank.ruleset)
    start = time.process_time()
    for record in records("techniques.jsonl", every):
        code: str = record["code"]
        if code.startswith(UNIQUENESS) or not record["eliminations"]:
            continue
        most = MOST[max((begin for begin in MOST if code.startswith(begin)), key=len)]
        left = position(graph, record)
        sizes: list[int | None] = []
        for text in record["eliminations"]:
            step = refuting_step(blank, left, candidate(text), most)
            sizes.append(step.size if step else None)
            if step:
                checked += 1
                assert not check_step(blank, left, step)
        every_one += None not in sizes
        wanted += len(sizes)
        if any(sizes):
            good += 1
        else:
            bad[code] += 1
    total = good + sum(bad.values())
    print(f"{total} positions in {time.process_time() - start:.1f} s; at the technique's number of truths or fewer:")
    print(f"  an expected elimination is found in {good} ({100 * good / total:.1f} %), all in {every_one}")
    print(f"  {checked} of {wanted} eliminations ({100 * checked / wanted:.1f} %), each step checked, none refused")
    print(f"  none found: {dict(bad)}")


def refuting_step(puzzle: Puzzle, candidates: Candidates, candidate: Candidate, most: int) -> Inference | None:
    """A step of the fewest truths, at most `most`, that refutes one candidate of a position; not checked, not named."""
    graph = graph_of(puzzle.ruleset)
    alive = graph.union((cell, digit) for cell, digits in enumerate(candidates) for digit in digits)
    index = graph.index(candidate)
    search = Search(graph, alive, NEVER.check, graph.all & ~(1 << index), most)
    if index not in search.conflicts:
        return None
    single = iter([(truth,) for truth in search.bits])
    for kind in chain([single], *(search.kinds(size) for size in range(1, most + 1))):
        for truths in kind:
            if search.refuted(truths) >> index & 1:
                return Inference(tuple(graph.truths[truth] for truth in truths), (candidate,))
    return None


def candidate(text: str) -> tuple[int, int]:
    digit, row, column = map(int, text)
    return (row - 1) * 9 + column - 1, digit


def position(graph: CandidateGraph, record: dict[str, Any]) -> Candidates:
    clues = Puzzle(graph.ruleset, Grid(tuple(map(int, record["digits"]))))
    return graph.candidates(graph.left_by_clues(clues) & ~graph.union(map(candidate, record["deleted"])))


def conflicts(every: int, limit: float) -> None:
    """One clue of each puzzle is changed, so that no two clues are equal in a unit."""
    random, times, proved = Random(1), [], 0
    for record in records("rated.jsonl", every):
        digits = list(map(int, record["puzzle"]))
        for cell in random.sample([cell for cell, digit in enumerate(digits) if digit], 17):
            spoilt = [*digits[:cell], digits[cell] % 9 + 1, *digits[cell + 1 :]]
            puzzle = Puzzle.of_rows([spoilt[row : row + 9] for row in range(0, 81, 9)])
            if not list(repeats(puzzle, puzzle.clues)):
                break
        else:
            continue
        start = time.process_time()
        found = why_none(puzzle, limit)
        if found:
            times.append(time.process_time() - start)
            proved += found.smallest
    middle, worst = statistics.median(times), max(times)
    print(f"{len(times)} puzzles: median {middle:.3f} s, worst {worst:.2f} s; {proved} proved smallest")


WAYS: dict[str, Callable[[int, float], None]] = {"techniques": techniques, "conflicts": conflicts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("rated", *WAYS), nargs="?", default="rated")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--hardest", type=float, default=12.0)
    asked = parser.parse_args()
    if "RINGDOKU_RATED" not in os.environ:
        sys.exit("RINGDOKU_RATED names the folder with the rated puzzles")
    if asked.what == "rated":
        rated(asked.every, asked.limit, asked.hardest)
    else:
        WAYS[asked.what](asked.every, asked.limit)


if __name__ == "__main__":
    main()
