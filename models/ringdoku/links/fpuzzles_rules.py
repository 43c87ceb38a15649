"""The keys of f-puzzles files that state rules, in one table.

Besides the keys of f-puzzles these are the keys of Rangsk's extension (slow thermometers, double arrows, indexers,
x-sums, skyscrapers; renban, whispers, region sum, entropic, modular, nabner and zipper lines) and of the lockout
extension.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, pairwise
from typing import Any

from ringdoku.constraints import digits, lines, outside, pairs, places, regions, sums
from ringdoku.domain.constraint import Cells, Constraint
from ringdoku.domain.errors import UsageError
from ringdoku.links.shared import Draft, default_boxes, entries, integer, items, says_nothing, shown, straight, whole

_SWITCHES: Mapping[str, Constraint] = {
    "diagonal+": regions.DiagonalUp(),
    "diagonal-": regions.DiagonalDown(),
    "antiknight": regions.AntiKnight(),
    "antiking": regions.AntiKing(),
}

_LINES: Mapping[str, Callable[[Cells], Constraint]] = {
    "thermometer": lines.Thermometer,
    "slowthermometer": lines.SlowThermometer,
    "palindrome": lines.Palindrome,
    "renban": lines.Renban,
    "nabner": lines.Nabner,
    "betweenline": lines.Between,
    "lockout": lambda cells: lines.Lockout(cells=cells, difference=4),
    "modularline": lambda cells: lines.Modular(cells=cells, modulus=3),
    "entropicline": lambda cells: lines.Entropic(cells=cells),  # thirds are no field
    "zipperline": sums.Zipper,
    "doublearrow": sums.DoubleArrow,
}
_TWO_ENDS = ("betweenline", "lockout", "doublearrow")

_CELL = re.compile(r"[rR]([0-9]{1,2})[cC]([0-9]{1,2})")
_STEPS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}


class Rules:
    """Reads the rules of one file into a draft. `paths` and `marked` are the places of typed lines and typed marks,
    rows and columns from 0, by which their pictures are recognised."""

    def __init__(self, draft: Draft, data: dict[str, Any], boxes: Iterable[Cells]) -> None:
        self.draft = draft
        self.data = data
        self.n = draft.board.rows
        self.boxes = tuple(boxes)
        self.paths: set[Cells] = set()
        self.marked: set[tuple[int, int]] = set()

    def place(self, name: object, where: str, margin: int = 0) -> tuple[int, int]:
        """Row and column, from 0, of a name such as R1C1. Up to `margin` cells around the board have names too."""
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        if not found:
            raise UsageError(f"{where}: {shown(name)} is not a cell, such as R1C1")
        row, column = int(found[1]), int(found[2])
        if not all(1 - margin <= number <= self.n + margin for number in (row, column)):
            raise UsageError(f"{where}: {name} is not on a board of {self.n}x{self.n}")
        return row - 1, column - 1

    def cell(self, name: object, where: str) -> int:
        """The cell of a name."""
        row, column = self.place(name, where)
        return row * self.n + column

    def cells(self, value: object, where: str, count: int | None = None) -> Cells:
        """The cells of a list of names: `count` cells, or at least one."""
        names = items(value, f"the cells of {where}")
        if not names or count not in (None, len(names)):
            raise UsageError(f"{where} has {len(names) or 'no'} cells, not {count or 'one or more'}")
        return tuple([self.cell(name, where) for name in names])

    def number(self, entry: dict[str, Any], where: str, default: int | None = None) -> int | None:
        """A clue's number, `default` if it is missing or not understood."""
        value = entry.get("value")
        if (number := integer(value)) is not None:
            return number
        if not says_nothing(value):
            self.draft.doubt(f"{where} has the value {shown(value)}, which is not a number")
        return default

    def lines(self, entry: dict[str, Any], where: str) -> Iterator[Cells]:
        """The lines of an entry, except lines of a single cell, which have no meaning."""
        for line in items(entry.get("lines"), f"the lines of {where}"):
            path = straight(self.cells(line, where))
            self.paths.add(path)
            for one, other in pairwise(path):
                (row, column), (below, right) = divmod(one, self.n), divmod(other, self.n)
                if max(abs(row - below), abs(column - right)) > 1:
                    names = " to ".join(map(self.draft.board.cell_name, (one, other)))
                    self.draft.doubt(f"{where} jumps from {names}")
            if len(path) > 1:
                yield path

    def walk(self, row: int, column: int, down: int, right: int, where: str) -> Cells:
        """The cells that a clue beside the board refers to."""
        at = self.draft.board.at
        cells = []
        if at(row, column) is None:
            step = 1
            while (cell := at(row + step * down, column + step * right)) is not None:
                cells.append(cell)
                step += 1
        if not cells:
            raise UsageError(f"{where}: R{row + 1}C{column + 1} is not a place beside the board for this clue")
        return tuple(cells)


def _on(key: str, value: object) -> None:
    if value is not True:
        raise UsageError(f"{key} is {shown(value)}, not true or false")


def _switch(rules: Rules, key: str, value: object) -> None:
    _on(key, value)
    rules.draft.add(key, _SWITCHES[key])


def _disjoint(rules: Rules, key: str, value: object) -> None:
    _on(key, value)
    boxes = default_boxes(rules.draft.board)
    if boxes is None or set(rules.boxes) != {house.cells for house in boxes.houses(rules.draft.board)}:
        rules.draft.doubt(f"{key} has no meaning that we know for regions that are no boxes")
    else:
        rules.draft.add(key, regions.DisjointGroups(boxes.height, boxes.width))


def _line(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        for path in rules.lines(entry, where):
            if key == "entropicline" and rules.n % 3:
                rules.draft.doubt(f"{where}: {rules.n} digits cannot be cut into low, middle and high ones")
            elif key == "doublearrow" and len(path) == 2:
                rules.draft.doubt(f"{where} has nothing between its ends")
            elif key in _TWO_ENDS and path[0] == path[-1]:
                raise UsageError(f"{where} ends where it begins")
            elif key == "thermometer" and len(set(path)) < len(path):
                raise UsageError(f"{where} comes back to a cell")
            elif key in ("modularline", "entropicline") and any(path[i] == path[i + 2] for i in range(len(path) - 2)):
                raise UsageError(f"{where} turns back to a cell")
            else:
                rules.draft.add(where, _LINES[key](path))


def _whispers(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        difference = rules.number(entry, where, (rules.n + 1) // 2) or 0
        rules.draft.bounded(where, difference, 0, rules.n - 1)
        for path in rules.lines(entry, where):
            rules.draft.add(where, lines.Whisper(cells=path, difference=difference))


def _region_sums(rules: Rules, key: str, value: object) -> None:
    region_of = {cell: place for place, box in enumerate(rules.boxes) for cell in box}
    for where, entry in entries(key, value):
        for path in rules.lines(entry, where):
            if any(cell not in region_of for cell in path):
                rules.draft.doubt(f"{where} passes a cell without a region")
                continue
            visits = tuple(tuple(visit) for _, visit in groupby(path, key=region_of.__getitem__))
            if len(visits) > 1:
                rules.draft.add(where, sums.EqualSums(visits))


def _killer(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        # a sum of 0 is none
        total = rules.number(entry, where) or None
        rules.draft.add(where, sums.Killer(total, rules.cells(entry.get("cells"), where)))


def _little_killer(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        direction = entry.get("direction")
        if not isinstance(direction, str) or direction not in _STEPS:
            raise UsageError(f"{where}: the direction is {shown(direction)}, not UL, UR, DL or DR")
        cells = rules.walk(*rules.place(entry.get("cell"), where, margin=1), *_STEPS[direction], where)
        if entry.get("cells") and set(rules.cells(entry["cells"], where)) != set(cells):
            rules.draft.doubt(f"{where} lists other cells than those in its direction")
        if total := rules.number(entry, where):
            rules.draft.bounded(where, total, len(cells), len(cells) * rules.n)
            rules.draft.add(where, sums.LittleKiller(total, cells))


def _outside(rules: Rules, key: str, value: object) -> None:
    n = rules.n
    kind, low, high = {
        "sandwichsum": (outside.Sandwich, 0, sum(range(2, n))),
        "xsum": (outside.XSum, 1, sum(range(1, n + 1))),
        "skyscraper": (outside.Skyscraper, 1, n),
    }[key]
    for where, entry in entries(key, value):
        row, column = rules.place(entry.get("cell"), where, margin=1)
        rules.marked.add((row, column))
        # from the corners it looks at nothing
        down, right = (row < 0) - (row >= n), (column < 0) - (column >= n)
        cells = rules.walk(row, column, 0 if right else down, right, where)
        if (number := rules.number(entry, where)) is not None:
            rules.draft.add(where, kind(rules.draft.bounded(where, number, low, high), cells))


def _arrow(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        circle = tuple(sorted(rules.cells(entry.get("cells"), where)))
        for path in rules.lines(entry, where):
            if path[0] not in circle:
                rules.draft.doubt(f"{where} has a line that does not begin in its circle")
            rules.draft.add(where, sums.Arrow(circle, path[1:]))


def _difference(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        difference = rules.draft.bounded(where, rules.number(entry, where, 1) or 0, 0, rules.n - 1)
        rules.draft.add(where, pairs.Difference(rules.cells(entry.get("cells"), where, 2), difference))


def _ratio(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        ratio = rules.draft.bounded(where, rules.number(entry, where, 2) or 0, 1, rules.n)
        rules.draft.add(where, pairs.Ratio(rules.cells(entry.get("cells"), where, 2), ratio))


def _xv(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        cells = rules.cells(entry.get("cells"), where, 2)
        letter = entry.get("value")
        if isinstance(letter, str) and letter.upper() in ("X", "V"):
            rules.draft.add(where, pairs.PairSum(cells, 10 if letter.upper() == "X" else 5))
        elif not says_nothing(letter):
            rules.draft.doubt(f"{where} has the value {shown(letter)}, neither X nor V")


def _nonconsecutive(rules: Rules, key: str, value: object) -> None:
    _on(key, value)
    rules.draft.add(key, pairs.NonConsecutive(_marked_pairs(rules, "difference", "ratio")))


def _negative(rules: Rules, key: str, value: object) -> None:
    for kind in dict.fromkeys(shown(kind) for kind in items(value, key)):
        if kind == "'ratio'":
            found = {rules.number(entry, where, 2) or 2 for where, entry in entries("ratio", rules.data.get("ratio"))}
            marked = _marked_pairs(rules, "difference", "ratio")
            rules.draft.add(key, pairs.NoRatio(marked, tuple(sorted(found)) or (2,)))
        elif kind == "'xv'":
            rules.draft.add(key, pairs.NoPairSum(_marked_pairs(rules, "xv"), (5, 10)))
        else:
            rules.draft.doubt(f"the negative rule {kind} is unknown")


def _marked_pairs(rules: Rules, *keys: str) -> tuple[Cells, ...]:
    found = (
        tuple(sorted(rules.cells(entry.get("cells"), where, 2)))
        for key in keys
        for where, entry in entries(key, rules.data.get(key))
    )
    return tuple(dict.fromkeys(found))


def _clone(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        first = rules.cells(entry.get("cells"), where)
        rules.draft.add(where, pairs.Clone((first, rules.cells(entry.get("cloneCells"), f"the clone of {where}"))))


def _quadruple(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        cells = rules.cells(entry.get("cells"), where)
        values = [whole(one, where) for one in items(entry.get("values"), f"the values of {where}")]
        if values:
            bounded = tuple(rules.draft.bounded(where, one, 1, rules.n) for one in values)
            rules.draft.add(where, digits.Contains(bounded, tuple(dict.fromkeys(cells))))


def _extreme(rules: Rules, key: str, value: object) -> None:
    kind = pairs.Minimum if key == "minimum" else pairs.Maximum
    found = {rules.cell(entry.get("cell"), where): where for where, entry in entries(key, value)}
    for cell, where in found.items():
        near = (other for pair in rules.draft.board.neighbours() if cell in pair for other in pair if other != cell)
        rules.draft.add(where, kind(cell, tuple(other for other in near if other in found)))


def _parity(rules: Rules, key: str, value: object) -> None:
    found = tuple([rules.cell(entry.get("cell"), where) for where, entry in entries(key, value)])
    rules.draft.add(key, (digits.Odd if key == "odd" else digits.Even)(tuple(dict.fromkeys(found))))


def _extra_region(rules: Rules, key: str, value: object) -> None:
    for where, entry in entries(key, value):
        rules.draft.add(where, regions.ExtraRegion(tuple(dict.fromkeys(rules.cells(entry.get("cells"), where)))))


def _indexer(rules: Rules, key: str, value: object) -> None:
    n = rules.n
    for where, entry in entries(key, value):
        for cell in rules.cells(entry.get("cells"), where):
            row, column = divmod(cell, n)
            rules.marked.add((row, column))
            match key:
                case "rowindexer":
                    line, number = tuple(range(column, n * n, n)), row + 1
                case "columnindexer":
                    line, number = tuple(range(row * n, row * n + n)), column + 1
                case _:
                    line = next((box for box in rules.boxes if cell in box), ())
                    if not line:
                        raise UsageError(f"{where}: {rules.draft.board.cell_name(cell)} is in no box")
                    number = line.index(cell) + 1
            rules.draft.add(where, places.Indexer(number, cell, line))


RULES: Mapping[str, Callable[[Rules, str, object], None]] = {
    **dict.fromkeys(_SWITCHES, _switch),
    **dict.fromkeys(_LINES, _line),
    **dict.fromkeys(("sandwichsum", "xsum", "skyscraper"), _outside),
    **dict.fromkeys(("minimum", "maximum"), _extreme),
    **dict.fromkeys(("odd", "even"), _parity),
    **dict.fromkeys(("rowindexer", "columnindexer", "boxindexer"), _indexer),
    "disjointgroups": _disjoint,
    "whispers": _whispers,
    "regionsumline": _region_sums,
    "killercage": _killer,
    "littlekillersum": _little_killer,
    "arrow": _arrow,
    "difference": _difference,
    "ratio": _ratio,
    "xv": _xv,
    "nonconsecutive": _nonconsecutive,
    "negative": _negative,
    "clone": _clone,
    "quadruple": _quadruple,
    "extraregion": _extra_region,
}
"""The function that reads each key. It gets the file's rules, the key, and its value, which is not empty."""
