"""Run as a program with names of backends: questions that take too long, cut short by a limit and by Ctrl-C.

Writes a line before each question and a line about how it ended.
"""

import signal
import sys
from collections.abc import Callable

from puzzles import random_puzzle, searched_puzzle

from ringdoku import Puzzle, Result, Session, classic, ring_weights
from ringdoku.solvers.registry import BACKENDS, Ability

CLUES = 1080
"""Of 2401 cells: about as hard as a 49×49 puzzle can be."""

TARGET_CLUES = 200
"""Of 625 cells: nobody proves the best score of these in minutes."""

TIME_LIMIT = 0.1


BEST = random_puzzle(classic(25), TARGET_CLUES, seed=1)
HARD = searched_puzzle(49, CLUES, seed=1)


def main(name: str) -> None:
    session = Session(name)
    question = question_of(session)
    print(name, "limited", question(TIME_LIMIT).status.value, flush=True)
    for _ in range(2):
        print(name, "asking", flush=True)
        try:
            print(name, "answered", question(None).status.value, flush=True)
        except KeyboardInterrupt:
            print(name, "interrupted", flush=True)
    print(name, "afterwards", session.solve(Puzzle.blank(4)).status.value, flush=True)


def question_of(session: Session) -> Callable[[float | None], Result]:
    if Ability.OPTIMISE in BACKENDS[session.backend].abilities:
        return lambda limit: session.maximise(BEST, ring_weights(BEST.board), limit)
    return lambda limit: session.solve(HARD, limit)


if __name__ == "__main__":
    # a program started in the background of a shell ignores SIGINT
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for asked in sys.argv[1:]:
        main(asked)
