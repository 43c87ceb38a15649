"""A step in sentences: what follows, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ringdoku.deduction.sums import digit_sets
from ringdoku.domain.constraint import write_constraint
from ringdoku.domain.numbers import counted
from ringdoku.domain.primitives import Linear
from ringdoku.domain.puzzle import Puzzle
from ringdoku.explanations.checker import after
from ringdoku.explanations.graph import CandidateGraph, graph_of, members
from ringdoku.explanations.house_sums import cage_of, difference
from ringdoku.explanations.inferences import (
    Candidate,
    Candidates,
    Case,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    Truth,
    UnitTruth,
)
from ringdoku.explanations.techniques import Pattern

MOST_RULE = 120
"""Characters of a rule in a sentence."""

MOST_SETS = 4
"""Sets of digits of a sum in a sentence."""


class Words:
    """Sentences about one puzzle; `name` writes a digit."""

    def __init__(self, puzzle: Puzzle, name: Callable[[int], str] = str) -> None:
        self._puzzle = puzzle
        self._cell = puzzle.board.cell_name
        self.digit = name

    def truth(self, truth: Truth) -> str:
        """What a truth says."""
        match truth:
            case CellTruth(cell):
                return f"{self._cell(cell)} has a digit"
            case UnitTruth(_, digit):
                return f"{self._unit(truth)} has a place for {self.digit(digit)}"
            case RuleTruth():
                return self._rule(truth)
            case HouseTruth(unit):
                return f"{self._puzzle.ruleset.units[unit].name} has every digit"

    def heading(self, step: Inference) -> str:
        """The technique, or how many truths the step takes."""
        if step.cases:
            return "case split"
        if not step.removed and not step.placed:
            return "contradiction"
        size = counted(step.size, "truth")
        if step.smallest is not None and step.size > 2:
            size += ", proved fewest" if step.smallest else ", not proved fewest"
        return f"{step.name} ({size})" if step.name else size

    def lines(self, candidates: Candidates, step: Inference) -> list[str]:
        """The step in sentences; cases go on in indented lines."""
        if step.cases:
            (case,) = step.cases
            return [f"{self._conclusion(step)}, since that fails:", *self._case(candidates, case)]
        if not step.removed and not step.placed:
            return [self._contradiction(candidates, step)]
        return [f"{self._conclusion(step)}: {self._reason(candidates, step)}."]

    def where(self, step: Inference) -> str:
        """Where to look, and nothing more."""
        if step.cases:
            return f"try what happens if {self._assumption(step.cases[0].assumed)}"
        units = dict.fromkeys(self._unit(truth) for truth in step.truths if isinstance(truth, UnitTruth))
        cells = [truth.cell for truth in step.truths if isinstance(truth, CellTruth)]
        rules = [self._rule(truth) for truth in step.truths if isinstance(truth, RuleTruth)]
        houses = [self._puzzle.ruleset.units[truth.unit].name for truth in step.truths if isinstance(truth, HouseTruth)]
        if cells and not units:
            shared = [u.name for u in self._puzzle.ruleset.units if set(cells) <= set(u.cells)]
            if len(cells) == 1 or not shared:
                units = dict.fromkeys(self._rough(cell) for cell in cells)
            else:
                units = {shared[0]: None}
        return f"look at {_listed([*units, *houses, *rules])}"

    def which(self, step: Inference) -> str:
        """The cells and digits of the truths."""
        return "; ".join(map(self.truth, step.truths))

    def _rough(self, cell: int) -> str:
        for unit in reversed(self._puzzle.ruleset.units):
            if cell in unit.cells:
                return unit.name
        return self._cell(cell)

    def _unit(self, truth: UnitTruth) -> str:
        return self._puzzle.ruleset.units[truth.unit].name

    def _rule(self, truth: RuleTruth) -> str:
        text = write_constraint(truth.constraint, self._puzzle.board)
        return f"the rule {text if len(text) <= MOST_RULE else text[:MOST_RULE] + '…'}"

    def _assumption(self, candidate: Candidate, were: str = "is") -> str:
        cell, digit = candidate
        return f"{self._cell(cell)} {were} {self.digit(digit)}"

    def _conclusion(self, step: Inference) -> str:
        if step.placed:
            return self._assumption(step.placed)
        cells: dict[int, list[int]] = {}
        for cell, digit in step.removed:
            cells.setdefault(cell, []).append(digit)
        alike: dict[tuple[int, ...], list[int]] = {}
        for cell, digits in cells.items():
            alike.setdefault(tuple(digits), []).append(cell)
        return "; ".join(
            f"{_listed(map(self._cell, found))} {'is' if len(found) == 1 else 'are'} not "
            f"{_listed(map(self.digit, digits), 'or')}"
            for digits, found in alike.items()
        )

    def _reason(self, candidates: Candidates, step: Inference) -> str:
        first = step.truths[0]
        if step.size > 1 and isinstance(step.truths[-1], RuleTruth) and not isinstance(first, HouseTruth):
            return f"else there is no way to keep all of this at once: {self.which(step)}"
        if isinstance(first, RuleTruth):
            return self._rule_reason(candidates, first)
        if isinstance(first, HouseTruth):
            return self._house_reason(first, step)
        if step.placed and isinstance(first, UnitTruth):
            return f"the only place for {self.digit(first.digit)} in {self._unit(first)}"
        if step.placed:
            if step.name == "full house":
                return f"the last cell of {self._full(candidates, step.placed[0])}"
            return "the only digit left there"
        return self._pattern_reason(candidates, step, first)

    def _pattern_reason(self, candidates: Candidates, step: Inference, first: CellTruth | UnitTruth) -> str:
        """Locked candidates, subsets and fish by what they are, anything else by what would follow."""
        pattern = Pattern(self._puzzle.ruleset, candidates, step)
        ways = [way for truth in step.truths for way in pattern.ways(truth)]
        cells = _listed(map(self._cell, sorted({cell for cell, _ in ways})))
        digits = _listed(map(self.digit, sorted({digit for _, digit in ways})))
        if step.name in ("pointing", "claiming") and isinstance(first, UnitTruth):
            places = _listed((self._cell(cell) for cell, _ in ways), "or")
            return f"in {self._unit(first)}, {self.digit(first.digit)} is in {places}"
        if step.name.startswith("naked "):
            return f"{cells} hold {digits} between them"
        if step.name.startswith("hidden ") and isinstance(first, UnitTruth):
            return f"in {self._unit(first)}, {digits} are in {cells}"
        if step.name in ("X-Wing", "swordfish", "jellyfish"):
            other = "columns" if pattern.parallel == "row" else "rows"
            lines = _listed(self._unit(truth) for truth in pattern.places)
            return f"in {lines}, {digits} is in the same {step.size} {other}"
        return self._tried(candidates, step)

    def _full(self, candidates: Candidates, cell: int) -> str:
        """The smallest unit, the last of several, of which the cell is the only one left."""
        units = [unit for unit in self._puzzle.ruleset.units if cell in unit.cells]
        full = [unit for unit in units if all(len(candidates[other]) == 1 for other in unit.cells)]
        return min(reversed(full), key=lambda unit: len(unit.cells)).name

    def _house_reason(self, truth: HouseTruth, step: Inference) -> str:
        """The sums of a house and of cages, and what they leave for few cells."""
        ruleset = self._puzzle.ruleset
        stated = difference(ruleset, step.truths)
        cages = [cage_of(rule.constraint, ruleset.board) for rule in step.truths if isinstance(rule, RuleTruth)]
        assert stated is not None
        text = ""
        for cell, factor in zip(stated.cells, stated.coefficients, strict=True):
            sign = "−" if factor < 0 else "+" if text else ""
            times = "" if abs(factor) == 1 else f"{abs(factor)}·"
            text += f" {sign} {times}{self._cell(cell)}" if text else f"{sign}{times}{self._cell(cell)}"
        sums = _listed([f"{cage.greatest} at {self._cell(cage.cells[0])}" for cage in cages if cage])
        unit = ruleset.units[truth.unit].name
        which = "its cage" if len(cages) == 1 else "its cages"
        return f"{unit} adds up to {sum(ruleset.board.digits)} and {which} to {sums}, so {text} = {stated.greatest}"

    def _rule_reason(self, candidates: Candidates, truth: RuleTruth) -> str:
        """The digits that a sum takes, where cells differ and there are few ways; else what the rule says."""
        reason = f"no other digits there keep {self._rule(truth)}"
        board, peers = self._puzzle.board, self._puzzle.ruleset.peers
        for part in truth.constraint.primitives(board):
            if not isinstance(part, Linear) or set(part.coefficients) != {1}:
                continue
            if any(other not in peers(cell) for place, cell in enumerate(part.cells) for other in part.cells[:place]):
                continue
            digits = {digit for cell in part.cells for digit in candidates[cell]}
            mask = sum(1 << digit - board.least for digit in digits)
            sets = digit_sets(len(part.cells), mask, board.least, part.least, part.greatest)
            if sets is not None and 0 < len(sets) <= MOST_SETS:
                ways = (_listed([self.digit(board.least + bit) for bit in members(found)]) for found in sets)
                return f"{reason}, which takes {', or '.join(ways)}"
        return f"{reason} ({type(truth.constraint).summary})"

    def _tried(self, candidates: Candidates, step: Inference) -> str:
        cell, digit = step.removed[0]
        told = _Story(graph_of(self._puzzle.ruleset), self, candidates, step.truths).told((cell, digit))
        rest = "" if len(step.removed) == 1 else ", and likewise for the others"
        return f"if {self._assumption((cell, digit), 'were')}, {told}{rest}"

    def _contradiction(self, candidates: Candidates, step: Inference) -> str:
        if isinstance(step.truths[0], HouseTruth):
            return f"There is no solution: {self._house_reason(step.truths[0], step)}, which no digits left there give."
        if step.size > 1:
            story = _Story(graph_of(self._puzzle.ruleset), self, candidates, step.truths)
            return f"There is no solution: {story.told(None)}."
        return f"There is no solution: {self.nothing(step.truths[0])}."

    def nothing(self, truth: Truth, verb: str = "has") -> str:
        """That a truth has nothing left."""
        match truth:
            case CellTruth(cell):
                return f"{self._cell(cell)} {verb} no digit left"
            case UnitTruth(_, digit):
                return f"{self._unit(truth)} {verb} no place for {self.digit(digit)}"
            case RuleTruth():
                return f"nothing keeps {self._rule(truth)}"
            case HouseTruth(unit):
                return f"{self._puzzle.ruleset.units[unit].name} {verb} not every digit"

    def _case(self, candidates: Candidates, case: Case) -> Iterator[str]:
        yield f"  Suppose {self._assumption(case.assumed)}."
        left = _assumed(graph_of(self._puzzle.ruleset), candidates, case.assumed)
        for step in case.inferences:
            for line in self.lines(left, step):
                yield f"  {line}"
            left = after(left, step)
        last = case.end.truths[0]
        reason = self.nothing(last) if case.end.size == 1 else self._contradiction(left, case.end)
        yield f"  Then {reason}, which cannot be."


class _Story:
    """What a candidate would bring about among some truths, in the order in which it follows."""

    def __init__(self, graph: CandidateGraph, words: Words, candidates: Candidates, truths: Sequence[Truth]) -> None:
        self._graph = graph
        self._words = words
        alive = graph.alive(candidates)
        self._bits: dict[Truth, int] = {
            truth: graph.bits[index] & alive for index, truth in enumerate(graph.truths) if truth in set(truths)
        }

    def told(self, assumed: Candidate | None) -> str:
        dead = 0 if assumed is None else self._graph.conflicts[self._graph.index(assumed)]
        return self._on(dead, frozenset(self._bits))

    def _on(self, dead: int, open_truths: frozenset[Truth]) -> str:
        """How the truths end in a branch."""
        parts: list[str] = []
        while True:
            left = {truth: bits & ~dead for truth, bits in self._bits.items() if truth in open_truths}
            if empty := [truth for truth, bits in left.items() if not bits]:
                parts.append(f"{self._words.nothing(empty[0], 'would have')}")
                return _then(parts)
            found = self._following(left, dead)
            if found is None:
                break
            truth, gone = found
            parts.append(self._would(truth, left[truth]))
            dead |= gone
            if not left[truth] & (left[truth] - 1):
                open_truths -= {truth}
        truth = min(left, key=lambda truth: left[truth].bit_count())
        ways = []
        for index in members(left[truth]):
            told = self._on(dead | self._graph.conflicts[index], open_truths - {truth})
            ways.append(f"with {self._words._assumption(self._graph.candidate(index), '=')}, {told}")
        return _then([*parts, f"either way it would fail: {'; '.join(ways)}"])

    def _following(self, left: dict[Truth, int], dead: int) -> tuple[Truth, int] | None:
        """The truth of the fewest candidates that exclude a common one among the others."""
        others = 0
        for bits in left.values():
            others |= bits
        for truth, bits in sorted(left.items(), key=lambda item: item[1].bit_count()):
            gone = self._graph.common(bits) & ~dead
            if gone & others:
                return truth, gone
        return None

    def _would(self, truth: Truth, bits: int) -> str:
        found = self._graph.listed(bits)
        if len(found) == 1:
            return self._words._assumption(found[0], "would be")
        if isinstance(truth, CellTruth):
            digits = _listed((self._words.digit(digit) for _, digit in found), "or")
            return f"{self._words._cell(truth.cell)} would be {digits}"
        assert isinstance(truth, UnitTruth)
        places = _listed((self._words._cell(cell) for cell, _ in found), "or")
        return f"{self._words.digit(truth.digit)} of {self._words._unit(truth)} would be in {places}"


def _assumed(graph: CandidateGraph, candidates: Candidates, assumed: Candidate) -> Candidates:
    alive = graph.alive(candidates)
    return graph.candidates(alive & ~graph.conflicts[graph.index(assumed)])


def _then(parts: Sequence[str]) -> str:
    """Parts that follow each other."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _listed(words: Iterator[str] | Sequence[str] | map[str], last: str = "and") -> str:
    """`a, b and c`."""
    found = list(words)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}"
