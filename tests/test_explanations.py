"""Steps: sound by their check, as small as any, named for what they are; and how a puzzle is explained by them."""

import re
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from random import Random

import pytest
from conftest import FIXTURES
from puzzles import NO_SOLUTION, ONE_SOLUTION, puzzle, random_solution

from ringdoku import CellTruth, Grid, HouseTruth, Puzzle, RuleTruth, TimeLimitError, UsageError, check, classic, solve
from ringdoku.constraints.registry import with_rules
from ringdoku.domain import Board, DimensionError, plain_rules
from ringdoku.explanations.cases import CaseSplits
from ringdoku.explanations.checker import after, check_step
from ringdoku.explanations.explanation import explain_steps
from ringdoku.explanations.graph import graph_of
from ringdoku.explanations.inferences import Candidate, Candidates, Case, Inference, Truth, UniqueTruth, UnitTruth
from ringdoku.explanations.path import Effort, Outcome, Walk, start_of
from ringdoku.explanations.small_sets import smaller_step
from ringdoku.explanations.techniques import TECHNIQUES, name_of
from ringdoku.explanations.wording import Words
from ringdoku.limits import NEVER, Deadline
from ringdoku.services.explaining import explain, rate, why_none, why_several
from ringdoku.services.generator import make
from ringdoku.services.spec import Spec

HARD = next(make(Spec(classic(9), minimal=True), 4)).puzzle or Puzzle.blank(9)
"""Needs steps of more than one truth."""
BLANK = Puzzle.blank(9)


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
    "Sue de Coq of 4": [("r1c1", 0, "123"), ("r1c2", 0, "134"), ("r1c9", 0, "12"), ("r3c3", 0, "34")],
    "ALS-XZ of 4": [("r1c1", 0, "12"), ("r1c2", 0, "123"), ("r1c9", 0, "14"), ("r3c9", 0, "34")],
    "XY-chain of 4": [("r1c1", 0, "12"), ("r1c5", 0, "23"), ("r6c5", 0, "34"), ("r6c9", 0, "14")],
}


@pytest.mark.parametrize("turned", [False, True], ids=["rows", "columns"])
@pytest.mark.parametrize("name", POSITIONS)
def test_a_technique_is_found_and_has_its_name(name: str, turned: bool) -> None:
    start = restricted(*POSITIONS[name])
    if turned:
        start = tuple(start[cell % 9 * 9 + cell // 9] for cell in range(81))
    step = next(iter(Walk(BLANK, Effort(6, cases=False), start)))
    assert (step.name, step.size) == (name, len(POSITIONS[name]))
    assert TECHNIQUES[name].size == step.size
    assert [" not " in line for line in Words(BLANK).lines(start, step)] == [True]


def test_groups_of_places_make_a_chain() -> None:
    left = restricted(("box 1", 1, "169"), ("box 7", 1, "367"))
    names = [unit.name for unit in BLANK.ruleset.units]
    step = Inference(tuple(UnitTruth(names.index(name), 1) for name in ("box 1", "box 7")), ((CELLS["r5c1"], 1),))
    assert not check_step(BLANK, left, step)
    assert name_of(BLANK.ruleset, left, step) == "grouped chain of 2"


@pytest.mark.parametrize("truths", [1, 6])
def test_a_puzzle_is_explained_to_its_solution_and_what_does_not_follow_is_refused(truths: int) -> None:
    # of one truth alone, the rest are case splits
    found, solution = explain(HARD, truths=truths), solve(HARD).grid
    assert solution is not None
    assert found.outcome is Outcome.SOLVED
    assert any(step.case for step in found) == (truths == 1)
    for step in found:
        left = step.candidates
        assert not check_step(HARD, left, step)
        assert all(solution.digits[cell] != digit for cell, digit in step.removed)
        wrong = [replace(step, case=replace(step.case, end=step.case.inferences[0]))] if step.case else []
        if step.placed:
            cell, digit = step.placed
            wrong.append(replace(step, placed=(cell, digit % 9 + 1)))
            if len(left[cell]) > 1:
                wrong.append(replace(step, truths=(CellTruth((cell + 40) % 81),)))
        elif not step.case:
            cell, digit = step.removed[0]
            kept = next(c for c in range(81) if len(left[c]) > 1)
            gone = next(d for d in range(1, 10) if d not in left[cell])
            wrong.append(replace(step, truths=step.truths[1:]))
            wrong += [replace(step, removed=each) for each in (((kept, solution.digits[kept]),), ((cell, gone),), ())]
        assert all(check_step(HARD, left, each) for each in wrong)
    assert found.end == (solution, tuple(frozenset((digit,)) for digit in solution.digits))


# the 4×4 with the first row filled but for r1c4, which is 4, and 1 allowed there; and r1c2 = 1 with r1c1 1 or 2
ROW = Puzzle.of_rows([[1, 2, 3, 0], [0] * 4, [0] * 4, [0] * 4])
FOUR_OR_ONE = (*start_of(ROW)[:3], start_of(ROW)[3] | {1}, *start_of(ROW)[4:])
PAIR = (frozenset({1, 2}), frozenset({1}), *[frozenset({1, 2, 3, 4})] * 14)
END, WRONG = Inference((CellTruth(0),), ()), (3, 1)


def case(*inner: Inference, removed: Candidate = WRONG, assumed: Candidate = WRONG, end: Inference = END) -> Inference:
    return Inference((), (removed,), case=Case(assumed, inner, end))


@pytest.mark.parametrize(
    ("start", "step", "faults"),
    [
        (FOUR_OR_ONE, case(), []),
        # r1c4 = 4 takes nothing away from r1c1, and the end says that it does
        (FOUR_OR_ONE, case(removed=(3, 4), assumed=(3, 4)), ["the truths do not contradict each other"]),
        # without what was assumed, r1c1 has its digit
        (FOUR_OR_ONE, END, ["the truths do not contradict each other"]),
        # what ends the case is a step, and no contradiction
        (
            FOUR_OR_ONE,
            case(end=Inference((CellTruth(0),), ((0, 1),))),
            ["1 was no candidate of r1c1", "1 in r1c4 was not shown to be impossible"],
        ),
        (FOUR_OR_ONE, case(removed=(3, 4)), ["other candidates are removed than those that were assumed"]),
        (FOUR_OR_ONE, case(Inference((CellTruth(5),), ((5, 3),))), ["the truths leave 3 in r2c2"]),
        # 1 in r1c1 leaves r1c2 no digit; without it there are ways
        (PAIR, Inference((CellTruth(1),), ((0, 1),)), []),
        (PAIR, Inference((CellTruth(1),), ((0, 2),)), ["the truths leave 2 in r1c1"]),
        (PAIR, Inference((CellTruth(1),), (), (1, 1)), []),
        (PAIR, Inference((CellTruth(0),), (), (0, 2)), ["the truths do not demand 2 in r1c1"]),
        (PAIR, Inference((CellTruth(1),), (), (1, 3)), ["r1c2 cannot hold 3"]),
    ],
)
def test_the_check_says_what_does_not_follow(start: Candidates, step: Inference, faults: list[str]) -> None:
    assert check_step(ROW, start, step) == faults


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


def test_limits_are_said() -> None:
    assert explain(HARD, truths=0, cases=False).outcome is Outcome.STUCK
    zipper = Puzzle(with_rules(classic(9), "zipper: r1c1-r1c9-r2c9-r2c1-r3c1-r3c9"), BLANK.clues)
    step = Inference((RuleTruth(zipper.ruleset.constraints[-1]),), ((13, 9),))
    for error, said, call in (
        (UsageError, "up to 6 truths", lambda: explain(HARD, truths=7)),
        (DimensionError, "orders up to 25", lambda: explain(Puzzle.blank(36))),
        (TimeLimitError, None, lambda: check_step(zipper, start_of(zipper), step, Deadline(1e-9).check)),
        (TimeLimitError, None, lambda: smaller_step(HARD, start_of(HARD), 2, Deadline(1e-9))),
    ):
        with pytest.raises(error, match=said):
            call()


def test_ratings_are_ordered_by_truths() -> None:
    solution = solve(puzzle(ONE_SOLUTION)).grid
    assert solution is not None
    solved_but_one = Puzzle(BLANK.ruleset, Grid((0, *solution.digits[1:])))
    easy, middle, hard = map(rate, (solved_but_one, puzzle(ONE_SOLUTION), HARD))
    assert easy < middle < hard < rate(HARD, 1e-9)
    assert (easy.truths, easy.technique, easy.steps) == (1, "full house", {1: 1})
    assert str(easy) == "easy: 1 truth (full house); steps: 1 of 1; trial and error of depth 0"
    assert re.match(r"diabolical: \d+ truths \(case split\); steps: ", str(explain(HARD, truths=1).rating))
    assert str(rate(Puzzle.of_rows([[1]]))) == "nothing to do"
    triple = puzzle("080010000005000030000000400000605070890000200000300000200000109006700000000400000")
    said = "hard: 3 truths (hidden triple); steps: 76 of 1, 4 of 2, 1 of 3; trial and error of depth 1"
    assert str(rate(triple)) == said


def test_each_step_of_the_hardest_puzzles_can_be_read() -> None:
    # the Easter Monster
    hardest = puzzle("100000002090400050006000700050903000000070000000850040700000600030009080002000001")
    found = explain(hardest)
    assert found.outcome is Outcome.SOLVED
    assert max(len(str(step).splitlines()) for step in found) <= 25
    assert max(len(line) for step in found for line in str(step).splitlines()) <= 100
    assert f"{found[0]}\n```" in (FIXTURES.parent / "docs/commands.md").read_text(encoding="utf-8")
    assert sha256("".join(map(str, found)).encode()).hexdigest()[:12] == "60c17a3a3b6a"
    assert CaseSplits(hardest, graph_of(BLANK.ruleset).alive(found.start), NEVER).trial_depth() == 2


def test_that_there_is_one_solution_is_a_reason_only_where_it_is_assumed() -> None:
    given = puzzle("006007900090040080000035007009000046001000300360000700500320000010050020002400100")
    assert not any(isinstance(step.truths[0], UniqueTruth) for step in explain(given))
    found = explain(given, assume_unique=True)
    step = next(step for step in found if step.name == "unique rectangle")
    assert not check_step(given, step.candidates, step)
    told = "else r8c1, r8c6, r9c1 and r9c6 would be 6 or 9, and all could change (assumes one solution)."
    assert step.sentences() == [f"r5c6, r6c6, r8c4 and r9c5 are not 8: {told}"]
    assert step.hints()["where"] == "look at r8c1, r8c6, r9c1 and r9c6"
    # a clue, another rule, and a digit that is once in a box
    pattern = step.truths[0]
    assert isinstance(pattern, UniqueTruth)
    clue = Puzzle(given.ruleset, Grid((*given.clues.digits[:63], 6, *given.clues.digits[64:])))
    odd = given.with_rules("odd: r8c1")
    four_boxes = replace(step, truths=(UniqueTruth(tuple((c - 27 * (c > 71), d) for c, d in pattern.pattern)),))
    for other, wrong in ((clue, step), (odd, step), (given, four_boxes)):
        assert "the digits of the pattern cannot be exchanged" in check_step(other, step.candidates, wrong)
    # of several solutions none is assumed to be the only one
    assert explain(BLANK, assume_unique=True, truths=1).outcome is Outcome.STUCK


CAGES = ["killer 3: r1c1 r1c2", "killer 3: r1c3 r1c4", "killer 5: r4c1 r4c2"]


def test_why_there_is_no_solution() -> None:
    found = why_none(puzzle(NO_SOLUTION))
    assert found is not None
    assert found.smallest
    assert found.explanation.outcome is Outcome.CONTRADICTION
    clues = found.puzzle.clues
    # each clue is needed
    for cell in (cell for cell, digit in enumerate(clues.digits) if digit):
        fewer = Grid(tuple(0 if place == cell else other for place, other in enumerate(clues.digits)))
        assert solve(Puzzle(found.puzzle.ruleset, fewer)).grid is not None
    assert not any(check_step(found.puzzle, step.candidates, step) for step in found.explanation)
    # three clues conflict of which none can go, but two others do
    for line in ("2000000440321102", "3004100304203102"):
        smallest = why_none(puzzle(line))
        assert smallest is not None
        assert (smallest.puzzle.clues.filled_count, smallest.smallest) == (2, True)
    assert why_none(puzzle(ONE_SOLUTION)) is None
    # two of three cages are to blame
    blamed = why_none(Puzzle(with_rules(plain_rules(Board.square(4), (2, 2)), *CAGES), Grid.blank(4)))
    assert blamed is not None
    assert [type(rule).text for rule in blamed.puzzle.ruleset.constraints] == ["lines", "boxes", "killer", "killer"]


@pytest.mark.parametrize("rule", ["numbered-room 2: r1c1-r1c3", "sum 9: r1c1 r1c2", "weighted-sum 1 1 -1: r1c1 r1c1"])
def test_a_full_grid_that_breaks_a_rule_is_no_solution(rule: str) -> None:
    each = Puzzle(with_rules(classic(4), rule), Grid(tuple(map(int, "1234341221434300"))))
    refuted = why_none(each)
    assert refuted is not None
    assert {explain(each).outcome, rate(each).outcome, refuted.explanation.outcome} == {Outcome.CONTRADICTION}


def test_why_there_are_several_solutions() -> None:
    several = Puzzle.of_rows([[0, 0, 3, 4], [3, 4, 1, 2], [0, 0, 4, 3], [4, 3, 2, 1]])
    found = why_several(several)
    assert found is not None
    assert (found.complete, found.cells) == (True, (0, 1, 8, 9))
    assert set(found.deciding) == {(cell, digit) for cell in found.cells for digit in (1, 2)}
    assert found.first != found.second
    assert not check(several, found.first) + check(several, found.second)
    for cell, digit in found.deciding:
        clues = Grid((*several.clues.digits[:cell], digit, *several.clues.digits[cell + 1 :]))
        assert why_several(Puzzle(several.ruleset, clues)) is None
    assert explain(several).outcome is Outcome.STUCK


def test_rules_have_steps_of_their_own() -> None:
    rules = with_rules(
        plain_rules(Board.square(6), (2, 3)),
        "killer 3: r1c1 r1c2",
        "thermometer: r3c1 r4c1 r5c1 r6c1",
        "difference 1: r1c4 r2c4",
    )
    variant = Puzzle(rules, Grid.blank(6))
    found = explain_steps(variant, Effort(truths=1, cases=False))
    # the cage rules its digits out in other cells too
    assert any(step.name == "rule" and {(2, 1), (8, 2)} <= {*step.removed} for step in found.inferences)
    assert not any(check_step(variant, step.candidates, step) for step in found)
    # the sums of cages and the ends of thermometers are steps; what only says which digits a cell may hold is none
    assert all(digits == frozenset(range(1, 7)) for digits in start_of(variant))
    (ends,) = (step for step in found.steps if "thermometer" in str(step))
    assert {(12, 4), (12, 5), (12, 6), (30, 1), (30, 2), (30, 3)} <= set(ends.removed)
    assert start_of(Puzzle(with_rules(rules, "odd: r1c1"), Grid.blank(6)))[0] == {1, 3, 5}
    # what rests on them says so
    rules = with_rules(classic(9), "odd: r2c1 r2c2 r2c3", "killer 24: r3c1 r3c2 r3c3")
    found = explain_steps(Puzzle(rules, BLANK.clues), Effort(1, cases=False))
    step = next(step for step in found if step.name != "rule")
    which = "the rule odd: r2c1 r2c2 r2c3 and the rule killer 24: r3c1 r3c2 r3c3"
    assert step.sentences()[0].endswith(f": in box 1, 2 is in r1c1, r1c2 or r1c3, given {which}.")
    rules = with_rules(classic(6, (2, 3)), "thermometer: r1c1 r1c2 r1c3 r1c4 r1c5", "renban: r1c5 r1c6 r2c6")
    steps = explain_steps(Puzzle(rules, Grid.blank(6)), Effort(1, cases=False)).steps
    assert [len(step.rules) for step in steps if step.name == "rule"] == [0, 1, 1]
    # and steps in which a rule excludes digits, or a cell that sees no other
    for rule in ("slow-thermometer: r1c1 r1c2 r2c1", "thermometer: r1c2 r2c3", "killer: r1c2 r2c3 r4c1"):
        rules, clues = with_rules(classic(4), rule), Grid.blank(4).put(1, 2 if rule[0] == "s" else 1)
        step = explain_steps(Puzzle(rules, clues), Effort(1, cases=False))[0]
        assert step.sentences()[0].endswith(f", given the rule {rule}.")
    assert len(explain("board 4x4 digits -1-2\nkiller 1: r1c1 r1c2\nsum 2: r2c1 r3c3\n" + ". . . .\n" * 4)) == 2
    # a rule that nothing keeps is the end
    rules = with_rules(classic(4), "thermometer: r1c1 r1c2 r1c3 r1c4")
    (step,) = explain_steps(Puzzle(rules, Grid.blank(4).put(7, 4)), Effort()).steps
    assert str(step).endswith("nothing keeps the rule thermometer: r1c1 r1c2 r1c3 r1c4.")


RULES = with_rules(
    classic(4), "killer 6: r1c1 r1c2 r1c3", "killer 8: r4c1 r4c2 r3c2", "thermometer: r1c1 r2c2 r3c3", CAGES[0]
)
SIX, EIGHT, THERMOMETER, THREE = map(RuleTruth, RULES.constraints[2:])
ROW_1, ROW_4 = HouseTruth(0), HouseTruth(3)

TOTAL = "adds up to 10 and its cage to"


@pytest.mark.parametrize(
    ("truths", "removed", "refused", "text"),
    [
        ([ROW_1, SIX], [(3, 1), (3, 2), (3, 3)], 0, f"r1c4 is not 1, 2 or 3: row 1 {TOTAL} 6 at r1c1, so r1c4 = 4."),
        ([ROW_1, SIX], [(3, 4)], 1, "r1c4 is not 4: row"),
        ([ROW_4, EIGHT], [(9, 1)], 1, f"r3c2 is not 1: row 4 {TOTAL} 8 at r4c1, so r4c3 + r4c4 − r3c2 = 2."),
        # a rule may be one of several truths
        ([CellTruth(3), SIX], [(0, 4)], 0, "r1c1 is not 4: else there is no way to keep all of this at once: r1c4 has"),
        ([THERMOMETER], [(0, 3)], 0, "no other digits there keep the rule thermometer: r1c1 r2c2 r3c3 (the digits"),
        ([THREE], [(4, 1)], 0, "r2c1 is not 1: each would leave no way to keep the rule killer 3: r1c1 r1c2, which"),
        ([THREE], [(0, 3), (1, 4)], 0, "no other digits there keep the rule killer 3: r1c1 r1c2, which takes 1 and 2."),
    ],
)
def test_rules_among_truths_are_said(truths: list[Truth], removed: list[Candidate], refused: int, text: str) -> None:
    blank, start = Puzzle(RULES, Grid.blank(4)), (frozenset(range(1, 5)),) * 16
    step = Inference(tuple(truths), tuple(removed))
    assert len(check_step(blank, start, step)) == refused
    assert text in Words(blank).lines(start, step)[0]
    # cages that share a cell state nothing together
    assert len(check_step(blank, start, Inference((ROW_1, SIX, SIX), ((3, 1),)))) == 1


def test_innies_and_outies_are_found() -> None:
    made = next(make(Spec(classic(6, (2, 3)), (0, 0), kinds=("killer",)), 3)).puzzle
    assert made is not None
    names = {step.name for step in explain(made).inferences}
    assert {"innies and outies of 2", "innies and outies of 3"} <= names
    # the other two cells of the row have the sum 4, and are not equal
    puzzle = Puzzle(with_rules(classic(9), "killer 41: r1c3-r1c9"), BLANK.clues)
    steps = Walk(puzzle, Effort(2, cases=False), start_of(puzzle))
    gone = {candidate for step in islice(steps, 9) for candidate in step.removed}
    assert {(0, 2), (1, 2), (0, 4)} <= gone
    assert gone.isdisjoint({(0, 1), (0, 3), (1, 1), (1, 3)})


def test_steps_are_proved_to_have_the_fewest_truths_with_rules_too() -> None:
    found = explain(HARD, fewest=True)
    assert found.outcome is Outcome.SOLVED
    assert all(step.smallest for step in found.inferences if not step.case)
    headings = {Words(step.puzzle).heading(step) for step in found if step.size > 2}
    assert max(step.size for step in found.inferences) == 4
    assert all(heading.endswith((", proved fewest)", ", proved fewest")) for heading in headings)
    left = next(step.candidates for step in found if step.size == 2)
    assert smaller_step(HARD, left, 2, NEVER) is None
    smaller = smaller_step(HARD, left, 3, NEVER)
    assert smaller is not None
    assert smaller.size == 2
    assert check_step(HARD, left, smaller) == []
    made = next(make(Spec(classic(4), minimal=True, kinds=("sandwich",)), 7)).puzzle
    assert made is not None
    sizes = [max(step.size for step in explain(made, fewest=fewest).inferences) for fewest in (False, True)]
    assert sizes == [4, 2]
