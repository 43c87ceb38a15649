"""Coloured cells without a typed rule, and whether the rules text mentions them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ringdoku.constraints.pairs import Clone, Maximum, Minimum
from ringdoku.constraints.regions import ExtraRegion, Regions, Windoku
from ringdoku.links.shared import Draft, shown

_COLOUR = "gr[ae]y|black|white|red|blue|green|yellow|orange|pink|purple|violet|cyan|brown|teal|magenta|golden|lilac"
_THING = "cells?|squares?|regions?|areas?|box(?:es)?|shapes?|rows?|columns?|digits?|numbers?|tiles?"
_NAMED = re.compile(
    rf"shad(?:ed|ing)|colou?r|highlight|tinted|\b(?:{_COLOUR})(?: |-)(?:\w+(?: |-)){{0,2}}(?:{_THING})", re.IGNORECASE
)


def doubt_shading(draft: Draft, colours: Mapping[str, set[int]]) -> None:
    """Note each colour whose cells are not those of a typed rule, if the rules text speaks of coloured cells.

    If the rules text does not mention colours, they are decoration.
    """
    if not _NAMED.search(draft.rules):
        return
    groups = [set(group) for group in _shaded_groups(draft)]
    single = {rule.cell for rule in draft.constraints if isinstance(rule, Minimum | Maximum)}
    for colour, cells in colours.items():
        rest = cells - single
        for group in groups:
            rest -= group if group <= cells else set()
        if rest:
            names = " ".join(draft.board.cell_name(cell) for cell in sorted(rest)[:5])
            more = f" and {len(rest) - 5} more" if len(rest) > 5 else ""
            found = f"{shown(colour)} in {names}{more}"
            draft.doubt(f"the rules text speaks of colours, but {found} belongs to no typed rule")


def _shaded_groups(draft: Draft) -> list[tuple[int, ...]]:
    groups: list[tuple[int, ...]] = []
    for rule in draft.constraints:
        match rule:
            case Clone(found) | Regions(found):
                groups += found
            case ExtraRegion(cells):
                groups.append(cells)
            case Windoku():
                groups += [house.cells for house in rule.houses(draft.board)]
    return groups
