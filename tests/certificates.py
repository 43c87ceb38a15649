"""Certificates for tests, and ways to break them."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from puzzles import GEOMETRIES, NO_SOLUTION, ONE_SOLUTION, P1074, puzzle, random_puzzle

from ringdoku import Grid, Objective, Puzzle, Session, certify, ring_weights
from ringdoku.proofs.certificate import Certificate
from ringdoku.proofs.claim import Claim, claim_of_best

MOST = 50
"""Solutions that are counted."""

PAGE = (Path(__file__).parents[1] / "docs/proofs.md").read_text(encoding="utf-8")
(BY_HAND,) = re.findall(r"```pbp\n(.*?)```", PAGE, re.DOTALL)
"""That 254 is the highest score of the blank 4×4."""


def claims_of(asked: Puzzle, objective: Objective, top: int) -> Iterator[tuple[Claim, list[Grid]]]:
    """What is true of a puzzle: the count, if it is small, the best score, and the best so many."""
    session = Session()
    grids = list(islice(session.solutions(asked), MOST + 1))
    if len(grids) <= MOST:
        yield Claim(len(grids)), grids
    if not grids:
        return
    for count in (1, top):
        results = list(session.best_solutions(asked, count, objective))
        claimed = claim_of_best(results, count, objective.sense)
        assert claimed is not None
        yield claimed


def certificates(form: str = "3.0") -> Iterator[tuple[Puzzle, Objective, Certificate]]:
    """Of each kind, small ones and some of 9×9."""
    asked = [puzzle(line) for line in (NO_SOLUTION, ONE_SOLUTION, max(P1074))]
    for ruleset in GEOMETRIES[:3]:
        asked += [random_puzzle(ruleset, ruleset.board.cell_count * share // 10, f"{share}") for share in (2, 4)]
    for one in asked:
        objective = ring_weights(one.board)
        for claim, grids in claims_of(one, objective, 4):
            yield one, objective, certify(one, claim, grids, objective, form=form)


def mutated(lines: Sequence[str], random: Random) -> list[str]:
    """The lines with a change that somebody could try: one is left out, moved or doubled, the middle is, or a word is
    another."""
    found = list(lines)
    place, other = (random.randrange(len(found)) for _ in range(2))
    strange = random.choice(["a 1 x1 >= 1 ;", "rup >= 1 ;", "red 1 x1 >= 1 : x1 1 ;", "deld 1 ;"])
    rest = found[:place] + found[place + 1 :]
    words = found[place].split()
    word = random.randrange(len(words))
    text = words[word]
    others = ["", "0", "2", "-1", "x1", "~x1", ";", "*", "d", "+", "9" * 500, "rup", ">="]
    if text.lstrip("-").isdigit():
        others = [str(int(text) + step) for step in (-2, -1, 1, 2)]
    elif text.lstrip("~").startswith("x"):
        others += [text.removeprefix("~") if text.startswith("~") else f"~{text}"] * 9
    changed = " ".join([*words[:word], random.choice(others), *words[word + 1 :]])
    moved = [
        rest,
        [*rest[:other], found[place], *rest[other:]],
        [*found[:other], found[place], *found[other:]],
        found[:place] + found[-4:],
        [*found[:place], strange, *found[place:]],
    ]
    return random.choice([*moved, *[[*found[:place], changed, *found[place + 1 :]]] * 3])
