"""Sudoku as a mathematical model: solve, maximise with a proof, count, export, compare.

A puzzle is a `Puzzle`, a text in nearly any form, or rows of digits, such as a NumPy array:

>>> import ringdoku
>>> puzzle = ringdoku.parse("1...\\n.2..\\n....\\n...3\\n")

Functions ask one question each. Every grid and score is checked before you get it:

>>> ringdoku.solve(puzzle).status.value
'satisfiable'
>>> ringdoku.solve("1...\\n.1..\\n....\\n....\\n").status.value
'infeasible'
>>> best = ringdoku.maximise(puzzle)
>>> best.score, best.bound, best.status.value
(250, 250, 'optimal')
>>> ringdoku.count_solutions(puzzle)
6
>>> ringdoku.candidates(puzzle)[1]
(3, 4)
>>> best.grid[0, 0], len(best.grid), sum(map(sum, best.grid))
(1, 4, 40)

A `Session` has the functions as methods and keeps its solver between many puzzles. `ringdoku.exports` writes models for
other solvers, `ringdoku.compare` measures them; `classic`, `Ruleset` and `ringdoku.constraints` are for other rules.
"""

from threading import RLock

import lazy_loader

__version__ = "0.2.0"
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
_lock = RLock()


def __getattr__(name: str) -> object:
    # one thread at a time: Python raises an error if two threads import modules in opposite orders
    with _lock:
        return _load(name)
