"""What certificates cost, whether others accept them, and whether tampering is noticed.

`python benchmarks/certify.py [--count N] [--large N] [--blank] [--rules N] [--outside N] [--tamper N] [--seed S]
[--limit SECONDS] [--only KIND] [--record FILE] [--seconds S]`

- A table: for each kind of claim and size, N generated puzzles (`--large` of 16×16, `--blank` one of 25×25 and of
  36×36): how many certificates were made and verified; processor seconds, median and most, for the plain answer, for
  making and for checking; the ratio of the medians of making and answer; steps at most. `--limit` is for each answer,
  and ten times as much for making and checking together; puzzles whose answer takes longer are passed over and counted.
- `--record`: a line for each puzzle is added to the file, and what is in it is not done again. `--seconds`: stop after
  so long. So a long run can be continued; the table is that of the whole file.
- `--rules`: best scores of so many puzzles with rules that are inequalities, with ring and with random weights, highest
  and lowest; veripb checks each of them where it is on the PATH.
- `--outside`: so many of this run's for dratify, and for drat-trim and veripb where they are on the PATH.
- `--tamper`: so many mutated certificates and false claims; none may be accepted of what is not true.

Ends with status 1 if a certificate is not made in the limit, not accepted, or accepted and false.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from math import prod
from pathlib import Path
from random import Random
from statistics import median

from ringdoku import (
    Grid,
    Objective,
    Puzzle,
    Ruleset,
    Sense,
    Session,
    Status,
    certify,
    classic,
    read_puzzles,
    ring_weights,
)
from ringdoku.domain.errors import MalformedError, RefutedError, RingdokuError, TimeLimitError
from ringdoku.limits import Deadline
from ringdoku.proofs.certificate import Certificate, make_proof
from ringdoku.proofs.claim import Claim, claim_of_best
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.verifying import verify
from ringdoku.services.generator import minimal_groups, random_solution
from ringdoku.solvers.incremental import RulesSolver

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from certificates import mutated
from puzzles import keep_clues

KINDS = ("no solution", "unique", "count", "best", "top 3")
SIZES = {"4×4": (2, 2), "6×6": (2, 3), "9×9": (3, 3)}
FEW = 200


@dataclass
class Record:
    """What came of a puzzle, in processor seconds. `end` is verified, open (no answer in the limit), other (an answer
    of another kind), or why there is no certificate."""

    kind: str
    size: str
    seed: int
    number: int
    end: str
    plain: float = 0
    making: float = 0
    checking: float = 0
    steps: int = 0


@dataclass(frozen=True)
class Case:
    """A certificate that was made and verified."""

    puzzle: Puzzle
    objective: Objective
    claim: Claim
    grids: tuple[Grid, ...]
    certificate: Certificate


@cache
def session_of(ruleset: Ruleset) -> Session:
    session = Session()
    # the first answer loads the solvers
    session.maximise(keep_clues(ruleset, random_solution(ruleset, Random(0)), ruleset.board.cell_count // 5, Random(0)))
    return session


@cache
def live(ruleset: Ruleset) -> RulesSolver:
    return RulesSolver(ruleset)


def drawn(kind: str, ruleset: Ruleset, random: Random) -> Puzzle:
    solution, cells = random_solution(ruleset, random), ruleset.board.cell_count
    match kind:
        case "unique" if ruleset.order > 9:
            return keep_clues(ruleset, solution, cells * random.randint(40, 50) // 100, random)
        case "unique":
            groups = [live(ruleset).clues(solution, [cell]) for cell in range(cells)]
            kept = minimal_groups(live(ruleset), solution, groups, random)
            return Puzzle(ruleset, solution.only(set(kept or range(cells))))
        case "no solution":
            digits = list(keep_clues(ruleset, solution, cells * random.randint(25, 45) // 100, random).clues.digits)
            cell = random.choice([place for place, digit in enumerate(digits) if digit])
            digits[cell] = digits[cell] % ruleset.order + 1
            return Puzzle(ruleset, Grid(tuple(digits)))
        case "count":
            return keep_clues(ruleset, solution, cells * random.randint(33, 45) // 100, random)
        case _:
            return keep_clues(ruleset, solution, cells * random.randint(0, 45) // 100, random)


def answered(kind: str, puzzle: Puzzle, session: Session, limit: float) -> tuple[Claim, list[Grid]] | str:
    """The plain answer; "open" where it is not known in time, "other" where it is not of the kind."""
    objective = ring_weights(puzzle.board)
    if kind in ("best", "top 3"):
        count = 1 if kind == "best" else 3
        best = claim_of_best(list(session.best_solutions(puzzle, count, objective, limit)), count, objective.sense)
        return best or "open"
    if kind == "no solution":
        status = session.solve(puzzle, limit).status
        return (Claim(0), []) if status is Status.INFEASIBLE else "open" if status is Status.UNKNOWN else "other"
    try:
        grids = list(islice(session.solutions(puzzle, limit), FEW + 1))
    except TimeLimitError:
        return "open"
    fits = len(grids) == 1 if kind == "unique" else 0 < len(grids) <= FEW
    return (Claim(len(grids)), grids) if fits else "other"


INEQUALITIES = ("anti-knight", "anti-king", "non-consecutive", "no-ratio 2", "windoku 2x2")
"""Rules for a whole board; the others are for some cells in a line."""
FOR_CELLS = (
    "thermometer:",
    "slow-thermometer:",
    "extra-region:",
    "killer:",
    "greater:",
    "whisper 2:",
    "no-difference 1:",
)
SHAPES = ("2x2", "2x3", "3x3", "board 2x4", "board 3x5 digits 0-5", "board 6x4")
"""Boxes of a square grid, or a board without boxes; 4×4 to 9×9."""


def ruled(random: Random) -> tuple[Puzzle, Objective] | None:
    """A puzzle with one to three such rules, and weights; None where it has no solution."""
    shape = random.choice(SHAPES)
    if shape.startswith("board"):
        height, width = (int(side) for side in shape.split()[1].split("x"))
    else:
        height = width = prod(map(int, shape.split("x")))
        shape = f"boxes {shape}"
    lines = [shape]
    for _ in range(random.randint(1, 3)):
        rule = random.choice((random.choice(INEQUALITIES), *FOR_CELLS))
        if rule.endswith(":"):
            cells = [(random.randrange(height), random.randrange(width))]
            for _ in range(1 if rule == "greater:" else random.randint(1, 4)):
                row, column = cells[-1]
                near = [(row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1)]
                near = [at for at in near if at not in cells and at[0] in range(height) and at[1] in range(width)]
                cells += near and [random.choice(near)]
            rule += "".join(f" r{row + 1}c{column + 1}" for row, column in cells)
        lines.append(rule)
    blank = "\n".join([*lines, *["." * width] * height, ""])
    try:
        puzzle = next(read_puzzles(blank))
    except RingdokuError:
        # such as windows that the board has no place for
        return None
    size = puzzle.board.cell_count
    weights = [Objective(tuple(random.randint(-9, 9) for _ in range(size)), random.choice(list(Sense))) for _ in "12"]
    if random.random() < 0.5:
        weights[1] = ring_weights(puzzle.board, weights[1].sense)
    found = Session().maximise(puzzle, weights[0], 20).grid
    if found is None:
        return None
    return keep_clues(puzzle.ruleset, found, size * random.randint(0, 45) // 100, random), weights[1]


def of_rules(count: int, seed: int, limit: float) -> None:
    """Best scores where rules are inequalities, certified and checked by ours and by others."""
    counts: Counter[str] = Counter()
    veripb = shutil.which("veripb")
    number = 0
    with tempfile.TemporaryDirectory() as name:
        while counts["verified"] < count:
            number += 1
            drawn = ruled(Random(f"{seed} rules {number}"))
            if drawn is None:
                continue
            puzzle, objective = drawn
            best = claim_of_best(list(Session().best_solutions(puzzle, 1, objective, limit)), 1, objective.sense)
            if best is None:
                counts["open"] += 1
                continue
            try:
                made = certify(puzzle, *best, objective, limit, "1.2")
            except TimeLimitError:
                counts["too long"] += 1
                continue
            counts["verified"] += 1
            counts["with search"] += sum(line.startswith("rup") for line in made.proof) > 1
            if veripb:
                line = [veripb, *_written(Path(name), "some", made, ("opb", "pbp"))]
                counts["veripb"] += not subprocess.run(line, capture_output=True, check=False).returncode
            if not counts["verified"] % 100:
                print(dict(counts), flush=True)
    print(f"\nbest scores with inequalities, {count}: " + ", ".join(f"{name} {n}" for name, n in counts.items()))
    if veripb and counts["veripb"] < count:
        sys.exit("not all are accepted")


def tried(kind: str, size: str, puzzle: Puzzle, seed: int, number: int, limit: float) -> tuple[Record, Case | None]:
    record, objective = Record(kind, size, seed, number, "open"), ring_weights(puzzle.board)
    session = session_of(puzzle.ruleset)
    start = time.process_time()
    found = answered(kind, puzzle, session, limit)
    record.plain = time.process_time() - start
    if isinstance(found, str):
        record.end = found
        return record, None
    claim, grids = found
    deadline = Deadline(10 * limit)
    start = time.process_time()
    try:
        stated = CertificateModel(puzzle, objective, claim)
        proof = make_proof(stated, grids, deadline)[0].lines()
        model = tuple(stated.lines())
        made = time.process_time()
        record.making, record.steps = made - start, len(proof)
        listed = verify(puzzle, proof, claim, objective, model, deadline.left())
    except RingdokuError as error:
        record.end = f"{type(error).__name__} {error}"
        print(f"FAILED: {record}", flush=True)
        return record, None
    if set(listed) != set(grids):
        sys.exit(f"other solutions than were found: {puzzle}")
    record.checking, record.end = time.process_time() - made, "verified"
    return record, Case(puzzle, objective, claim, tuple(grids), Certificate(claim, model, tuple(proof)))


def outside(some: Sequence[Case]) -> None:
    """Others' checkers on the same certificates."""
    counts: Counter[str] = Counter()
    veripb, drat_trim = shutil.which("veripb"), shutil.which("drat-trim")
    help_text = subprocess.run([veripb, "--help"], capture_output=True, text=True, check=False).stdout if veripb else ""
    version = "3.0" if "elaborate" in help_text else "1.2"
    with tempfile.TemporaryDirectory() as name:
        for case in some:
            drat = certify(case.puzzle, case.claim, case.grids, case.objective, form="drat")
            counts["dratify"] += _dratify(drat)
            paths = _written(Path(name), "some", drat, ("cnf", "drat"))
            if drat_trim:
                line = [drat_trim, *paths]
                said = subprocess.run(line, capture_output=True, text=True, check=False).stdout
                counts["drat-trim"] += "s VERIFIED" in said
            if veripb:
                made = certify(case.puzzle, case.claim, case.grids, case.objective, form=version)
                line = [veripb, *_written(Path(name), "some", made, ("opb", "pbp"))]
                done = subprocess.run(line, capture_output=True, text=True, check=False)
                counts["veripb"] += done.returncode == 0
    wanted = ["dratify", *(["drat-trim"] if drat_trim else []), *(["veripb"] if veripb else [])]
    print(f"\naccepted of {len(some)}: " + ", ".join(f"{name} {counts[name]}" for name in wanted))
    if any(counts[name] != len(some) for name in wanted):
        sys.exit("not all are accepted")


def _dratify(made: Certificate) -> bool:
    import dratify

    formula, proof = ("".join(f"{line}\n" for line in lines) for lines in (made.model, made.proof))
    return bool(dratify.check_proof(dratify.parse_dimacs(formula), proof).ok)


def _written(folder: Path, name: str, made: Certificate, endings: tuple[str, str]) -> list[str]:
    paths = []
    for ending, lines in zip(endings, (made.model, made.proof), strict=True):
        path = folder / f"{name}.{ending}"
        path.write_text("".join(f"{line}\n" for line in lines))
        paths.append(str(path))
    return paths


def tamper(some: Sequence[Case], count: int, seed: int) -> None:
    """False claims with the changed proofs of true ones, and true claims; each has to end in a verdict."""
    verdicts: Counter[str] = Counter()
    slowest = 0.0
    for number in range(count):
        random = Random(f"{seed} {number}")
        case = random.choice(some)
        proof = list(case.certificate.proof)
        for _ in range(random.randint(0, 3)):
            proof = mutated(proof, random) or [""]
        claim, puzzle = case.claim, case.puzzle
        match random.randrange(4):
            case 0:
                claim = _false(claim, random)
                old, new = _concluded(case.claim), _concluded(claim)
                proof = [line.replace(old, new) if line.startswith("conclusion") else line for line in proof]
            case 1:
                puzzle = random.choice([other.puzzle for other in some if other.puzzle.board == puzzle.board])
            case 2:
                claim = _false(claim, random)
            case _:
                pass
        false = claim != case.claim or puzzle != case.puzzle
        start = time.process_time()
        try:
            verify(puzzle, proof, claim, case.objective, time_limit=20)
            verdict = "accepted, and true"
            if false and not _holds(puzzle, case.objective, claim):
                sys.exit(f"ACCEPTED AND FALSE: {claim} of {puzzle.clues.digits}: {proof}")
        except RefutedError:
            verdict = "refuted"
        except MalformedError:
            verdict = "malformed"
        except TimeLimitError:
            verdict = "out of time"
        verdicts[verdict] += 1
        slowest = max(slowest, time.process_time() - start)
    print(f"\ntampered {count}: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())), end="")
    print(f"; slowest {slowest:.2f} s")


def _false(claim: Claim, random: Random) -> Claim:
    step = random.choice([-2, -1, 1, 2])
    if claim.count is None:
        return Claim(None, (claim.score or 0) + step)
    return Claim(abs(claim.count + step), claim.score)


def _concluded(claim: Claim) -> str:
    return f"{claim.score}" if claim.count is None else f" {claim.count} "


def _holds(puzzle: Puzzle, objective: Objective, claim: Claim) -> bool:
    """Whether the claim is true all the same, by the plain way."""
    session = Session()
    if claim.count is None:
        return session.maximise(puzzle, objective).score == claim.score
    score = claim.score
    grids = islice(session.solutions(puzzle), 5000)
    if score is None:
        return sum(1 for _ in islice(grids, claim.count + 1)) == claim.count
    return (
        sum(1 for grid in session.best_solutions(puzzle, claim.count + 1, objective) if (grid.score or 0) >= score)
        == claim.count
    )


def table(records: Sequence[Record]) -> None:
    heads = ["claim", "size", "verified", "open", "answer s", "making s", "checking s", "ratio", "steps at most"]
    print(f"| {' | '.join(heads)} |\n{'| --- ' * len(heads)}|")
    for kind, size in dict.fromkeys((record.kind, record.size) for record in records):
        some = [record for record in records if (record.kind, record.size) == (kind, size) and record.end != "other"]
        done = [record for record in some if record.end == "verified"]
        unanswered = sum(record.end == "open" for record in some)
        if done:
            plain, making, checking = (
                [getattr(record, name) for record in done] for name in ("plain", "making", "checking")
            )
            row = [kind, size, f"{len(done)} of {len(some) - unanswered}", str(unanswered)]
            row += [f"{median(times):.4f}, {max(times):.3f}" for times in (plain, making, checking)]
            row += [f"{median(making) / median(plain):.2f}", str(max(record.steps for record in done))]
            print(f"| {' | '.join(row)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--large", type=int, default=3)
    parser.add_argument("--blank", action="store_true")
    parser.add_argument("--rules", type=int, default=0)
    parser.add_argument("--outside", type=int, default=0)
    parser.add_argument("--tamper", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    wanted = parser.parse_args()
    end = time.monotonic() + wanted.seconds
    records, some = list[Record](), list[Case]()
    if wanted.record and wanted.record.exists():
        records = [Record(**json.loads(line)) for line in wanted.record.read_text().splitlines()]

    def keep(record: Record, case: Case | None) -> None:
        records.append(record)
        if wanted.record:
            with wanted.record.open("a") as stream:
                stream.write(json.dumps(asdict(record)) + "\n")
        if case is not None and case.puzzle.order <= 9:
            some.append(case)

    plans = [(kind, size, classic(box[0] * box[1], box), wanted.count) for size, box in SIZES.items() for kind in KINDS]
    plans += [(kind, "16×16", classic(16), wanted.large) for kind in KINDS]
    for kind, size, ruleset, count in plans:
        if wanted.only not in (None, kind):
            continue
        before = [record for record in records if (record.kind, record.size, record.seed) == (kind, size, wanted.seed)]
        left = count - sum(record.end not in ("other", "open") for record in before)
        number = max([record.number for record in before], default=0)
        while left > 0 and time.monotonic() < end:
            number += 1
            puzzle = drawn(kind, ruleset, Random(f"{wanted.seed} {kind} {ruleset} {number}"))
            record, case = tried(kind, size, puzzle, wanted.seed, number, wanted.limit)
            keep(record, case)
            left -= record.end not in ("other", "open")
    if wanted.blank:
        for n in (25, 36):
            keep(*tried("best", f"{n}×{n}, blank", Puzzle.blank(n), wanted.seed, 1, wanted.limit))
    table(records)
    if wanted.rules:
        of_rules(wanted.rules, wanted.seed, wanted.limit)
    random = Random(wanted.seed)
    if wanted.outside:
        outside(random.sample(some, min(wanted.outside, len(some))))
    if wanted.tamper and some:
        tamper(some, wanted.tamper, wanted.seed)
    if any(record.end not in ("verified", "open", "other") for record in records):
        sys.exit("some certificates are missing")


if __name__ == "__main__":
    main()
