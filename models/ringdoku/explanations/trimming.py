"""Without the steps that later ones do not use: the backward pass over a way to a contradiction.

I. Bleukx, J. Devriendt, E. Gamba, B. Bogaerts and T. Guns, "Simplifying step-wise explanation sequences", CP 2023.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ringdoku.explanations.checker import after, cells_of
from ringdoku.explanations.field import Field
from ringdoku.explanations.inferences import Candidates, HouseTruth, Inference, RuleTruth
from ringdoku.explanations.techniques import name_of


def trimmed(made: Field, start: Candidates, steps: Sequence[Inference], end: Inference) -> tuple[Inference, ...]:
    """The steps on which `end` depends, named anew: among fewer steps a full house may be none."""
    needed = _uses(made, end)
    kept: list[Inference] = []
    for step in reversed(steps):
        if made.union(step.removed) & needed:
            kept.append(step)
            needed |= _uses(made, step)
    kept.reverse()
    named, left = [], start
    for step in kept:
        removed = tuple((cell, digit) for cell, digit in step.removed if digit in left[cell])
        step = replace(step, removed=removed)
        named.append(replace(step, name=name_of(made.ruleset, left, step)))
        left = after(left, step)
    return tuple(named)


def _uses(made: Field, step: Inference) -> int:
    """Candidates whose absence a step may rest on: all that would satisfy its truths."""
    used = 0
    for case in step.cases:
        used |= _uses(made, case.end)
        for inner in case.inferences:
            used |= _uses(made, inner)
    if step.cases:
        return used
    for truth in step.truths:
        if isinstance(truth, RuleTruth):
            for cell in cells_of(truth, made.ruleset):
                used |= made.cell_bits[cell]
        elif isinstance(truth, HouseTruth):
            for cell in made.ruleset.units[truth.unit].cells:
                used |= made.cell_bits[cell]
        else:
            used |= made.bits_of[truth]
    return used
