"""Certificates: made of every kind of claim, verified, and none that is not true accepted."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest
from certificates import BY_HAND, certificates, mutated
from conftest import Run
from hypothesis import given
from hypothesis import strategies as st
from puzzles import ONE_SOLUTION, completions, puzzle, random_solution
from test_meanings import examples

from ringdoku import Claim, Grid, Objective, Puzzle, Sense, certify, generate, maximise, parse, ring_weights, solutions
from ringdoku.constraints.registry import LISTED
from ringdoku.constraints.sums import WeightedSum
from ringdoku.domain.errors import DisagreementError, MalformedError, RefutedError, UsageError
from ringdoku.limits import NEVER
from ringdoku.proofs import check_files, checker
from ringdoku.proofs.certificate import make_proof
from ringdoku.proofs.check_files import read_model
from ringdoku.proofs.checker import OutOfTimeError, Propagation, Row, check_proof
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.proof import contradiction
from ringdoku.proofs.rules import clause_row
from ringdoku.proofs.verifying import verify

# the best four of three solutions are all of them
MADE = list({(asked, made.claim): (asked, objective, made) for asked, objective, made in certificates()}.values())
BLANK = Puzzle.blank(4)
PROOFS = Path(__file__).parents[1] / "fixtures/proofs.txt"
END = "end pseudo-Boolean proof ;\n"


def test_certificates_of_every_kind_prove_their_claims() -> None:
    claims = [made.claim for _, _, made in MADE]
    assert len({(claim.count is None, claim.score is None, claim.count == 0) for claim in claims}) == 5
    for asked, objective, made in MADE:
        grids = verify(asked, made.proof, made.claim, objective, made.model)
        if made.claim.count is not None:
            assert len(set(grids)) == made.claim.count
    # a contradiction among the clues needs no steps
    made = certify(puzzle("11" + "0" * 14), Claim(0))
    assert made.proof[1:4] == ("f 130 ;", "rup >= 1 : ~ 129 130 2 4 34 ;", "output NONE ;")


SMALL_CAGES = (
    "killer 5: r1c1 r1c2\nkiller 6: r3c3 r3c4 r4c4\n" + "....\n" * 4,
    "board 4x4 digits -1-2\nboxes 2x2\nkiller 1: r1c1 r1c2\nkiller 0: r3c3 r3c4 r4c4\n" + ". . . .\n" * 4,
    "board 3x4 digits 0-4\nno boxes\nkiller 6: r1c1 r1c2 r1c3\nkiller 9: r2c1 r3c1 r3c2\n" + "....\n" * 3,
)


@pytest.mark.parametrize("text", SMALL_CAGES)
def test_sets_of_cages_are_derived_and_counts_that_are_wrong_refused(text: str) -> None:
    asked = parse(text)
    grids = list(solutions(asked))
    stated = CertificateModel(asked, ring_weights(asked.board), Claim(len(grids)))
    lines = make_proof(stated, grids, NEVER, easy=0)[0].lines()
    assert any(" d ;" in line for line in lines)
    assert set(verify(asked, lines, stated.claim)) == set(grids)
    used, start = set(" ".join(lines[2:]).split()), len(stated.rows) + 1
    assert all(str(number) in used for number, step in enumerate(lines[2:-4], start) if step[:3] != "sol")
    with pytest.raises(DisagreementError):
        make_proof(stated, grids[1:], NEVER, easy=0)
    best = maximise(asked)
    assert best.grid
    stated = CertificateModel(asked, ring_weights(asked.board), Claim(None, best.score))
    assert verify(asked, make_proof(stated, [best.grid], NEVER, easy=0)[0].lines(), stated.claim) == [best.grid]


def test_unit_propagation_finds_what_many_rounds_over_all_rows_find() -> None:
    random = Random(5)

    def literals(most: int) -> list[int]:
        return [random.choice((var, -var)) for var in random.sample(range(1, 9), random.randint(1, most))]

    for known in (Propagation({}) for _ in range(300)):
        for number in range(20):
            row = Row.of({abs(x): x * random.randint(1, 3) for x in literals(4)}, random.randint(-9, 9))
            known.add(number, row if number > 15 else clause_row(literals(4)))
            clause = literals(3)
            false, fails = set(clause), False
            for each in [*known.rows.values()] * 9:
                implied = each.implied_false(false)
                fails = fails or implied is None
                false.update(implied or ())
            assert bool(contradiction(known, clause, known.rows)) == fails


def test_a_hard_killer_has_a_proof_of_some_thousand_steps() -> None:
    asked = generate(9, clues=0, kinds=["killer"], seed=3)
    grids = list(solutions(asked))
    for form in ("3.0", "1.2"):
        made = certify(asked, Claim(1), grids, form=form)
        assert len(made.proof) < 10_000
        assert any(f" d{' ;' if form == '3.0' else ''}" in line for line in made.proof)
    made = certify(asked, Claim(None, maximise(asked).score), grids, form="drat")
    assert sum(line[0] != "c" for line in made.model) > 10_000


def test_a_narrator_says_each_statement_and_what_its_numbers_mean() -> None:
    # three solutions of a large puzzle take seconds to tell, and say nothing else than those of small ones
    for asked, objective, made in (one for one in MADE if one[0].order < 9 or one[2].claim.count != 3):
        told: list[str] = []
        verify(asked, made.proof, made.claim, objective, tell=told.append)
        lines = [line for line in told if line.startswith("Line ")]
        assert len(lines) == min(len(made.proof) - 1, 200)
        assert len(lines) == 200 or lines[-2].endswith(f"So {made.claim.sentence(objective.sense)}.")
    told = []
    asked, proof = puzzle("1002" + "0" * 12), ["pol 33 2 * x1 + 35 + 2 d ;", "rup 1 ~x2 >= 1 ;", "rup 1 x7 >= 1 ;"]
    with pytest.raises(RefutedError, match="line 5: constraint 133 does not follow"):
        verify(asked, ["pseudo-Boolean proof version 3.0", "f 130 ;", *proof], Claim(0), tell=told.append)
    assert told[4:] == [
        "Line 3. Number 131 is a sum of constraints, each times its price:",
        "    row 1: -2 for 1, -1 for 2",
        "    1 times: x1 is not negative",
        "    then divided, and rounded up",
        "    What is left is what digits cost beyond what they bring: -2 where r1c1 is 1, -1 where r1c2 is 1, "
        "-1 where r1c3 is 1, -1 where r1c4 is 1, -1 where r1c1 is 2, -1 where r1c2 is 2, -1 where r1c3 is 2, "
        "-1 where r1c4 is 2. Together at most -2.",
        "Line 4. Number 132: r1c1 is not 2. For otherwise “r1c1 has only one digit” fails.",
    ]


def test_what_one_proves_is_not_another_claim() -> None:
    for asked, objective, made in MADE[::2]:
        claim = made.claim
        count, score = claim.count, claim.score
        false = [Claim(None, (score or 0) + 1), Claim(None, (score or 0) - 1), Claim((count or 0) + 1, score)]
        false += [Claim(0)] if count != 0 else [Claim(1)]
        for other in false:
            with pytest.raises((RefutedError, MalformedError)):
                verify(asked, made.proof, other, objective)
    first, _, made = MADE[0]
    for other_puzzle in {asked for asked, _, _ in MADE} - {first}:
        with pytest.raises((RefutedError, MalformedError)):
            verify(other_puzzle, made.proof, made.claim)


@given(seed=st.integers(0, 2**32))
def test_no_mutated_certificate_proves_what_is_false(seed: int) -> None:
    random = Random(seed)
    asked, objective, made = random.choice(MADE)
    proof = list(made.proof)
    for _ in range(random.randint(1, 3)):
        proof = mutated(proof, random) or [""]
    claim = made.claim
    if random.random() < 0.7:
        # a claim that is not true: a true one may still follow from a changed proof
        step = random.choice([-2, -1, 1, 2])
        claim = (
            Claim(None, (claim.score or 0) + step)
            if claim.count is None
            else Claim(abs(claim.count + step), claim.score)
        )
        old = f"{made.claim.score}" if claim.count is None else f" {made.claim.count} "
        new = f"{claim.score}" if claim.count is None else f" {claim.count} "
        proof = [line.replace(old, new) if line.startswith("conclusion") else line for line in proof]
    try:
        verify(asked, proof, claim, objective, time_limit=20)
    except (RefutedError, MalformedError):
        return
    assert claim == made.claim, proof


def by_hand() -> Iterator[tuple[str, list[str], str]]:
    """What a proof in fixtures/proofs.txt comes to, its model, and the proof."""
    grid = Puzzle.of_rows([[1, 0, 0, 0], *[[0] * 4] * 3])
    models = {"grid": list(CertificateModel(grid, ring_weights(grid.board), Claim(0)).lines())}
    for block in PROOFS.read_text(encoding="utf-8").split("\n\n"):
        head, _, text = block.partition("\n")
        verdict, _, name = head.partition(":")[0].partition(" ")
        if verdict == "model":
            models[name] = text.splitlines()
        elif verdict in ("refuted", "malformed", "proved"):
            if text[:2] == "f ":
                text = f"pseudo-Boolean proof version 3.0\n{text}"
            elif not text.startswith("pseudo-Boolean"):
                text = f"pseudo-Boolean proof version 3.0\nf {len(read_model(models[name]).rows)} ;\n{text}\n"
                text += "" if "conclusion" in text else "output NONE ;\nconclusion UNSAT : -1 ;\n" + END
            yield head, models[name], text


def test_proofs_by_hand_come_to_what_they_should() -> None:
    cases = list(by_hand())
    for head, model, text in cases:
        verdict, _, expected = head.partition(": ")
        try:
            proved = check_proof(read_model(model), text.splitlines())
            found, said = "proved", f"{proved.kind} {len(proved.solutions) if proved.value is None else proved.value}"
        except checker.RefutedError as error:
            found, said = "refuted", str(error)
        except checker.MalformedError as error:
            found, said = "malformed", str(error)
        assert (found, expected in said) == (verdict.split()[0], True), f"{head}: {text}: {said}"
    assert sum(head.startswith("proved") for head, _, _ in cases) >= 11
    assert len(cases) >= 110


@pytest.mark.parametrize("steps", [f"1 {'9' * 201} *", f"1 {f'{10**199} * ' * 30}"])
def test_numbers_have_a_limit(steps: str) -> None:
    with pytest.raises(checker.MalformedError, match=r"of at most 200 digits|sums of at most 2000 digits"):
        check_proof(
            read_model(["* #variable= 1", "+1 x1 >= 1 ;"]),
            ["pseudo-Boolean proof version 3.0", "f 1 ;", f"pol {steps} ;"],
        )


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("", "the model is empty"),
        ("+1 x1 >= 1 ;", "line 1: found '+1 x1 >= 1 ;', expected * #variable="),
        ("* #variable= -3", "expected * #variable="),
        ("* #variable= 2\n+1 x3 >= 1 ;", "line 2: found '+1 x3', expected a factor and a variable in turn"),
        ("* #variable= 2\n+1 x1 +1 x1 >= 1 ;", "each variable once"),
        ("* #variable= 2\n+1 x1 > 1 ;", "line 2: found '+1 x1 > 1 ;', expected min:, preserved:"),
        ("* #variable= 2\n+1 x1 >= 1", "and ; at the end"),
        ("* #variable= 2\npreserved: x3 ;", "found 'preserved: x3 ;'"),
    ],
)
def test_a_fault_of_a_model_is_named_with_its_line(model: str, error: str) -> None:
    with pytest.raises(checker.MalformedError, match=re.escape(error)):
        read_model(model.splitlines())


def test_the_time_limit_is_kept_the_model_is_the_puzzles_and_claims_are_read_as_written() -> None:
    _, _, made = MADE[0]
    with pytest.raises(OutOfTimeError):
        check_proof(read_model(made.model), made.proof, lambda: True)
    asked, objective, made = MADE[0]
    for model in ([*made.model, "+1 x1 >= 0 ;"], made.model[:-1], [*made.model[:-1], "+1 x1 >= 0 ;"], []):
        with pytest.raises(RefutedError, match="the model is not the puzzle's: statement"):
            verify(asked, made.proof, made.claim, objective, model)
    commented = ["", "* a comment", *made.model]
    assert verify(asked, made.proof, made.claim, objective, commented) == verify(
        asked, made.proof, made.claim, objective
    )
    for text in ("no solution", "unique", "count 7", "best -3", "count 2 from 2867"):
        assert str(Claim.parse(text)) == text
    for text in ("", "best", "count -1", "count 2 from", "UNIQUE", "best 1 2", "best ٣"):
        with pytest.raises(UsageError, match="a claim is"):
            Claim.parse(text)


@pytest.mark.parametrize("form", ["3.0", "1.2", "drat"])
@pytest.mark.parametrize(
    ("text", "weights", "score"),
    [
        ("board 2x4\nanti-king\n....\n3...\n", (5, -5, -1, -7, -6, 4, -5, 0), -32),
        ("thermometer: r1c1-r1c3\ngreater: r4c4 r4c3\nextra-region: r2c2 r3c3\n" + "....\n" * 4, (), 250),
    ],
)
def test_best_scores_under_inequalities(text: str, weights: tuple[int, ...], score: int, form: str) -> None:
    asked = parse(text)
    objective = Objective(weights) if weights else ring_weights(asked.board)
    result = maximise(asked, objective)
    assert result.score == score
    assert result.grid
    certify(asked, Claim(None, score), [result.grid], objective, form=form)


@pytest.mark.parametrize("seed", range(12))
def test_rules_that_are_sums_take_part(seed: int) -> None:
    random, board = Random(seed), BLANK.board
    solution = random_solution(BLANK.ruleset, seed)
    rules = []
    for _ in range(random.randint(2, 4)):
        cells = tuple(random.sample(range(16), random.randint(2, 5)))
        factors = tuple(random.choice([-2, -1, 1, 2, 3]) for _ in cells)
        total = sum(f * solution.digits[cell] for f, cell in zip(factors, cells, strict=True))
        rules.append(WeightedSum(total, factors, cells))
    asked = Puzzle(BLANK.ruleset.extended(*rules), Grid.blank(board))
    every = [grid for grid in completions(asked) if all(rule.holds(grid) for rule in rules)]
    made = certify(asked, Claim(len(every)), every)
    assert set(verify(asked, made.proof, made.claim)) == set(every)
    with pytest.raises(DisagreementError):
        certify(asked, Claim(len(every) - 1), every[1:])
    objective = Objective(tuple(random.choices(range(-9, 10), k=16 if seed % 2 else 64)), random.choice(list(Sense)))
    best = max(every, key=objective.upwards().score)
    certify(asked, Claim(None, objective.score(best)), [best], objective)


def test_every_constraint_is_certified() -> None:
    forms, names = cycle(["3.0", "1.2", "drat"]), set()
    for board, rule, rows, keeps in examples():
        if (told := (name := re.split("[ :]", rule)[0], keeps)) not in names:
            names.add(told)
            others = "" if name in ("lines", "boxes", "regions") else "no lines\nno boxes\n"
            asked = parse(f"{board}\n{others}{rule}\n" + re.sub("[^/]([^/]?)", r".\1", rows).replace("/", "\n"))
            grids = list(islice(solutions(asked), 40))
            if len(grids) < 40:
                certify(asked, Claim(len(grids)), grids, form="3.0" if asked.board.extra else next(forms))
                with pytest.raises(DisagreementError if grids else UsageError):
                    certify(asked, Claim(abs(len(grids) - 1)), grids[1:])
            if grids and (best := maximise(asked)).grid:
                certify(asked, Claim(None, best.score), [best.grid], form=next(forms))
    assert {name for name, _ in names} == set(LISTED)


def test_equal_cases_of_a_rule_are_one() -> None:
    asked = parse("sum-loop 8: r1c1 r1c2\neither: { odd: r3c3 } { odd: r3c3 }\n1...\n.2..\n....\n...4\n")
    claim = Claim(len(grids := list(solutions(asked))))
    assert set(verify(asked, certify(asked, claim, grids).proof, claim)) == set(grids)


def test_false_claims_get_no_certificate() -> None:
    one = puzzle(ONE_SOLUTION)
    with pytest.raises(DisagreementError):
        certify(one, Claim(0))
    with pytest.raises(DisagreementError, match="does not hold"):
        certify(BLANK, Claim(None, 255), [random_solution(BLANK.ruleset, 1)])


def test_the_checker_is_a_program_of_its_own(tmp_path: Path) -> None:
    model = CertificateModel(BLANK, ring_weights(BLANK.board), Claim(None, 254))
    (tmp_path / "four.opb").write_text("".join(f"{line}\n" for line in model.lines()))
    (tmp_path / "four.pbp").write_text(BY_HAND)
    made = certify(BLANK, Claim(None, 254), [maximise(BLANK).grid or BLANK.clues]).proof
    assert re.sub("%.*", "", BY_HAND).split("pol")[1].split() == " ".join(made).split("pol")[1].split()
    (tmp_path / "proofs").mkdir()
    assert len(Path(str(checker.__file__)).read_text(encoding="utf-8").splitlines()) <= 450
    for module in (checker, check_files):
        shutil.copy(str(module.__file__), tmp_path / "proofs")

    def run(*arguments: str) -> tuple[int, str]:
        # without what is installed
        line = [sys.executable, "-S", "-E", "-m", "proofs.check_files", *arguments]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout

    assert run("four.opb", "four.pbp") == (0, "verified: BOUNDS, value -254, solutions listed 1\n")
    assert run("four.pbp", "four.pbp")[0] == 2
    (tmp_path / "false.pbp").write_text(BY_HAND.replace(" 25 *", " 24 *"))
    assert run("four.opb", "false.pbp")[0] == 1
    assert run("four.opb", "four.pbp", "0")[0] == 3


def test_the_commands_write_what_verify_accepts(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("1..." + "." * 12 + "\n")
    (tmp_path / "three.txt").write_text("12.." + "." * 12 + "\n" + "11.." + "." * 12 + "\n")

    def run(*arguments: str, code: int = 0) -> str:
        done = ringdoku_here(*arguments, cwd=tmp_path)
        assert done.returncode == code, done.stderr
        return done.stdout

    run("maximise", "one.txt", "--certificate", "best")
    assert run("verify", "one.txt", "best.pbp") == "one.txt:1: proved: the highest score is 252\n"
    run("maximise", "one.txt", "--minimise", "--top", "3", "--certificate", "top")
    assert "or less" in run("verify", "one.txt", "top.pbp", "--minimise")
    alone = run("verify", "one.txt", "top.pbp", "--minimise", "--model", "/dev/null", code=1)
    assert alone.endswith("; if it counts those from a score, --claim 'count N from SCORE' says so\n")
    run("count", "three.txt", "--certificate", "count-{number}")
    assert run("count", "one.txt", "--certificate", "count") == "72\n"
    assert run("verify", "one.txt", "count.pbp") == "one.txt:1: proved: there are exactly 72 solutions\n"
    assert "another claim, 'count 72'" in run("verify", "one.txt", "count.pbp", "--claim", "unique", code=1)
    assert "refuted: the model is not the puzzle's" in run("verify", "one.txt", "count-1.pbp", code=1)
    assert (tmp_path / "count-2.pbp").exists()
    for wrong in (["one.txt", "one.txt"], ["one.txt", "."], ["-", "-"], ["one.txt", "count.pbp", "--claim", ""]):
        run("verify", *wrong, code=2)
    proof = (tmp_path / "count.pbp").read_text()
    piped = ringdoku_here("verify", "one.txt", "-", "--model", "count.opb", input=proof, cwd=tmp_path)
    assert piped.stdout == "one.txt:1: proved: there are exactly 72 solutions\n"
    run("maximise", "one.txt", "--certificate", "old", "--format", "veripb-1.2")
    for claim in ((), ("--claim", "best 252")):
        done = ringdoku_here("verify", "one.txt", "old.pbp", *claim, cwd=tmp_path)
        assert done.returncode == 2
        assert "3.0" in done.stderr
    run("count", "three.txt", "--certificate", "both", code=2)
    run("count", "one.txt", "--certificate", "count", code=2)


def test_another_checker_accepts_them_as_drat() -> None:
    dratify = pytest.importorskip("dratify", reason="dratify is not installed")
    for _, _, made in islice(certificates("drat"), 0, None, 4):
        formula, proof = ("".join(f"{line}\n" for line in lines) for lines in (made.model, made.proof))
        assert dratify.check_proof(dratify.parse_dimacs(formula), proof).ok, made.claim


def test_a_diagram_that_is_too_large_is_named() -> None:
    with pytest.raises(UsageError, match=r"one-region has 1[0-9]{5} states, too many for a certificate"):
        certify(parse(".ConnectedValues~~1_2"), Claim.parse("no solution"))
