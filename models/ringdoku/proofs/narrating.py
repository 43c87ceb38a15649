"""A proof in sentences about cells and digits. The checker calls a `Narrator` after each statement that it accepts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from ringdoku.domain.errors import counted
from ringdoku.proofs.checker import Propagation, Row
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.proof import contradiction

MOST_STATEMENTS = 200
"""The statements of a proof that are put in sentences; the others are only counted."""
MOST_PARTS = 12
"""The items of a list that a sentence shows; the others are only counted."""
NOT_AGAIN = "not this solution again"


class Narrator:
    """Passes the text to `tell`, line by line. Constraints are counted from 0 in the code, and from 1 in the text."""

    def __init__(self, model: CertificateModel, tell: Callable[[str], None]) -> None:
        self._model, self._tell, self._board = model, tell, model.puzzle.board
        self._names = [name for line in model.constraints for name in line.names]
        # deleted constraints stay, since they still hold
        self._rows = Propagation(dict(enumerate(model.rows)))
        self._loaded = self._count = len(self._names)
        self._rule_rows = range(2 * model.rules.unit_line_count, model.rules.row_count)
        self._statements = 0

    def __call__(self, line: int, words: Sequence[str], added: Row | None) -> None:
        """Explains the statement that ends on a line of the proof; `added` is the constraint that it adds, if any."""
        self._statements += 1
        if self._statements <= MOST_STATEMENTS:
            first, *following = self._sentences(words, added)
            self._tell(f"Line {line}. {first}")
            for sentence in following:
                self._tell(f"    {sentence}")
        elif words[0] == "end":
            others = counted(self._statements - MOST_STATEMENTS, "statement")
            self._tell(f"Then {others} more, checked and not said here.")
        if added is not None:
            self._rows.add(self._count, added)
            self._count += 1
            if len(self._names) < self._count:
                self._names.append(f"number {self._count}")

    def _sentences(self, words: Sequence[str], added: Row | None) -> Iterator[str]:
        number = self._count + 1
        match words:
            case ["f", *_]:
                cells, units = 2 * self._board.cell_count, self._rule_rows.start
                yield f"The model has {self._loaded} constraints, as the puzzle has."
                yield f"1 to {cells}: each cell has a digit, and only one."
                if units > cells:
                    yield f"{cells + 1} to {units}: each row, column or other unit has each digit, and only once."
                if self._loaded > units:
                    yield f"{units + 1} to {self._loaded}: other rules, clues, a limit of scores, whichever there are."
            case ["soli" | "solx" as rule, *named]:
                grid = self._model.grid([int(name[1:]) for name in named if name[0] == "x"])
                yield f"A solution: {' / '.join(' '.join(map(str, row)) for row in grid.rows)}."
                if rule == "solx":
                    self._names.append(NOT_AGAIN)
                    yield f"From now on only others count, which is number {number}."
                else:
                    objective = self._model.objective
                    better = "above" if objective.sense.sign > 0 else "below"
                    self._names.append(f"the score is {better} {objective.score(grid)}")
                    yield f"From now on only what is better counts. Number {number}: {self._names[-1]}."
            case ["pol", *rest]:
                yield f"Number {number} is a sum of constraints, each times its price:"
                yield from self._price_list(rest)
                yield self._budget(added or Row((), (), 0))
            case ["rup", *_]:
                yield from self._derivation(added or Row((), (), 0), self._hints(words))
            case ["deld", *numbers]:
                yield f"Number {_listed(numbers)} is not needed any more."
            case ["conclusion", *_]:
                yield f"So {self._model.claim.sentence(self._model.objective.sense)}."
            case _:
                yield "The end." if words[0] == "end" else "The proof leads to no other model."

    def _derivation(self, row: Row, waiting: Sequence[int]) -> Iterator[str]:
        number, literals = self._count + 1, row.literals
        if row.least > 1:
            reasons = dict[int, int]()
            self._rows.propagate(reasons, waiting)
            shown = [x for x in reasons if x in literals and (x > 0 or reasons[x] in self._rule_rows)]
            yield f"Number {number} is what follows at once, {counted(len(literals), 'literal')}."
            if shown:
                yield f"{_listed(f'{self._literal(x)} ({self._names[reasons[x]]})' for x in shown)}."
        elif self._names[-1] == NOT_AGAIN and len(literals) == self._board.grid_count and max(literals) < 0:
            yield f"Number {number} says the same of that solution, by its digits alone."
        elif literals:
            clause = _listed(map(self._literal, literals), " or ")
            self._names.append(f"{clause} ({number})" if len(literals) < 4 else f"number {number}")
            yield f"Number {number}: {clause}. For otherwise {self._reason(literals, waiting)}."
        else:
            yield f"A contradiction: {self._reason(literals, waiting)}."

    def _literal(self, literal: int) -> str:
        if (number := abs(literal) - self._model.candidate_count) > 0:
            return f"x{abs(literal)} of {self._model.rules.helpers[number - 1].name} is {int(literal > 0)}"
        cell, place = divmod(abs(literal) - 1, self._board.order)
        return f"{self._board.cell_name(cell)} is {'' if literal > 0 else 'not '}{self._board.least + place}"

    def _price_list(self, words: Sequence[str]) -> Iterator[str]:
        """The prices in a statement `pol`, negative for "at least" rows; those of cells and of each unit together."""
        stack: list[Counter[str]] = []
        for word, following in zip(words, [*words[1:], ""], strict=True):
            if following in ("*", "d"):
                factor = int(word)
            elif word == "*":
                stack[-1] = Counter({name: times * factor for name, times in stack[-1].items()})
            elif word == "+":
                added = stack.pop()
                stack[-1].update(added)
            elif word != "d":
                stack.append(Counter({word: 1}))
        board, units, found = self._board, self._model.puzzle.ruleset.units, dict[str, list[str]]()
        for word, times in stack[-1].items():
            number = int(word) - 1 if word.isdigit() else -1
            place, most = divmod(number, 2)
            unit, digit = divmod(place - board.cell_count, board.order)
            price = times if most else -times
            if 0 <= place < board.cell_count:
                found.setdefault("cells", []).append(f"{board.cell_name(place)} {price}")
            elif 0 <= unit < len(units):
                found.setdefault(units[unit].name, []).append(f"{price} for {board.least + digit}")
            else:
                name = f"{word} is not negative" if number < 0 else self._names[number]
                found.setdefault(f"{times} times", []).append(name)
        yield from (f"{name}: {_listed(parts)}" for name, parts in found.items())
        if "d" in words:
            yield "then divided, and rounded up"

    def _budget(self, row: Row) -> str:
        sums, least = row.as_sum()
        self._names.append(f"the costs are at most {-least} ({self._count + 1})")
        costs = _listed(f"{-factor} where {self._literal(var)}" for var, factor in sums.items() if factor) or "nothing"
        return f"What is left is what digits cost beyond what they bring: {costs}. Together at most {-least}."

    def _hints(self, words: Sequence[str]) -> list[int]:
        """The constraints that a statement gives as hints; without hints all of them, the shortest first."""
        if ":" in words:
            return [int(word) - 1 for word in words[words.index(":") + 1 :] if word != "~"]
        return sorted(self._rows.rows, key=lambda number: len(self._rows.rows[number].literals))

    def _reason(self, clause: Sequence[int], waiting: Iterable[int]) -> str:
        """Why the negation of a clause is a contradiction: the steps of unit propagation that lead to it, without those
        that come from clues or derived unit clauses, or that one digit excludes another."""
        *steps, (broken, _) = contradiction(self._rows, clause, waiting)
        reasons = []
        for number, literals in steps:
            row, is_unit_row = self._rows.rows[number], number < self._rule_rows.start
            if number in self._rule_rows or row.least != len(row.unweighted):
                shown = [literal for literal in literals if literal > 0 or not (is_unit_row and number % 2)]
                reasons += [f"{self._literal(literal)} ({self._names[number]})" for literal in shown]
        end = f"“{self._names[broken]}” fails"
        return f"{', '.join(reasons)}, and so {end}" if reasons else end


def _listed(items: Iterable[str], separator: str = ", ") -> str:
    parts = list(items)
    others = len(parts) - MOST_PARTS
    return separator.join(parts if others <= 1 else [*parts[:MOST_PARTS], f"{others} others"])
