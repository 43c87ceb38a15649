"""Writes links as other programs do, for tests of what reads them."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from conftest import cases_in

from ringdoku.constraints.registry import shape_in, with_rules, write_rules
from ringdoku.domain import Boxes, Lines, Ruleset, plain_rules, write_constraint
from ringdoku.links import ImportedPuzzle
from ringdoku.links.compression import compress, deflate
from ringdoku.links.penpa import CODES
from ringdoku.links.sudokupad import NAMES

FOLDER = Path(__file__).parent.parent / "fixtures" / "links"


def cases(program: str) -> list[tuple[str, list[str]]]:
    """The cases of a program: texts, each with the lines that say what it is read as."""
    return cases_in(FOLDER / f"{re.sub('[^a-z]', '', program.lower())}.txt")


def fpuzzles(size: int = 9, clues: str = "", **keys: Any) -> dict[str, Any]:
    """An f-puzzles file; `clues` has a character for each cell."""
    grid: list[list[dict[str, Any]]] = [[{} for _ in range(size)] for _ in range(size)]
    for place, digit in enumerate(clues):
        if digit != ".":
            grid[place // size][place % size] = {"value": int(digit), "given": True}
    return {"size": size, "grid": grid, **keys}


def fpuzzles_link(file: dict[str, Any]) -> str:
    """The link of an f-puzzles file."""
    return f"https://www.f-puzzles.com/?load={compress(json.dumps(file))}"


def sudokupad(size: int = 9, height: int = 3, clues: str = "", **keys: Any) -> dict[str, Any]:
    """A SudokuPad file with boxes of `height` rows."""
    cells: list[list[dict[str, Any]]] = [[{} for _ in range(size)] for _ in range(size)]
    for place, digit in enumerate(clues):
        if digit != ".":
            cells[place // size][place % size] = {"value": int(digit)}
    width = size // height
    regions: list[list[list[int]]] = [[] for _ in range(size)]
    for row in range(size):
        for column in range(size):
            regions[row // height * height + column // width].append([row, column])
    return {"cellSize": 50, "cells": cells, "regions": regions, **keys}


def zipped(file: dict[str, Any]) -> str:
    """A SudokuPad file in zipped JSON."""
    short = {name: letters for letters, name in NAMES.items()}

    def shorten(value: Any) -> Any:
        if isinstance(value, list):
            return [shorten(entry) for entry in value]
        if isinstance(value, dict):
            return {short.get(key, key): shorten(entry) for key, entry in value.items()}
        return value

    text = json.dumps(shorten(file), separators=(",", ":"))
    text = re.sub(r'([,{\[])"([a-zA-Z0-9]+)":', r"\1\2:", text)
    text = re.sub(r"([,{\[]){}(?=[,}\]])", r"\1", text)
    text = re.sub(r":true(?=[,}\]])", ":t", re.sub(r":false(?=[,}\]])", ":f", text))
    text = text.replace(':"#000000"', ":#0").replace(':"#FFFFFF"', ":#F")
    text = re.sub(r':"#([0-9a-fA-F]{6})"', r":\1", text)
    return text.replace("'", "\\'").replace('"', "'")


def sudokupad_link(file: dict[str, Any]) -> str:
    """The link of a SudokuPad file."""
    return f"https://sudokupad.app/scl{compress(zipped(file))}"


def penpa_link(layer: dict[str, Any], side: int = 4, margin: int = 0, **texts: str) -> str:
    """The link of a Penpa+ file; the texts are its `rules`, its `title`, its `kind` of grid, and a `solution`, which
    has a digit for each cell."""
    title, rules = (_coded(texts.get(key, "")) for key in ("title", "rules"))
    across = side + margin
    stride = across + 4
    header = [texts.get("kind", "sudoku"), str(across), str(across), "38", *["0"] * 11]
    header += [f"Title: {title}", "Author: A", "source, of 2 parts", rules, "OFF", "false"]
    points = [(row + margin + 2) * stride + column + margin + 2 for row in range(side) for column in range(side)]
    steps = [points[0], *(after - before for before, after in pairwise(points))]
    lines = [",".join(header), "[0,0,0,0]", "[]", json.dumps(layer), "", json.dumps(steps)]
    text = "\n".join(lines).replace("z", "zZ")
    for code, plain in CODES.items():
        text = text if code == "Z" else text.replace(plain, f"z{code}")
    link = f"https://swaroopg92.github.io/penpa-edit/#m=solve&p={deflate(text)}"
    if "solution" not in texts:
        return link
    digits = [f"{point},{digit}" for point, digit in zip(points, texts["solution"], strict=True)]
    return f"{link}&a={deflate(json.dumps([[], [], [], [], digits]))}"


def _coded(text: str) -> str:
    return text.replace(",", "%2C").replace("\n", "%2D").replace("=", "%2F")


def written(shared: ImportedPuzzle) -> list[str]:
    """The rules of a puzzle in our text form, but lines and boxes."""
    rules = shared.puzzle.ruleset
    return [write_constraint(rule, rules.board) for rule in rules.constraints if not isinstance(rule, Lines | Boxes)]


def rules_again(ruleset: Ruleset) -> Ruleset:
    """The rules written in our text form and read."""
    lines = write_rules(ruleset)
    return with_rules(plain_rules(ruleset.board, shape_in(lines)[1]), *lines)
