"""Puzzles as text and links of sigh's Interactive Sudoku Solver, such as `.Cage~10~R1C1~R1C2.~R3C3_5`.

A text may have several parts, which blank lines separate; a part is tokens or one of the plain forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from ringdoku.constraints.digits import AllowedDigits
from ringdoku.constraints.logic import Either
from ringdoku.constraints.regions import Regions
from ringdoku.domain.constraint import Boxes, Constraint, Lines, refuse_constraint
from ringdoku.domain.errors import LinkError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.links import killer, plain
from ringdoku.links.iss_board import ABOUT_THE_BOARD, LABELS, IssBoard, number_of
from ringdoku.links.iss_chaos import OF_EXTRA_CELLS, OF_LABELS, ONLY_LABELS
from ringdoku.links.iss_codes import numbers_of
from ringdoku.links.iss_rules import ABOUT_ALL, NOT_RAW, OUTSIDE, unmarked
from ringdoku.links.iss_text import GROUPS, Group, Node, Token, nodes_of, parts_of, text_of_link, tokens_of
from ringdoku.links.iss_tokens import ABOUT_CELLS, CODED, Meaning

MOST_TOKENS = 20_000
"""The most tokens, counted as often as groups repeat them."""

MARKS = ("StrictKropki", "StrictXV")

MEANINGS: Mapping[str, Meaning] = {**ABOUT_CELLS, **OUTSIDE, **ABOUT_ALL, **OF_EXTRA_CELLS}

NAMES = frozenset({*MEANINGS, *MARKS, *ABOUT_THE_BOARD, *GROUPS})

IN_GROUPS = frozenset({"", *ABOUT_CELLS, *OUTSIDE})
"""Tokens that may be in a group. Others are for the whole puzzle."""


_START = re.compile(r"\.+\s*(?:([A-Za-z]+)\s*([.~]?)|~\s*[A-Za-z0-9]+_)")


def is_iss(text: str) -> bool:
    """Whether a text starts with a token, unlike a line of letters and dots."""
    found = _START.match(text)
    return bool(found and (found[1] is None or found[2] == "~" or (len(found[1]) > 1 and found[1] in NAMES)))


def read_iss(text: str) -> Puzzle:
    """The puzzle of a text or link. Raises `LinkError`, which names the token that is wrong or not supported."""
    nodes: list[Node] = []
    puzzles: list[Puzzle] = []
    for part in parts_of(text_of_link(text)):
        puzzle = _plain(part)
        if puzzle is None:
            nodes += nodes_of(part, 1 + sum(1 for _ in tokens_of(nodes)))
        else:
            puzzles.append(puzzle)
            nodes += _as_tokens(puzzle.ruleset)
    if not nodes:
        raise LinkError("there is no puzzle in the text")
    tokens = list(tokens_of(nodes))
    builder = _Builder(IssBoard.of_tokens(tokens))
    for puzzle in puzzles:
        builder.add_puzzle(puzzle)
    builder.add(nodes)
    return builder.puzzle()


def _plain(part: str) -> Puzzle | None:
    """The puzzle of a part in a plain form; None for tokens."""
    squeezed = "".join(part.split())
    if killer.is_short_killer(squeezed):
        return killer.read_short_killer(squeezed)
    if killer.is_sumocue(squeezed):
        return killer.read_sumocue(squeezed)
    if squeezed.startswith("="):
        return plain.read_givens(squeezed[1:])
    for reader in (plain.read_jigsaw, plain.read_givens, plain.read_numbers, plain.read_candidates):
        with suppress(LinkError):
            if len(squeezed) > 1:
                return reader(part)
    return None


def _as_tokens(ruleset: Ruleset) -> Iterator[Token]:
    """The tokens about the board that a plain part stands for."""
    yield Token(0, "Shape", (f"{ruleset.board.rows}x{ruleset.board.columns}",))
    for constraint in ruleset.constraints:
        if isinstance(constraint, Regions):
            every = zip("ABCDEFGHIJKLMNOP", constraint.regions, strict=False)
            letters = sorted((cell, letter) for letter, cells in every for cell in cells)
            yield Token(0, "Jigsaw", ("".join(letter for _, letter in letters),))
            yield Token(0, "NoBoxes", ())


class _Builder:
    def __init__(self, board: IssBoard) -> None:
        self._board = board
        self._constraints: list[Constraint] = []
        self._given: dict[int, list[set[int]]] = {}
        self._marks: list[Token] = []
        self._count = 0

    def puzzle(self) -> Puzzle:
        """The constraints so far, with the default rules."""
        board = self._board.whole
        found = [*self._board.base, *self._constraints, *self._board.added]
        for token in self._marks:
            with _naming(token):
                found += unmarked(token.name, self._constraints)
        clues = [board.blank] * board.cell_count
        cells_of: dict[tuple[int, ...], list[int]] = {}
        for cell, given in self._given.items():
            left = set.intersection(*given)
            if len(left) == 1:
                clues[cell] = min(left)
                continue
            # if none is left, contradictory candidates state that
            for digits in [left] if left else given:
                cells_of.setdefault(tuple(sorted(digits)), []).append(cell)
        found += (AllowedDigits(digits, tuple(cells)) for digits, cells in cells_of.items())
        return Puzzle(Ruleset(board, tuple(dict.fromkeys(found))), Grid(tuple(clues), board))

    def add_puzzle(self, puzzle: Puzzle) -> None:
        """The clues of a part, and its rules except those of the board."""
        for cell, clue in enumerate(puzzle.clues.digits):
            if clue != puzzle.board.blank:
                self._given.setdefault(cell, []).append({clue})
        rules = puzzle.ruleset.constraints
        self._constraints += (rule for rule in rules if not isinstance(rule, Lines | Boxes | Regions))

    def add(self, nodes: Sequence[Node]) -> None:
        """Tokens and groups at the top level."""
        for node in nodes:
            if isinstance(node, Token) and not node.name:
                with _naming(node):
                    for cell, digits in self._givens(node):
                        self._given.setdefault(cell, []).append(digits)
            elif isinstance(node, Token) and node.name in MARKS:
                self._marks.append(node)
            else:
                self._constraints += self._meaning(node)

    def _givens(self, token: Token) -> Iterator[tuple[int, set[int]]]:
        for word in token.arguments:
            name, *digits = word.split("_")
            found = {number_of(digit, word) for digit in digits}
            if not found or not found <= set(self._board.board.digits):
                raise LinkError(f"{word}: digits of {self._board.board} are expected")
            if self._board.group_of(self._board.cell(name)).prefix == LABELS:
                raise LinkError(f"{word}: regions are not numbered in any order that a clue may go by")
            yield self._board.cell(name), found

    def _meaning(self, node: Node) -> list[Constraint]:
        """The constraints of a token or a group."""
        token = node.token if isinstance(node, Group) else node
        self._count += 1
        if self._count > MOST_TOKENS:
            raise LinkError(f"{token}: there are more than {MOST_TOKENS} tokens, with those that groups repeat")
        with _naming(token):
            if isinstance(node, Token):
                return self._of_token(node)
        return self._of_group(node)

    def _of_group(self, group: Group) -> list[Constraint]:
        for node in group.nodes:
            if isinstance(node, Token) and node.name not in IN_GROUPS:
                raise LinkError(f"{node}: this cannot stand in a group")
        match group.token.name:
            case "Or":
                return [Either(tuple(tuple(self._meaning(node)) for node in group.nodes))]
            case "And":
                return [constraint for node in group.nodes for constraint in self._meaning(node)]
        with _naming(group.token):
            targets, name, *_ = (*group.token.arguments, "", "R1C1")
            origin = self._board.cell(name or "R1C1")
            copies = [origin + number for number in numbers_of(targets)]
            if copies and copies[-1] not in self._board.group_of(origin).cells:
                raise LinkError("the last copy would be off the board")
        return [
            constraint
            for target in copies
            for node in group.nodes
            for constraint in self._meaning(self._shifted(node, origin, target))
        ]

    def _shifted(self, node: Node, origin: int, target: int) -> Node:
        """The same constraint with all cells moved from the origin to the target."""
        if isinstance(node, Group):
            return Group(node.token, tuple(self._shifted(inner, origin, target) for inner in node.nodes))
        words = list(node.arguments)
        with _naming(node):
            for place in range(1 if node.name in CODED else 0, len(words)):
                name, mark, digits = words[place].partition("_")
                cell = self._board.find(name)
                if cell is not None:
                    words[place] = self._board.name(self._board.shifted(cell, origin, target)) + mark + digits
        return Token(node.number, node.name, tuple(words))

    def _of_token(self, token: Token) -> list[Constraint]:
        name = token.name
        if name in ABOUT_THE_BOARD and name not in ABOUT_ALL:
            return []
        if not name:
            return [AllowedDigits(tuple(sorted(digits)), (cell,)) for cell, digits in self._givens(token)]
        if self._board.raw and name in NOT_RAW:
            raise LinkError("this makes no sense on a raw board")
        meaning = MEANINGS.get(name)
        if meaning is None:
            raise LinkError("this token is unknown or not supported")
        self._refuse_labels(token)
        found = list(meaning(self._board, list(token.arguments)))
        for constraint in found:
            refuse_constraint(constraint, self._board.board)
        return found

    def _refuse_labels(self, token: Token) -> None:
        """Raise `LinkError` for a token that depends on how regions are numbered."""
        cells = [cell for cell in map(self._board.find, token.arguments) if cell is not None]
        labels = {self._board.group_of(cell).prefix == LABELS for cell in cells}
        if True in labels and (token.name not in OF_LABELS or (False in labels and token.name in ONLY_LABELS)):
            raise LinkError("regions are not numbered in any order that a token may go by")


@contextmanager
def _naming(token: Token) -> Iterator[None]:
    """Errors inside this context name the token."""
    try:
        yield
    except UsageError as error:
        raise error if str(error).startswith("token ") else LinkError(f"{token}: {error}") from None
