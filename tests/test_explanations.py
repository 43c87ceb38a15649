"""Steps: sound by their check, as small as any, named for what they are; and how a puzzle is explained by them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from puzzles import NO_SOLUTION, ONE_SOLUTION, puzzle, random_solution

from ringdoku import DimensionError, Grid, Puzzle, TimeLimitError, UsageError, classic, solve
from ringdoku.constraints.text import plain_rules, with_rules
from ringdoku.domain.board import Board
from ringdoku.explanations.checker import after, check_step
from ringdoku.explanations.explanation import Explanation, explain_steps
from ringdoku.explanations.graph import graph_of
from ringdoku.explanations.house_sums import difference
from ringdoku.explanations.inferences import Candidates, Case, CellTruth, HouseTruth, Inference, RuleTruth, UnitTruth
from ringdoku.explanations.path import Effort, Outcome, Walk, start_of
from ringdoku.explanations.small_sets import smaller_step
from ringdoku.explanations.techniques import TECHNIQUES
from ringdoku.explanations.wording import Words
from ringdoku.limits import NEVER, Deadline
from ringdoku.services.explaining import explain, rate, why_none, why_several
from ringdoku.services.generator import make, puzzles_of
from ringdoku.services.spec import Spec

HARD = next(puzzles_of("1:clues=minimal", 4))
"""Needs steps of more than one truth."""
BLANK = Puzzle.blank(9)


def states(explanation: Explanation) -> list[tuple[Candidates, Inference]]:
    left, found = explanation.start, []
    for step in explanation.inferences:
        found.append((left, step))
        left = after(left, step)
    return found


def restricted(*limits: tuple[str, int, str]) -> Candidates:
    """All candidates of a blank 9×9 grid, but a digit in a unit is in these cells of it alone, counted from 1; or a
    cell has these digits alone, as in ("r1c1", 0, "12")."""
    left = [set(range(1, 10)) for _ in range(81)]
    units = {unit.name: unit.cells for unit in BLANK.ruleset.units}
    for name, digit, kept in limits:
        if name in CELLS:
            left[CELLS[name]] &= set(map(int, kept))
        else:
            for place, cell in enumerate(units[name], 1):
                if str(place) not in kept:
                    left[cell].discard(digit)
    return tuple(map(frozenset, left))


CELLS = {BLANK.board.cell_name(cell): cell for cell in range(81)}
POSITIONS = {
    "pointing": [("box 1", 1, "12")],
    "claiming": [("row 1", 1, "12")],
    "naked pair": [("r1c1", 0, "12"), ("r1c5", 0, "12")],
    "X-Wing": [("row 1", 1, "15"), ("row 5", 1, "15")],
    "hidden pair": [("row 1", 1, "15"), ("row 1", 2, "15")],
    "skyscraper": [("row 1", 1, "15"), ("row 5", 1, "16")],
    "two-string kite": [("row 1", 1, "15"), ("column 2", 1, "25")],
    "turbot fish": [("box 1", 1, "15"), ("column 4", 1, "25")],
    "empty rectangle": [("box 1", 1, "2578"), ("row 5", 1, "27")],
    "finned X-Wing": [("row 1", 1, "156"), ("row 5", 1, "15")],
    "naked triple": [("r1c1", 0, "12"), ("r1c5", 0, "23"), ("r1c9", 0, "13")],
    "swordfish": [("row 1", 1, "15"), ("row 5", 1, "59"), ("row 9", 1, "19")],
    "hidden triple": [("row 1", 1, "15"), ("row 1", 2, "59"), ("row 1", 3, "19")],
    "XY-Wing": [("r1c1", 0, "12"), ("r1c5", 0, "13"), ("r5c1", 0, "23")],
    "XYZ-Wing": [("r1c1", 0, "123"), ("r1c5", 0, "13"), ("r2c2", 0, "23")],
    "W-Wing": [("r1c1", 0, "12"), ("r5c5", 0, "12"), ("row 9", 1, "15")],
    "naked quad": [("r1c1", 0, "12"), ("r1c4", 0, "23"), ("r1c7", 0, "34"), ("r1c9", 0, "14")],
    "hidden quad": [("row 1", 1, "14"), ("row 1", 2, "47"), ("row 1", 3, "27"), ("row 1", 4, "124")],
    "XY-chain of 4": [("r1c1", 0, "12"), ("r1c5", 0, "23"), ("r6c5", 0, "34"), ("r6c9", 0, "14")],
}


@pytest.mark.parametrize("name", POSITIONS)
def test_a_technique_is_found_and_has_its_name(name: str) -> None:
    start = restricted(*POSITIONS[name])
    step = next(iter(Walk(BLANK, Effort(6, cases=False), start)))
    assert (step.name, step.size) == (name, len(POSITIONS[name]))
    assert TECHNIQUES[name].size == step.size
    (line,) = Words(BLANK).lines(start, step)
    assert " not " in line


@pytest.mark.parametrize("truths", [1, 6])
def test_a_puzzle_is_explained_to_its_solution(truths: int) -> None:
    # of one truth alone, the rest are case splits
    found = explain(HARD, truths=truths)
    solution = solve(HARD).grid
    assert solution is not None
    assert found.outcome is Outcome.SOLVED
    assert any(step.cases for step in found.inferences) == (truths == 1)
    left = found.start
    words = Words(HARD)
    for step in found.inferences:
        assert not check_step(HARD, left, step)
        assert all(solution.digits[cell] != digit for cell, digit in step.removed)
        assert words.lines(left, step)
        assert words.heading(step)
        assert words.where(step)
        left = after(left, step)
    assert left == tuple(frozenset((digit,)) for digit in solution.digits)


def test_a_step_that_does_not_follow_is_refused() -> None:
    clues = HARD
    solution = solve(clues).grid
    assert solution is not None
    for left, step in [*states(explain(clues)), *states(explain(clues, truths=1))]:
        if step.removed and not step.placed and not step.cases:
            (cell, digit) = step.removed[0]
            assert check_step(clues, left, replace(step, truths=step.truths[1:]))
            kept = next(c for c in range(81) if len(left[c]) > 1)
            assert check_step(clues, left, replace(step, removed=((kept, solution.digits[kept]),)))
            gone = next(d for d in range(1, 10) if d not in left[cell])
            assert check_step(clues, left, replace(step, removed=((cell, gone),)))
            assert check_step(clues, left, replace(step, removed=()))
        if step.placed:
            cell, digit = step.placed
            assert check_step(clues, left, replace(step, truths=(CellTruth((cell + 40) % 81),))) or len(left[cell]) == 1
            assert check_step(clues, left, replace(step, placed=(cell, digit % 9 + 1)))
        for case in step.cases:
            assert check_step(clues, left, replace(step, cases=(replace(case, end=case.inferences[0]),)))


def test_a_case_that_does_not_end_is_refused() -> None:
    # of the 4×4 with 1 in r1c1, its first row filled but for r1c4, which is 4
    clues = Puzzle.of_rows([[1, 2, 3, 0], [0] * 4, [0] * 4, [0] * 4])
    start = start_of(clues)
    wrong = (3, 1)
    start = (*start[:3], start[3] | {1}, *start[4:])
    end = Inference((CellTruth(0),), ())
    good = Inference((), (wrong,), cases=(Case(wrong, (), end),))
    assert check_step(clues, start, good) == []
    # r1c4 = 4 takes nothing away from r1c1, and the end says that it does
    assert check_step(clues, start, replace(good, removed=((3, 4),), cases=(Case((3, 4), (), end),))) == [
        "the truths do not contradict each other"
    ]
    # without what was assumed, r1c1 has its digit
    assert check_step(clues, start, end) == ["the truths do not contradict each other"]
    # what ends the case is a step, and no contradiction
    step = Inference((CellTruth(1),), ((1, 2),))
    assert "1 in r1c4 was not shown to be impossible" in check_step(
        clues, start, replace(good, cases=(Case(wrong, (), step),))
    )
    # one was assumed, and another removed
    other = check_step(clues, start, replace(good, removed=((3, 4),)))
    assert other == ["other candidates are removed than those that were assumed"]
    # a step inside the case that does not follow
    inner = Inference((CellTruth(5),), ((5, 3),))
    assert check_step(clues, start, replace(good, cases=(Case(wrong, (inner,), end),))) == [
        "the truths leave 3 in r2c2"
    ]


def test_a_step_follows_from_all_that_its_candidate_brings_about() -> None:
    # 1 in r1c1 leaves r1c2 no digit; without it there are ways
    start = (frozenset({1, 2}), frozenset({1}), *[frozenset({1, 2, 3, 4})] * 14)
    assert check_step(Puzzle.blank(4), start, Inference((CellTruth(1),), ((0, 1),))) == []
    assert check_step(Puzzle.blank(4), start, Inference((CellTruth(1),), ((0, 2),))) == ["the truths leave 2 in r1c1"]
    assert check_step(Puzzle.blank(4), start, Inference((CellTruth(1),), (), (1, 1))) == []
    assert check_step(Puzzle.blank(4), start, Inference((CellTruth(0),), (), (0, 2))) == [
        "the truths do not demand 2 in r1c1"
    ]


def test_no_set_of_one_or_two_truths_is_missed() -> None:
    random, sizes = Random(1), set()
    for number in range(30):
        left = tuple(
            frozenset({digit, *(other for other in range(1, 5) if random.random() < 0.6)})
            for digit in random_solution(classic(4), number).digits
        )
        for step in Walk(Puzzle.blank(4), Effort(2, cases=False), left):
            sizes.add(step.size)
            # a SAT solver says so
            assert step.size < 2 or smaller_step(Puzzle.blank(4), left, step.size, NEVER) is None
            left = after(left, step)
        assert smaller_step(Puzzle.blank(4), left, 3, NEVER) is None
    assert sizes == {1, 2}


def test_singles_alone_give_up_and_say_so() -> None:
    assert explain(HARD, truths=0, cases=False).outcome is Outcome.STUCK
    with pytest.raises(UsageError, match="up to 6 truths"):
        explain(HARD, truths=7)
    with pytest.raises(DimensionError, match="orders up to 25"):
        explain(Puzzle.blank(36))


def test_ratings_are_ordered_by_truths() -> None:
    easy, middle, hard = (rate(clues) for clues in (puzzle(solved_but_one()), puzzle(ONE_SOLUTION), HARD))
    assert easy < middle < hard
    assert (easy.truths, easy.technique, easy.steps) == (1, "full house", {1: 1})
    assert str(easy) == "1 truth (full house); steps: 1 of 1"
    assert str(explain(HARD, truths=1).rating).startswith("case split; steps: ")
    assert str(rate(Puzzle.of_rows([[1]]))) == "nothing to do"


def solved_but_one() -> str:
    solution = solve(puzzle(ONE_SOLUTION)).grid
    assert solution is not None
    return "".join(map(str, (0, *solution.digits[1:])))


def test_why_there_is_no_solution() -> None:
    found = why_none(puzzle(NO_SOLUTION))
    assert found is not None
    assert found.smallest
    assert found.explanation.outcome is Outcome.CONTRADICTION
    clues = found.puzzle.clues
    # each clue is needed
    for cell, digit in enumerate(clues.digits):
        if digit:
            fewer = Grid(tuple(0 if place == cell else other for place, other in enumerate(clues.digits)))
            assert solve(Puzzle(found.puzzle.ruleset, fewer)).grid is not None
    for left, step in states(found.explanation):
        assert not check_step(found.puzzle, left, step)
    assert why_none(puzzle(ONE_SOLUTION)) is None


def test_which_rule_is_to_blame() -> None:
    board = Board.square(4)
    rules = with_rules(
        plain_rules(board, (2, 2)), ["killer 3: r1c1 r1c2", "killer 3: r1c3 r1c4", "killer 5: r4c1 r4c2"]
    )
    found = why_none(Puzzle(rules, Grid.blank(board)))
    assert found is not None
    texts = [type(rule).text for rule in found.puzzle.ruleset.constraints]
    assert texts == ["lines", "boxes", "killer", "killer"]
    assert found.explanation.outcome is Outcome.CONTRADICTION


def test_why_there_are_several_solutions() -> None:
    solution = solve(puzzle(ONE_SOLUTION)).grid
    assert solution is not None
    digits = list(Puzzle.of_rows([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]).clues.digits)
    for cell in (0, 1, 8, 9):
        digits[cell] = 0
    several = Puzzle(classic(4), Grid(tuple(digits)))
    found = why_several(several)
    assert found is not None
    assert found.first != found.second
    assert found.complete
    assert found.cells == (0, 1, 8, 9)
    assert set(found.deciding) == {(c, d) for c in found.cells for d in (1, 2)}
    for cell, digit in found.deciding:
        more = Grid(tuple(digit if place == cell else other for place, other in enumerate(digits)))
        assert why_several(Puzzle(several.ruleset, more)) is None
    assert why_several(puzzle(ONE_SOLUTION)) is None
    assert explain(several).outcome is Outcome.STUCK


def test_rules_have_steps_of_their_own() -> None:
    board = Board.square(6)
    rules = with_rules(
        plain_rules(board, (2, 3)),
        ["killer 3: r1c1 r1c2", "thermometer: r3c1 r4c1 r5c1 r6c1", "difference 1: r1c4 r2c4"],
    )
    variant = Puzzle(rules, Grid.blank(board))
    found = explain_steps(variant, Effort(truths=1, cases=False))
    assert {step.name for step in found.inferences} >= {"rule"}
    for left, step in states(found):
        assert not check_step(variant, left, step)
    words = Words(variant).lines(found.start, found.inferences[0])
    assert words == [
        "r1c1 and r1c2 are not 3, 4, 5 or 6: no other digits there keep the rule killer 3: r1c1 r1c2, which takes "
        "1 and 2."
    ]
    # the sums of cages and the ends of thermometers are steps; what only says which digits a cell may hold is none
    assert all(digits == frozenset(range(1, 7)) for digits in start_of(variant))
    (ends,) = (step for step in found.steps if "thermometer" in str(step))
    assert {(12, 4), (12, 5), (12, 6), (30, 1), (30, 2), (30, 3)} <= set(ends.removed)
    odd = Puzzle(rules.extended(*with_rules(rules, ["odd: r1c1"]).constraints[-1:]), Grid.blank(board))
    assert start_of(odd)[0] == {1, 3, 5}
    assert UnitTruth(0, 1) in graph_of(rules).truths


def test_innies_and_outies_and_the_sentences_of_rules() -> None:
    rules = with_rules(classic(4), ["killer 6: r1c1 r1c2 r1c3", "killer 8: r4c1 r4c2 r3c2"])
    start = [frozenset(range(1, 5))] * 16
    innie = Inference((HouseTruth(0), RuleTruth(rules.constraints[2])), ((3, 1), (3, 2), (3, 3)))
    blank = Puzzle(rules, Grid.blank(4))
    assert check_step(blank, tuple(start), innie) == []
    assert check_step(blank, tuple(start), replace(innie, removed=((3, 4),))) == ["the truths leave 4 in r1c4"]
    # cages that share a cell state nothing together
    twice = Inference((*innie.truths, innie.truths[1]), innie.removed)
    assert len(check_step(blank, tuple(start), twice)) == 3
    made = next(make(Spec(classic(6, (2, 3)), 0, 0, kinds=("killer",)), 3)).puzzle
    assert made is not None
    names = {step.name for step in explain(made).inferences}
    assert {"innies and outies of 2", "innies and outies of 3"} <= names
    # a rule may be one of several truths
    mixed = Inference((CellTruth(3), innie.truths[1]), ((0, 4),))
    assert Words(blank).lines(tuple(start), mixed) == [
        "r1c1 is not 4: else there is no way to keep all of this at once: r1c4 has a digit; the rule killer 6: r1c1 "
        "r1c2 r1c3."
    ]
    thermometer = with_rules(classic(4), ["thermometer: r1c1 r2c2 r3c3"])
    ends = Inference((RuleTruth(thermometer.constraints[2]),), ((0, 3), (0, 4)))
    assert Words(Puzzle(thermometer, Grid.blank(4))).lines(tuple(start), ends) == [
        "r1c1 is not 3 or 4: no other digits there keep the rule thermometer: r1c1 r2c2 r3c3 (the digits rise from the "
        "first cell on)."
    ]
    outie = difference(rules, (HouseTruth(3), RuleTruth(rules.constraints[3])))
    assert outie is not None
    assert (outie.cells, outie.coefficients, outie.greatest) == ((14, 15, 9), (1, 1, -1), 2)


def test_a_step_of_three_truths_is_proved_to_have_the_fewest() -> None:
    found = explain(HARD, fewest=True)
    assert found.outcome is Outcome.SOLVED
    assert all(step.smallest for step in found.inferences if not step.cases)
    assert max(step.size for step in found.inferences) == 4
    words = Words(HARD)
    headings = {words.heading(step) for step in found.inferences if step.size > 2}
    assert headings
    assert all(heading.endswith((", proved fewest)", ", proved fewest")) for heading in headings)


def test_the_proof_finds_sets_of_fewer_truths() -> None:
    left, found = next((left, step) for left, step in states(explain(HARD)) if step.size == 2)
    assert smaller_step(HARD, left, 2, NEVER) is None
    smaller = smaller_step(HARD, left, 3, NEVER)
    assert smaller is not None
    assert smaller.size == found.size
    assert check_step(HARD, left, smaller) == []
    with pytest.raises(TimeLimitError):
        smaller_step(HARD, left, 2, Deadline(1e-9))


@pytest.mark.parametrize(
    "rule", ["numbered-room 2: r1c1 r1c2 r1c3", "contains 9: r1c1 r1c2", "weighted-sum 1 1 -1: r1c1 r1c1"]
)
def test_a_full_grid_that_breaks_a_rule_is_no_solution(rule: str) -> None:
    ruleset = with_rules(classic(4), (rule,))
    each = Puzzle(ruleset, Grid(tuple(map(int, "1234341221434300"))))
    found = explain(each)
    assert found.outcome is Outcome.CONTRADICTION
    assert rate(each).outcome is Outcome.CONTRADICTION
    refuted = why_none(each)
    assert refuted is not None
    assert refuted.explanation.outcome is Outcome.CONTRADICTION


def test_the_check_of_a_step_ends_at_the_deadline() -> None:
    made = Puzzle(with_rules(classic(9), ("zipper: r1c1-r1c9-r2c9-r2c1-r3c1-r3c9",)), Grid.blank(Board.square(9)))
    step = Inference((RuleTruth(made.ruleset.constraints[-1]),), ((13, 9),))

    def late() -> None:
        raise TimeLimitError

    with pytest.raises(TimeLimitError):
        check_step(made, start_of(made), step, late)
