"""A path through a decision diagram, with a variable for each state that a prefix of the line can reach (Quimper and
Walsh, "Global grammar constraints", CP 2006; Abío, Gange, Mayer-Eichberger and Stuckey, "On CNF encodings of decision
diagrams", CPAIOR 2016).

Forwards: a state and a digit imply the next state, or exclude each other where there is no edge. Backwards: a state
implies one of the digits that lead to it; a state and a digit imply one of the states before it; a digit implies one of
the states that allow it.
"""

from __future__ import annotations

from ringdoku.domain.primitives import Diagram
from ringdoku.sat.rules.clauses import RuleClauses


def encode(diagram: Diagram, clauses: RuleClauses) -> None:
    """The digits of the cells are the labels of a path."""
    diagram = _possible(diagram, clauses)
    if not all(diagram.layers):
        clauses.add([])
        return
    # the start is always reached, and so is the only state of a layer: they need no variable
    states: list[int | None] = [None]
    last = len(diagram.layers) - 1
    for place, (cell, layer) in enumerate(zip(diagram.cells, diagram.layers, strict=True)):
        clauses.refuse_excess(diagram.name)
        count = 1 + max(after for _, _, after in layer)
        following: list[int | None] = [None] * count if count == 1 else list(clauses.variables(count))
        if place == last:
            # every last state accepts
            following = [None] * count
        _layer(cell, layer, states, following, clauses)
        states = following


def _possible(diagram: Diagram, clauses: RuleClauses) -> Diagram:
    """Only the paths that the candidates allow, with new numbers for states. If there is none, no layer has edges."""
    digits = [frozenset(digit for digit, _ in clauses.candidates(cell)) for cell in diagram.cells]
    forwards, alive = [], {0}
    for layer, candidates in zip(diagram.layers, digits, strict=True):
        edges = [edge for edge in layer if edge[0] in alive and edge[1] in candidates]
        forwards.append(edges)
        alive = {after for _, _, after in edges}
    layers = []
    for edges in reversed(forwards):
        kept = [edge for edge in edges if edge[2] in alive]
        layers.append(kept)
        alive = {state for state, _, _ in kept}
    numbers, numbered = {0: 0}, []
    for edges in reversed(layers):
        following: dict[int, int] = {}
        numbered.append(tuple((numbers[s], d, following.setdefault(after, len(following))) for s, d, after in edges))
        numbers = following
    return Diagram(diagram.cells, tuple(numbered), diagram.name)


def _layer(
    cell: int,
    layer: tuple[tuple[int, int, int], ...],
    states: list[int | None],
    following: list[int | None],
    clauses: RuleClauses,
) -> None:
    literals = dict(clauses.candidates(cell))
    by_state: dict[int, dict[int, int]] = {}
    by_digit: dict[int, list[int]] = {}
    by_next: dict[int, dict[int, list[int]]] = {}
    for state, digit, after in layer:
        by_state.setdefault(state, {})[digit] = after
        by_digit.setdefault(digit, []).append(state)
        by_next.setdefault(after, {}).setdefault(digit, []).append(state)

    def some(members: list[int]) -> list[int] | None:
        """The literals for "one of these states is reached"; None if that is certain."""
        found = [states[member] for member in members]
        return None if None in found else [state for state in found if state is not None]

    for state, variable in enumerate(states):
        before = [] if variable is None else [-variable]
        edges = by_state.get(state, {})
        for digit, literal in literals.items():
            if digit not in edges:
                clauses.add([*before, -literal])
            elif (target := following[edges[digit]]) is not None:
                clauses.add([*before, -literal, target])
        if before and len(edges) < len(literals):
            clauses.add([*before, *(literals[digit] for digit in edges)])
    for digit, literal in literals.items():
        if (part := some(by_digit.get(digit, []))) is not None:
            clauses.add([-literal, *part])
    for after, variable in enumerate(following):
        if variable is None:
            continue
        digits = by_next.get(after, {})
        clauses.add([-variable, *(literals[digit] for digit in digits)])
        for digit, members in digits.items():
            if (part := some(members)) is not None:
                clauses.add([-variable, -literals[digit], *part])
