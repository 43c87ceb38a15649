"""What certificates cost, whether others accept them, and whether tampering is noticed.

`python benchmarks/certify.py [--count N] [--large N] [--outside N] [--tamper N] [--seed S] [--limit SECONDS]`

- A table: for each kind of claim and size, N generated puzzles (`--large` of 16×16): how many certificates were made
  and verified; processor seconds, median and most, for the plain answer, for making and for checking; steps at most.
- `--outside`: so many of them for dratify, and for drat-trim and veripb where they are on the PATH.
- `--tamper`: so many mutated certificates and false claims; none may be accepted of what is not true.

Ends with status 1 at the first certificate that is not made in the limit, not accepted, or accepted and false.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from ringdoku import Grid, Objective, Puzzle, Ruleset, Session, Status, classic, ring_weights
from ringdoku.backends.live import LiveRules
from ringdoku.domain.errors import RingdokuError
from ringdoku.limits import Deadline
from ringdoku.proofs.certificate import Certificate, conclusion_of, make_proof
from ringdoku.proofs.checker import MalformedError, OutOfTimeError, RefutedError
from ringdoku.proofs.claims import Claim
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.verifying import verify
from ringdoku.services.certifying import certify, claim_of_best
from ringdoku.services.generate import keep_clues, minimal_puzzle, random_solution

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from certificates import mutated

KINDS = ("no solution", "unique", "count", "best", "top 3")
SIZES = {"4×4": (2, 2), "6×6": (2, 3), "9×9": (3, 3)}
FEW = 200


@dataclass
class Cost:
    """Processor seconds of each certificate."""

    plain: list[float] = field(default_factory=list)
    making: list[float] = field(default_factory=list)
    checking: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A certificate that was made and verified."""

    puzzle: Puzzle
    objective: Objective
    claim: Claim
    grids: tuple[Grid, ...]
    certificate: Certificate


@cache
def live(ruleset: Ruleset) -> LiveRules:
    return LiveRules(ruleset)


def drawn(kind: str, ruleset: Ruleset, random: Random, session: Session) -> Puzzle:
    solution, cells = random_solution(ruleset, random, session), ruleset.board.cell_count
    match kind:
        case "unique":
            return minimal_puzzle(live(ruleset), solution, random)
        case "no solution":
            digits = list(keep_clues(ruleset, solution, cells * random.randint(25, 45) // 100, random).clues.digits)
            cell = random.choice([place for place, digit in enumerate(digits) if digit])
            digits[cell] = digits[cell] % ruleset.order + 1
            return Puzzle(ruleset, Grid(tuple(digits)))
        case "count":
            return keep_clues(ruleset, solution, cells * random.randint(33, 45) // 100, random)
        case _:
            return keep_clues(ruleset, solution, cells * random.randint(0, 45) // 100, random)


def answered(kind: str, puzzle: Puzzle, session: Session, limit: float) -> tuple[Claim, list[Grid]] | None:
    """The plain answer; None where it is not of the kind, or not known in time."""
    objective = ring_weights(puzzle.board)
    if kind in ("best", "top 3"):
        count = 1 if kind == "best" else 3
        return claim_of_best(list(session.best_solutions(puzzle, count, objective, limit)), count, objective.sense)
    if kind == "no solution":
        return (Claim(0), []) if session.solve(puzzle, limit).status is Status.INFEASIBLE else None
    grids = list(islice(session.solutions(puzzle, limit), FEW + 1))
    return (Claim(len(grids)), grids) if 0 < len(grids) <= FEW else None


def expired(deadline: Deadline) -> Callable[[], bool]:
    return lambda: deadline.expired


def cases(kind: str, ruleset: Ruleset, count: int, seed: int, limit: float, cost: Cost) -> Iterator[Case]:
    session, number = Session(), 0
    while count:
        number += 1
        puzzle = drawn(kind, ruleset, Random(f"{seed} {kind} {ruleset} {number}"), session)
        start = time.process_time()
        found = answered(kind, puzzle, session, limit)
        plain = time.process_time() - start
        if found is None:
            continue
        count -= 1
        claim, grids = found
        objective = ring_weights(puzzle.board)
        start = time.process_time()
        try:
            stated = CertificateModel(puzzle, objective, claim)
            proof = make_proof(stated, grids, Deadline(limit))[0].lines(conclusion_of(stated))
            model = tuple(stated.lines())
            made = time.process_time()
            deadline = Deadline(limit)
            listed = verify(CertificateModel(puzzle, objective, claim), proof, model, expired(deadline))
        except (RingdokuError, RefutedError, OutOfTimeError) as error:
            line = "".join(map(str, puzzle.clues.digits)) if ruleset.order < 10 else str(number)
            print(f"FAILED: {kind} {claim} of {line}: {type(error).__name__} {error}", flush=True)
            continue
        if set(listed) != set(grids):
            sys.exit(f"other solutions than were found: {puzzle}")
        cost.plain.append(plain)
        cost.making.append(made - start)
        cost.checking.append(time.process_time() - made)
        cost.steps.append(len(proof))
        yield Case(puzzle, objective, claim, tuple(grids), Certificate(claim, model, tuple(proof)))


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
        deadline = Deadline(20)
        try:
            verify(CertificateModel(puzzle, case.objective, claim), proof, None, expired(deadline))
            verdict = "accepted, and true"
            if false and not _holds(puzzle, case.objective, claim):
                sys.exit(f"ACCEPTED AND FALSE: {claim} of {puzzle.clues.digits}: {proof}")
        except RefutedError:
            verdict = "refuted"
        except MalformedError:
            verdict = "malformed"
        except OutOfTimeError:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--large", type=int, default=3)
    parser.add_argument("--outside", type=int, default=0)
    parser.add_argument("--tamper", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=60)
    wanted = parser.parse_args()
    some: list[Case] = []
    print("| claim | puzzles | verified | answer s | making s | checking s | steps at most |\n" + "| --- " * 7 + "|")
    plans = [(kind, size, classic(box[0] * box[1], box), wanted.count) for size, box in SIZES.items() for kind in KINDS]
    plans += [(kind, "16×16", classic(16), wanted.large) for kind in ("no solution", "best")]
    plans += [("best", f"{n}×{n}, blank", classic(n), 1) for n in (25, 36)] if wanted.large else []
    failed = 0
    for kind, size, ruleset, count in plans:
        cost = Cost()
        if "blank" in size:
            found = list(blank(ruleset, cost))
        else:
            found = list(cases(kind, ruleset, count, wanted.seed, wanted.limit, cost))
        failed += count - len(found)
        if ruleset.order <= 9:
            some += found
        if found:
            columns = [f"{median(times):.4f}, {max(times):.3f}" for times in (cost.plain, cost.making, cost.checking)]
            row = [kind, size, f"{len(found)} of {count}", *columns, str(max(cost.steps))]
            print(f"| {' | '.join(row)} |", flush=True)
    random = Random(wanted.seed)
    if wanted.outside:
        outside(random.sample(some, min(wanted.outside, len(some))))
    if wanted.tamper:
        tamper(some, wanted.tamper, wanted.seed)
    if failed:
        sys.exit(f"{failed} certificates are missing")


def blank(ruleset: Ruleset, cost: Cost) -> Iterator[Case]:
    puzzle = Puzzle(ruleset, Grid.blank(ruleset.board))
    objective, session = ring_weights(puzzle.board), Session()
    start = time.process_time()
    result = session.maximise(puzzle, objective)
    cost.plain.append(time.process_time() - start)
    if result.score is None or result.grid is None:
        return
    start = time.process_time()
    stated = CertificateModel(puzzle, objective, Claim(None, result.score))
    proof = make_proof(stated, [result.grid], Deadline())[0].lines(conclusion_of(stated))
    cost.making.append(time.process_time() - start)
    start = time.process_time()
    verify(stated, proof)
    cost.checking.append(time.process_time() - start)
    cost.steps.append(len(proof))
    yield Case(puzzle, objective, stated.claim, (result.grid,), Certificate(stated.claim, (), tuple(proof)))


if __name__ == "__main__":
    main()
