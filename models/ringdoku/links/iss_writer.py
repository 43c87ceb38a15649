"""Write puzzles as texts of sigh's Interactive Sudoku Solver, which `links.iss` reads.

A token is a list here: its name and its arguments.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain

from ringdoku.constraints import outside, pairs, regions
from ringdoku.constraints.logic import Either, Language, primitives_with_houses
from ringdoku.constraints.unknown import Connected, OneRegion, UnknownRegions
from ringdoku.domain import Board, Puzzle, UsageError, primitives, refuse
from ringdoku.domain.constraint import Boxes, Constraint, Lines, codecs_of, write_constraint
from ringdoku.links.automata import pack
from ringdoku.links.iss import ALPHABET, KINDS, UNMARKED, IssBoard, Token, box_of, rules_of_token, rules_of_unmarked


def write_iss(puzzle: Puzzle) -> str:
    """The text of a puzzle. A rule that has no token is stated by relations, sums and automata. Raises `UsageError` for
    a board that ISS does not have, and for the first rule that it cannot state."""
    board, remaining = puzzle.board, list(puzzle.ruleset.constraints)
    found = _board_tokens(board, remaining)
    try:
        writer = _Writer(IssBoard([Token(0, name, tuple(words)) for name, *words in found]), remaining)
    except UsageError as error:
        raise UsageError(f"ISS has no board of {board}: {str(error).rpartition(': ')[2]}") from None
    for name in UNMARKED:
        with suppress(UsageError):
            rules = rules_of_unmarked(name, remaining)
            if {*rules} <= {*remaining}:
                found.append([name])
                remaining = [rule for rule in remaining if rule not in rules]
    for rule in remaining:
        if isinstance(rule, UnknownRegions | Connected | OneRegion):
            raise UsageError(f"ISS texts with the rule {rule.text!r} are read, not written")
        try:
            found += writer.rule(rule)
        except UsageError as error:
            raise UsageError(f"ISS cannot state the rule {write_constraint(rule, board)!r}: {error}") from None
    found += (["", f"{writer.name(cell)}_{puzzle.clues.digits[cell]}"] for cell in puzzle.clues.filled)
    return "".join("." + "~".join(words) for words in _merge(found or [["Shape", "9x9"]]))


def _board_tokens(board: Board, remaining: list[Constraint]) -> list[list[str]]:
    """The tokens that `IssBoard` reads. The rules that they state are removed from `remaining`."""
    is_ruled = Lines() in remaining
    shape = ["Shape", f"{board.rows}x{board.columns}~{board.least}-{board.digits[-1]}", *([] if is_ruled else ["Raw"])]
    found = [shape] if shape != ["Shape", "9x9~1-9"] else []
    if board.extra:
        found.append(["Var", "X", "", str(len(board.extra))])
    if is_ruled:
        remaining.remove(Lines())
        found += _region_tokens(board, remaining)
    return found


def _region_tokens(board: Board, remaining: list[Constraint]) -> Iterator[list[str]]:
    """The tokens for boxes, for no boxes, and for the pieces of a jigsaw. Their rules are removed from `remaining`."""
    sides, size = (board.rows, board.columns), max(board.rows, board.columns)
    boxes = next((rule for rule in remaining if isinstance(rule, Boxes)), Boxes(1, 1))
    if boxes.height * boxes.width != size and box_of(*sides, boxes.height * boxes.width):
        yield ["RegionSize", str(boxes.height * boxes.width)]
    if box_of(*sides, size) == (boxes.height, boxes.width):
        remaining.remove(boxes)
    elif box_of(*sides, size):
        yield ["NoBoxes"]
    for rule in [rule for rule in remaining if isinstance(rule, regions.Regions)]:
        letter_of = {cell: letter for letter, region in zip(ALPHABET, rule.regions, strict=False) for cell in region}
        if len(letter_of) == board.grid_count and {*map(len, rule.regions)} == {size}:
            yield ["Jigsaw", "".join(letter_of[cell] for cell in range(board.grid_count))]
            remaining.remove(rule)
            break


class _Writer:
    """Writes rules. It tries possible arguments of a token (`_arguments_for`) until the rule is read from them; if that
    fails, it writes tokens for the primitives of the rule."""

    def __init__(self, iss: IssBoard, rules: Iterable[Constraint]) -> None:
        self._iss, self._board, self._rules = iss, iss.board, frozenset(rules)
        self.name = iss.names.__getitem__

    def rule(self, rule: Constraint, in_group: bool = False) -> Iterator[list[str]]:
        """The tokens of a rule. Raises `UsageError`."""
        if token := self._token(rule, in_group):
            yield token
            return
        match rule:
            case Either(cases):
                yield from _or_tokens([word for one in case for word in self.rule(one, True)] for case in cases)
            case regions.Diagonals(directions=("down", "up")):
                for part in (regions.DiagonalDown(), regions.DiagonalUp()):
                    yield from self.rule(part, in_group)
            case pairs.Clone(groups):
                same = map(dict.fromkeys, zip(*groups, strict=True))
                yield from (["SameValues", str(len(cells)), *map(self.name, cells)] for cells in same if len(cells) > 1)
            case pairs.Minimum(cell):
                # each cell is greater than the neighbours after it
                line = [cell, *(other for _, other in rule.related_pairs(self._board))]
                if line[1:]:
                    yield ["GreaterThan", *map(self.name, line if isinstance(rule, pairs.Maximum) else reversed(line))]
            case _:
                parts = primitives_with_houses((rule,), self._board)
                yield from chain.from_iterable(self._primitive(part, f"_{rule.text}") for part in parts)

    def _token(self, rule: Constraint, in_group: bool) -> list[str] | None:
        """A single token that is read as the rule, None if there is none."""
        if isinstance(rule, outside.Lunchbox | outside.Sandwich) and self._board.least != 1:
            return None  # ISS then looks for the ends at other distances
        # quadruples are looked for before sets of digits
        for name, kind in reversed([*KINDS.items()]):
            if type(rule) in kind.writes and kind.in_groups >= in_group:
                for words in _arguments_for(rule, self._iss):
                    with suppress(UsageError):
                        found = rules_of_token(Token(0, name, tuple(words)), self._iss)
                        # automata are numbered anew
                        if name == "NFA" or (rule in found and self._rules.issuperset({*found} - {rule})):
                            return [name, *words]
        return None

    def _primitive(self, primitive: primitives.Primitive, name: str) -> Iterator[list[str]]:
        """The tokens of a primitive; `name` is what ISS calls a relation or an automaton."""
        digits_ = self._board.digits
        match primitive:
            case primitives.Relation(one, other, allowed):
                yield ["Pair", _relation_code(allowed, self._board), name, self.name(one), self.name(other)]
            case primitives.Allowed(cell, allowed) if allowed:
                yield ["", "_".join([self.name(cell), *map(str, sorted(allowed))])]
            case primitives.AllDifferent(cells):
                yield ["AllDifferent", *map(self.name, cells)]
            case primitives.Linear(cells, factors, total) if cells:
                refuse(max(map(abs, factors)) > 100, "factors are at most 100")
                weights = [] if {*factors} == {1} else ["=", *map(str, factors)]
                yield ["Sum", "_".join([str(total), *weights]), *map(self.name, cells)]
            case primitives.Count(candidates, least, greatest):
                cells = tuple(dict.fromkeys(cell for cell, _ in candidates))

                def step(count: int, place: int, digit: int) -> int | None:
                    count += (cells[place], digit) in candidates
                    return count if count <= greatest else None

                every = primitives.diagram(cells, [digits_] * len(cells), 0, step, lambda count: count >= least)
                yield from self._primitive(every, name)
            case primitives.Diagram(cells, layers) if layers[-1]:
                edges, end = primitive.automaton()
                yield ["NFA", pack((end,), edges, digits_), name, *map(self.name, cells)]
            case primitives.OneOf(cases) if cases:
                yield from _or_tokens(chain.from_iterable(self._primitive(one, name) for one in case) for case in cases)
            case primitives.Linear(total=0):
                pass
            case _:
                # no grid satisfies the primitive, so a cell gets two digits
                yield from (["", f"{self.name(0)}_{digit}"] for digit in digits_[:2])


def _merge(tokens: Iterable[list[str]]) -> Iterator[list[str]]:
    """The tokens, with successive ones for allowed digits, or for the same relation, merged into one."""
    last: list[str] = []
    for words in tokens:
        prefix = {"": 1, "Pair": 3}.get(words[0], 0)
        if not prefix or words[:prefix] != last[:prefix]:
            yield from [last] if last else []
            last = words
        elif prefix == 1:
            last += words[1:]
        else:
            # a pair that starts with the last cell of a line continues it; another starts a new line
            last += words[4:] if words[3] == last[-1] else ["", *words[3:]]
    yield last


def _or_tokens(cases: Iterable[Iterable[list[str]]]) -> Iterator[list[str]]:
    return chain([["Or"]], *([["And"], *case, ["End"]] for case in cases), [["End"]])


def _relation_code(pairs_: Iterable[tuple[int, int]], board: Board) -> str:
    """The code of a relation as `iss.ALPHABET` has it: six pairs of digits a character."""
    numbers = {(first - board.least) * board.order + second - board.least for first, second in pairs_}
    starts = range(0, board.order**2, 6)
    return "".join(ALPHABET[sum(1 << bit for bit in range(6) if start + bit in numbers)] for start in starts)


def _arguments_for(rule: Constraint, iss: IssBoard) -> Iterator[list[str]]:
    """Yields arguments that a token may have for a rule with these fields; the caller finds the right ones."""
    numbers: list[str] = []
    cells: list[str] = []
    for field, codec in codecs_of(type(rule)).items():
        value = getattr(rule, field)
        parts = value if isinstance(value, tuple) else (value or 0,)
        if codec.is_number:
            numbers.append("_".join(map(str, parts)))
        else:
            for part in parts:
                cells += [iss.names[part]] if isinstance(part, int) else ["-", *(iss.names[cell] for cell in part)]
    cells = cells[cells[:1] == ["-"] :]
    first, together = cells[:1], [cell for cell in cells if cell != "-"]
    if isinstance(rule, Language):
        yield [pack(rule.ends, rule.edges, iss.board.digits), "_", *cells]
        return
    if isinstance(rule, pairs.Successive):
        numbers = [_relation_code(rule.pairs, iss.board), "_"]
    yield from ([], [*numbers, *first], [*numbers, *cells], cells, ["1"], ["-1"], ["R", *first], ["C", *first])
    yield from (["_=_".join(numbers), *cells], [*numbers, *cells, "LOOP"], [*first, *"_".join(numbers).split("_")])
    # how many cells are in a pill, or how many sets there are
    yield from ([str(count), *together] for count in range(1, len(together) + 1))
    for line, seen in iss.lines.items():
        if isinstance(rule, outside.Clue) and {*seen} == {*rule.cells}:
            yield from ([*numbers, line], [line, *numbers, ""], [line, "", *numbers])
