"""Variant puzzles of a folder: solved, proved unique, counted and optimised, with processor times.

RINGDOKU_VARIANTS=FOLDER python benchmarks/variants.py [unique|many|hard|images|certificates] [--every K]
    [--limit SECONDS]

The folder has `variants.jsonl`, `many.jsonl` and `hard.jsonl`: one object a line with `id`, `kinds`, `format`, `text`
as it was shared, `count` (2 for more), `solution`, and for many solutions `ring_max` and `ring_min`, the best and worst
Σ weight · digit with the weight 6 + ring at 9×9 and 1 + ring elsewhere. `iss_times.json` has the milliseconds of ISS,
if it is there.

`images` asks for each killer of `hard.jsonl` in eight positions, turned and reflected. It is the same puzzle, but where
a search begins is luck: one position takes a solver several times as long as another. `--iss FILE` writes them as ISS's
constraint strings in JSON, to ask ISS the same.

`certificates` runs `check --unique` for each puzzle with one solution, and where that takes at most `--limit` seconds
again with `--certificate` and five times the limit; veripb checks the same in its format of 2022, where it is on the
PATH. What a command takes beyond the plain one is making and checking; the checking alone is timed on its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ringdoku import Objective, Puzzle, RingdokuError, Sense, Session, Status, classic
from ringdoku.constraints.sums import Killer
from ringdoku.limits import without_collection
from ringdoku.links import read_link
from ringdoku.proofs.claim import Claim
from ringdoku.proofs.rules import rules_of
from ringdoku.proofs.verifying import verify
from ringdoku.services.spec import SYMMETRIES


def records(name: str, every: int) -> Iterator[dict[str, Any]]:
    folder = Path(os.environ["RINGDOKU_VARIANTS"])
    lines = (folder / name).read_text().splitlines()
    return (json.loads(line) for line in lines[::every])


def read(record: dict[str, Any]) -> Puzzle | None:
    """The puzzle; None, with a line that says so, when it is refused."""
    text = record["text"]
    try:
        shared = read_link(text)
    except RingdokuError as error:
        print(f"{record['id']} {'+'.join(record['kinds'])}: refused: {str(error)[:100]}")
        return None
    if shared.unknown:
        print(f"{record['id']} {'+'.join(record['kinds'])}: not all understood: {shared.unknown[0][:80]}")
        return None
    return shared.puzzle


def unique(every: int, limit: float, name: str) -> None:
    session, seconds, refused = Session(), [], 0
    for record in records(name, every):
        puzzle = read(record)
        if puzzle is None:
            refused += 1
            continue
        start = time.process_time()
        try:
            grids = list(islice(session.solutions(puzzle, limit), 2))
        except RingdokuError as error:
            print(f"{record['id']} {'+'.join(record['kinds'])}: {error} ({time.process_time() - start:.1f} s)")
            seconds.append(limit)
            continue
        seconds.append(time.process_time() - start)
        if name == "hard.jsonl":
            print(f"{record['id']} {record['title']}: {len(grids)} found, {seconds[-1]:.2f} s")
            continue
        found = "".join(map(str, chain(*grids[0].rows))) if grids else None
        wrong = record["count"] == 1 and puzzle.order <= 9 and found != record["solution"]
        if len(grids) != record["count"] or wrong:
            print(f"{record['id']} {'+'.join(record['kinds'])}: WRONG: {len(grids)} solutions, {found}")
    report(seconds, refused)


def many(every: int, limit: float) -> None:
    session, seconds, refused = Session(), [], 0
    for record in records("many.jsonl", every):
        puzzle = read(record)
        if puzzle is None:
            refused += 1
            continue
        board = puzzle.board
        least = 6 if board.rows == board.columns == 9 else 1
        weights = tuple(least + board.ring(cell) for cell in range(board.grid_count))
        for sense, wanted in ((Sense.MAXIMISE, record["ring_max"]), (Sense.MINIMISE, record["ring_min"])):
            start = time.process_time()
            result = session.maximise(puzzle, Objective(weights, sense), limit)
            seconds.append(time.process_time() - start)
            if result.status is not Status.OPTIMAL or result.score != wanted:
                print(f"{record['id']} {sense.value}: {result.status.value} {result.score}, not {wanted}")
    report(seconds, refused)


def certificates(every: int, limit: float) -> None:
    plain, making, checking, refused, accepted = list[float](), list[float](), list[float](), 0, 0
    with TemporaryDirectory() as folder:
        text, proof, model = Path(folder, "puzzle.txt"), Path(folder, "proof.pbp"), Path(folder, "proof.opb")
        for record in records("variants.jsonl", every):
            text.write_text(record["text"])
            ask = ["ringdoku", "check", "--unique", text, "--time-limit"]
            answered, said = spent(*ask, limit)
            if record["count"] != 1 or "exactly one solution" not in said:
                continue
            certify = [*ask, 5 * limit, "--force", "--certificate", Path(folder, "proof")]
            proof.unlink(missing_ok=True)
            certified, said = spent(*certify)
            if not proof.exists():
                refused += 1
                print(f"{record['id']} {'+'.join(record['kinds'])}: {said.splitlines()[0][-100:]}", flush=True)
                continue
            puzzle, steps = read_link(record["text"]).puzzle, proof.read_text().splitlines()
            # as in the command, which has the rules from making it
            rules_of(puzzle.ruleset)
            start = time.process_time()
            with without_collection():
                verify(puzzle, steps, Claim(1))
            plain.append(answered)
            checking.append(time.process_time() - start)
            making.append(certified - answered - checking[-1])
            if shutil.which("veripb"):
                spent(*certify, "--format", "veripb-1.2")
                accepted += "Verification succeeded" in spent("veripb", model, proof)[1]
            times = f"{answered:.2f} {making[-1]:.2f} {checking[-1]:.2f}"
            print(f"{record['id']} {'+'.join(record['kinds'])}: {times}, {accepted} accepted", flush=True)
    ratios = [one / other for one, other in zip(making, plain, strict=True)]
    print(
        f"{len(plain)} certificates, {refused} not made, {accepted} accepted by veripb; seconds in all: plain answers"
    )
    print(f"{sum(plain):.0f}, making {sum(making):.0f}, checking {sum(checking):.0f}; making by plain answers: median")
    print(f"{statistics.median(ratios):.2f}, at most 1.5 for {sum(ratio <= 1.5 for ratio in ratios)}")


def spent(*command: object) -> tuple[float, str]:
    """The processor seconds of a command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr + done.stdout


def images(limit: float, written: Path | None) -> None:
    turned = []
    for record in records("hard.jsonl", 1):
        puzzle = read(record) if record["format"] == "killer-short" else None
        if puzzle is None:
            continue
        of_images = []
        for image in range(8):
            cages = [_image(cage, image) for cage in puzzle.ruleset.constraints if isinstance(cage, Killer)]
            turned.append({"title": f"{record['title']}/{image}", "iss": "".join(map(_as_iss, cages))})
            same = Puzzle(classic(9).extended(*cages), puzzle.clues)
            session, start = Session(), time.process_time()
            try:
                found = len(list(islice(session.solutions(same, limit), 2)))
            except RingdokuError as error:
                print(f"{turned[-1]['title']}: {error}")
                of_images.append(limit)
                continue
            of_images.append(time.process_time() - start)
            if found != 1:
                print(f"{turned[-1]['title']}: WRONG: {found} solutions")
        mean, low, high = statistics.mean(of_images), min(of_images), max(of_images)
        print(f"{record['title']}: mean {mean:.1f} s, {low:.1f} to {high:.1f} s", flush=True)
    if written is not None:
        written.write_text("".join(json.dumps(each) + "\n" for each in turned))


def _image(cage: Killer, image: int) -> Killer:
    """The cage of a 9×9 board that is turned by `image` quarters, and reflected first from 4 on."""

    (turn,), (reflect,) = SYMMETRIES["quarter-turn"], SYMMETRIES["diagonal"]

    def moved(cell: int) -> int:
        row, column = divmod(cell, 9)
        for move in [reflect] * (image // 4) + [turn] * (image % 4):
            row, column = move(row, column, 8, 8)
        return row * 9 + column

    return Killer(cage.total, tuple(map(moved, cage.cells)))


def _as_iss(cage: Killer) -> str:
    cells = "~".join(f"R{cell // 9 + 1}C{cell % 9 + 1}" for cell in cage.cells)
    return f".Cage~{cage.total}~{cells}"


def report(seconds: list[float], refused: int) -> None:
    if not seconds:
        sys.exit("nothing was read")
    ordered = sorted(seconds)
    print(
        f"{len(seconds)} done, {refused} refused; median {1000 * statistics.median(seconds):.1f} ms, "
        f"90th percentile {1000 * ordered[len(ordered) * 9 // 10]:.1f} ms, worst {ordered[-1]:.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "what", choices=("unique", "many", "hard", "images", "certificates"), nargs="?", default="unique"
    )
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--iss", type=Path, metavar="FILE")
    asked = parser.parse_args()
    if asked.what == "images":
        images(asked.limit, asked.iss)
    elif asked.what == "certificates":
        certificates(asked.every, asked.limit)
    elif asked.what == "many":
        many(asked.every, asked.limit)
    else:
        unique(asked.every, asked.limit, "variants.jsonl" if asked.what == "unique" else "hard.jsonl")


if __name__ == "__main__":
    main()
