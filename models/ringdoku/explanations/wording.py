"""A step in sentences: what follows, and why."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import contains, or_

from ringdoku.domain import Linear, Puzzle, counted, is_cage, shortened, write_constraint
from ringdoku.domain.primitives import scope_of
from ringdoku.explanations.checker import after, cage_of, leftover_sum
from ringdoku.explanations.graph import graph_of, members
from ringdoku.explanations.inferences import (
    Candidate,
    Candidates,
    Case,
    CellTruth,
    HouseTruth,
    Inference,
    RuleTruth,
    Truth,
    UniqueTruth,
    UnitTruth,
)
from ringdoku.explanations.techniques import Pattern


class Words:
    """Writes sentences about one puzzle. `symbols` are the texts of the digits, ascending; by default numbers."""

    def __init__(self, puzzle: Puzzle, symbols: Sequence[str] = ()) -> None:
        digits = puzzle.board.digits
        self.digit = dict(zip(digits, symbols or map(str, digits), strict=False)).__getitem__
        self._cell = puzzle.board.cell_name
        self._ruleset = puzzle.ruleset
        self._units = [unit.name for unit in puzzle.ruleset.units]

    def heading(self, step: Inference) -> str:
        """The technique of a step, and how many truths it takes."""
        if not step.removed and not step.placed:
            return "contradiction"
        size = counted(step.size, "truth")
        if step.smallest is not None and step.size > 2:
            size += ", proved fewest" if step.smallest else ", not proved fewest"
        return f"{step.name} ({size})" if step.name else size

    def lines(self, candidates: Candidates, step: Inference) -> list[str]:
        """The step in sentences; a case that takes more than one goes on in indented lines."""
        if step.case and step.case.inferences:
            return self._case(candidates, step, step.case)
        if not step.removed and not step.placed:
            return [f"There is no solution: {self._contradiction(candidates, step)}."]
        return [f"{self._conclusion(step)}: {self._reason(candidates, step)}."]

    def resting_on(self, rules: Sequence[RuleTruth]) -> str:
        """The words that end a step which rests on other rules too."""
        return f", given {_listed(map(self._rule, rules))}" if rules else ""

    def where(self, step: Inference) -> str:
        """Where to look for a step, and nothing more."""
        if step.case:
            return f"try what happens if {self._is(step.case.assumed)}"
        if isinstance(first := step.truths[0], UniqueTruth):
            return f"look at {self._pattern(first)}"
        units, cells = self._ruleset.units, [truth.cell for truth in step.truths if isinstance(truth, CellTruth)]
        places = [self._units[truth.unit] for truth in step.truths if isinstance(truth, UnitTruth)]
        if not places:
            last = {cell: unit.name for unit in units for cell in unit.cells}
            places = [last.get(cell, self._cell(cell)) for cell in cells]
        places += [self._units[truth.unit] for truth in step.truths if isinstance(truth, HouseTruth)]
        places += [self._rule(truth) for truth in step.truths if isinstance(truth, RuleTruth)]
        return f"look at {_listed(dict.fromkeys(places))}"

    def which(self, step: Inference) -> str:
        """The truths of a step; for a case split, the one that fails."""
        if step.case:
            return f"in the end {self._truth(step.case.end.truths[0], 'would have', fails=True)}"
        return "; ".join(map(self._truth, step.truths))

    def _truth(self, truth: Truth, verb: str = "has", fails: bool = False) -> str:
        """The statement of a truth, or that it fails."""
        match truth:
            case CellTruth(cell):
                return f"{self._cell(cell)} {verb} {'no digit left' if fails else 'a digit'}"
            case UnitTruth(unit, digit):
                return f"{self._units[unit]} {verb} {'no' if fails else 'a'} place for {self.digit(digit)}"
            case RuleTruth():
                return f"nothing keeps {self._rule(truth)}" if fails else self._rule(truth)
            case UniqueTruth():
                return f"{self._pattern(truth)} do not all have digits of the pattern"
            case HouseTruth(unit):
                return f"{self._units[unit]} {verb} {'not ' if fails else ''}every digit"

    def _pattern(self, truth: UniqueTruth) -> str:
        """The cells of a pattern, if these are few."""
        return self._cells(truth.cells) if len(truth.cells) == 4 else "the open cells"

    def _rule(self, truth: RuleTruth) -> str:
        return f"the rule {shortened(write_constraint(truth.constraint, self._ruleset.board), 120)}"

    def _is(self, candidate: Candidate, verb: str = "is") -> str:
        cell, digit = candidate
        return f"{self._cell(cell)} {verb} {self.digit(digit)}"

    def _cells(self, cells: Iterable[int], last: str = " and ") -> str:
        return _listed(map(self._cell, cells), last)

    def _digits(self, digits: Iterable[int], last: str = " and ") -> str:
        return _listed(map(self.digit, digits), last)

    def _conclusion(self, step: Inference) -> str:
        if step.placed:
            return self._is(step.placed)
        digits = {cell: [digit for other, digit in step.removed if other == cell] for cell, _ in step.removed}
        parts = []
        for gone in dict.fromkeys(map(tuple, digits.values())):
            cells = [cell for cell in digits if tuple(digits[cell]) == gone]
            parts.append(f"{self._cells(cells)} {'is' if len(cells) == 1 else 'are'} not {self._digits(gone, ' or ')}")
        return "; ".join(parts)

    def _reason(self, candidates: Candidates, step: Inference) -> str:
        first = step.truths[0]
        if isinstance(first, HouseTruth):
            return self._house_reason(first, step)
        if isinstance(first, UniqueTruth):
            digits = self._digits(sorted({digit for _, digit in first.pattern}), " or ")
            which = digits if len(first.cells) == 4 else "one of two digits each"
            return f"else {self._pattern(first)} would be {which}, and all could change (assumes one solution)"
        if step.size > 1 and RuleTruth in map(type, step.truths):
            return f"else there is no way to keep all of this at once: {self.which(step)}"
        if isinstance(first, RuleTruth):
            return self._rule_reason(candidates, first, step)
        pattern = Pattern(self._ruleset, candidates, step)
        if step.name == "full house" and isinstance(first, UnitTruth):
            return f"the last cell of {self._units[first.unit]}"
        if step.placed and isinstance(first, UnitTruth):
            return f"the only place for {self.digit(first.digit)} in {self._units[first.unit]}"
        if step.placed:
            return "the only digit left there"
        if reason := self._pattern_reason(pattern):
            return reason
        rest = "" if len(step.removed) == 1 else ", and likewise for the others"
        return f"if {self._is(step.removed[0], 'were')}, {self._consequences(candidates, step, step.removed[0])}{rest}"

    def _pattern_reason(self, pattern: Pattern) -> str:
        """The description of locked candidates, subsets and fish; empty for other patterns."""
        ways, places = pattern.all_ways, dict.fromkeys(self._units[truth.unit] for truth in pattern.unit_truths)
        cells = self._cells(sorted({cell for cell, _ in ways}))
        digits = self._digits(sorted({digit for _, digit in ways}))
        match pattern.step.name.partition(" ")[0]:
            case "pointing" | "claiming":
                return f"in {_listed(places)}, {digits} is in {self._cells((cell for cell, _ in ways), ' or ')}"
            case "naked":
                return f"{cells} hold {digits} between them"
            case "hidden":
                return f"in {_listed(places)}, {digits} are in {cells}"
            case "X-Wing" | "swordfish" | "jellyfish":
                other = "columns" if pattern.parallel == "row" else "rows"
                return f"in {_listed(places)}, {digits} is in the same {pattern.size} {other}"
        return ""

    def _house_reason(self, house: HouseTruth, step: Inference) -> str:
        """The sums of a house and of cages, and the sum that they leave for few cells."""
        board, leftover = self._ruleset.board, leftover_sum(self._ruleset, step.truths)
        assert leftover is not None
        cages = [cage_of(rule.constraint, board) for rule in step.truths if isinstance(rule, RuleTruth)]
        terms = (
            f"{'−' if factor < 0 else '+'} {'' if abs(factor) == 1 else f'{abs(factor)}·'}{self._cell(cell)}"
            for cell, factor in zip(leftover.cells, leftover.coefficients, strict=True)
        )
        sums = _listed(f"{cage.total} at {self._cell(cage.cells[0])}" for cage in cages if cage)
        which = "its cage" if len(cages) == 1 else "its cages"
        text = f"{self._units[house.unit]} adds up to {sum(board.digits)} and {which} to {sums}"
        return f"{text}, so {' '.join(terms).removeprefix('+ ')} = {leftover.total}"

    def _rule_reason(self, candidates: Candidates, truth: RuleTruth, step: Inference) -> str:
        """A rule, with the sets of digits for its sum if its cells differ and there are few, else with its summary."""
        parts = list(truth.constraint.primitives(self._ruleset.board))
        inside = {cell for part in parts for cell in scope_of(part)}.issuperset(cell for cell, _ in step.removed)
        reason = f"{'no other digits there' if inside else 'each would leave no way to'} keep {self._rule(truth)}"
        for part in parts:
            if isinstance(part, Linear) and len(part.cells) < 7 and is_cage(part, self._ruleset.peers):
                cells = [candidates[cell] for cell in part.cells]
                subsets = combinations(sorted(frozenset().union(*cells)), len(cells))
                with_sum = (digits for digits in subsets if sum(digits) == part.total)
                sets = [each for each in with_sum if any(all(map(contains, cells, way)) for way in permutations(each))]
                if 0 < len(sets) <= 4:
                    return f"{reason}, which takes {', or '.join(map(self._digits, sets))}"
        return f"{reason} ({type(truth.constraint).summary})"

    def _contradiction(self, candidates: Candidates, step: Inference) -> str:
        first = step.truths[0]
        if isinstance(first, HouseTruth):
            return f"{self._house_reason(first, step)}, which no digits left there give"
        return self._truth(first, fails=True) if step.size == 1 else self._consequences(candidates, step)

    def _case(self, candidates: Candidates, step: Inference, case: Case) -> list[str]:
        """A case split, in one sentence if the case takes only singles."""
        is_short = all(inner.placed for inner in case.inferences)
        verb, has = ("would be", "would have") if is_short else ("is", "has")
        graph, lines, singles = graph_of(self._ruleset), list[str](), list[Candidate]()
        left = graph.candidates(graph.alive(candidates) & ~graph.conflicts[graph.index(case.assumed)])
        for inner in case.inferences:
            if inner.placed:
                singles.append(inner.placed)
            else:
                lines += [f"B{_listed(self._singles(singles, verb))[1:]}."] if singles else []
                lines += self.lines(left, inner)
                singles = []
            left = after(left, inner)
        end = _listed([*self._singles(singles, verb), self._truth(case.end.truths[0], has, fails=True)], ", and ")
        if is_short:
            return [f"{self._conclusion(step)}: {end}."]
        lines.append(f"Then {end}, which cannot be.")
        return [f"{self._conclusion(step)}. Suppose it is:", *(f"  {line}" for line in lines)]

    def _singles(self, placed: Sequence[Candidate], verb: str) -> list[str]:
        """Digits that are placed by singles, one after the other."""
        first = [f"by singles, {self._is(candidate, verb)}" for candidate in placed[:1]]
        return [*first, *(f"{self._cell(cell)} {self.digit(digit)}" for cell, digit in placed[1:])]

    def _consequences(self, candidates: Candidates, step: Inference, assumed: Candidate | None = None) -> str:
        """What a candidate would imply in the truths of a step, one after the other, down to a contradiction."""
        graph = graph_of(self._ruleset)
        alive = graph.alive(candidates)
        dead = 0 if assumed is None else graph.conflicts[graph.index(assumed)]
        return self._refutation({t: graph.bits_of(t) & alive for t in graph.truths if t in step.truths}, dead)

    def _refutation(self, ways: Mapping[Truth, int], dead: int) -> str:
        """How truths with these candidates, of which some are dead, lead to a contradiction."""
        graph, parts = graph_of(self._ruleset), list[str]()
        while True:
            left = {truth: bits & ~dead for truth, bits in ways.items()}
            smallest = sorted(left, key=lambda truth: left[truth].bit_count())
            if not left[smallest[0]]:
                return _listed([*parts, self._truth(smallest[0], "would have", fails=True)], ", and ")
            every = reduce(or_, left.values())
            truth = next((truth for truth in smallest if graph.excluded_by(left[truth], every)), smallest[0])
            gone, others = graph.excluded_by(left[truth], every), {t: ways[t] for t in ways if t != truth}
            if not gone:
                break
            parts.append(self._would(truth, graph.candidates_in(left[truth])))
            dead |= gone
            if left[truth].bit_count() == 1:
                ways = others
        branches = (
            f"with {self._is(graph.candidate(index), '=')}, {self._refutation(others, dead | graph.conflicts[index])}"
            for index in members(left[truth])
        )
        return _listed([*parts, f"either way it would fail: {'; '.join(branches)}"], ", and ")

    def _would(self, truth: Truth, ways: Sequence[Candidate]) -> str:
        if len(ways) == 1:
            return self._is(ways[0], "would be")
        if isinstance(truth, UnitTruth):
            cells = self._cells((cell for cell, _ in ways), " or ")
            return f"{self.digit(truth.digit)} of {self._units[truth.unit]} would be in {cells}"
        return f"{self._cell(ways[0][0])} would be {self._digits((digit for _, digit in ways), ' or ')}"


def wrapped(lines: Iterable[str], width: int | None = None) -> Iterator[str]:
    """The lines, broken where they are longer than 100 columns, or than those of a narrower terminal."""
    width = min(width or 100, 100)
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())] + "  "
        yield from textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _listed(words: Iterable[str], last: str = " and ") -> str:
    """`a, b and c`."""
    *found, end = words
    return f"{', '.join(found)}{last}{end}" if found else end
