"""Read what an exported file says of itself; see `about` for what that is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from itertools import islice

import numpy as np

from ringdoku.cnf.formula import Literals
from ringdoku.domain.errors import DimensionError, InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import MAX_WEIGHT, Objective, Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import classic
from ringdoku.exports.about import About, regular
from ringdoku.exports.goal import ScoreFormula

_MARK = re.compile(r"(.*?)ringdoku model: ([a-z0-9]+)")
_KEY = re.compile(r"([a-z][a-z ]*):(?: (.*))?")
_SCORE = re.compile(r"(-?[0-9]{1,40}) \+ (-?[0-9]{1,40}) \* value(?:,.*)?")
_BOXES = re.compile(r"([0-9]{1,4})x([0-9]{1,4}) .*")
_CELL = re.compile(r"r([0-9]{1,4})c([0-9]{1,4})((?: [0-9]{1,4}=-?[0-9]{1,10})+)")
_NUMBER = re.compile(r"-?[0-9]{1,10}")
FIRST_LINES = 20
"""The mark stands in one of so many first lines."""


def read_about(model: bytes, name: str) -> About:
    """What a file says of itself. Raises `InputError` when it does not, or when that makes no sense."""
    return _Reader(model, name).about()


class _Reader:
    """The keys of a header, each with its line number, its own text and the lines under it."""

    def __init__(self, model: bytes, name: str) -> None:
        self.name = name
        self.format_name = ""
        self.keys: dict[str, tuple[int, str, list[str]]] = {}
        # only the beginning of what may be hundreds of megabytes is looked at
        lines = enumerate((line.decode("ascii", "replace").rstrip() for line in BytesIO(model)), 1)
        for _, line in islice(lines, FIRST_LINES):
            if mark := _MARK.fullmatch(line):
                self.format_name = mark[2]
                self._read(lines, mark[1])
                return
        raise self._error(0, "no `ringdoku model:` in its first comments", "a file that `ringdoku export` wrote")

    def _read(self, lines: Iterable[tuple[int, str]], prefix: str) -> None:
        under: list[str] = []
        for number, line in lines:
            if not line.startswith(prefix):
                return
            text = line.removeprefix(prefix)
            if text.startswith("  "):
                under.append(text.strip())
            elif key := _KEY.fullmatch(text):
                under = []
                self.keys[key[1]] = number, key[2] or "", under
            else:
                return

    def about(self) -> About:
        puzzle = self._puzzle()
        known = (
            self._numbers("known", puzzle.order, 0, puzzle.order)
            if "known" in self.keys
            else [0] * len(puzzle.clues.digits)
        )
        rule, literals = self._variables(puzzle)
        return About(self.format_name, puzzle, self._score(puzzle), np.array(known, np.int32), literals, rule)

    def _puzzle(self) -> Puzzle:
        line, text, _ = self._key("boxes")
        boxes = _BOXES.fullmatch(text)
        if not boxes:
            raise self._error(line, repr(text), "HEIGHTxWIDTH")
        try:
            ruleset = classic(int(boxes[1]) * int(boxes[2]), (int(boxes[1]), int(boxes[2])))
        except DimensionError as error:
            raise self._error(line, str(error), "boxes that can be") from None
        return Puzzle(ruleset, Grid(tuple(self._numbers("clues", ruleset.order, 0, ruleset.order))))

    def _score(self, puzzle: Puzzle) -> ScoreFormula | None:
        if "objective" not in self.keys:
            return None
        line, text, _ = self._key("objective")
        senses = [sense for sense in Sense if text.split(" ", 1)[0] == sense.value]
        if not senses:
            raise self._error(line, repr(text), "maximise or minimise")
        weights = self._numbers("weights", puzzle.order, -MAX_WEIGHT, MAX_WEIGHT)
        line, text, _ = self._key("score")
        found = _SCORE.fullmatch(text)
        if not found:
            raise self._error(line, repr(text), "CONSTANT + FACTOR * value")
        return ScoreFormula(Objective(tuple(weights), senses[0]), int(found[1]), int(found[2]))

    def _variables(self, puzzle: Puzzle) -> tuple[str, Literals | None]:
        n = puzzle.order
        line, rule, under = self._key("variables")
        if rule == regular(n):
            return rule, np.arange(1, n**3 + 1, dtype=np.int32).reshape(n * n, n)
        if not rule.startswith("digit=literal"):
            return rule, None
        literals = np.zeros((n * n, n), dtype=np.int32)
        for number, text in enumerate(under, line + 1):
            found = _CELL.fullmatch(text)
            if not found or not (1 <= int(found[1]) <= n and 1 <= int(found[2]) <= n):
                raise self._error(number, repr(text), f"a cell of a {n}x{n} grid and digit=literal")
            for pair in found[3].split():
                digit, literal = map(int, pair.split("="))
                if not 1 <= digit <= n or not 0 < abs(literal) < 2**31:
                    raise self._error(number, pair, f"a digit 1..{n} and a literal")
                literals[(int(found[1]) - 1) * n + int(found[2]) - 1, digit - 1] = literal
        return rule, literals

    def _numbers(self, key: str, order: int, least: int, most: int) -> list[int]:
        line, _, under = self._key(key)
        rows = [text.split() for text in under]
        if len(rows) != order or any(len(row) != order for row in rows):
            raise self._error(line, f"{counted(len(rows), 'row')} of {key}", f"{counted(order, 'row')} of {order}")
        numbers = []
        for number, row in enumerate(rows, line + 1):
            for word in row:
                value = 0 if word == "." else int(word) if _NUMBER.fullmatch(word) else None
                if value is None or not least <= value <= most:
                    raise self._error(number, repr(word), f"a number from {least} to {most}")
                numbers.append(value)
        return numbers

    def _key(self, key: str) -> tuple[int, str, list[str]]:
        if key not in self.keys:
            raise self._error(0, f"no `{key}:` in its comments", "the comments that `ringdoku export` wrote, complete")
        return self.keys[key]

    def _error(self, line: int, found: str, expected: str) -> InputError:
        return InputError(Place(self.name, line), found, expected)
