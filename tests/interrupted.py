"""Run as a program with a backend's name: questions that take too long, cut short by a limit and by Ctrl-C.

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


def main(name: str) -> None:
    # a program started in the background of a shell ignores SIGINT
    signal.signal(signal.SIGINT, signal.default_int_handler)
    session = Session(name)
    for question in questions(session):
        print("limited", question(TIME_LIMIT).status.value, flush=True)
        for _ in range(2):
            print("asking", flush=True)
            try:
                print("answered", question(None).status.value, flush=True)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
    print("afterwards", session.solve(Puzzle.blank(4)).status.value, flush=True)


def questions(session: Session) -> list[Callable[[float | None], Result]]:
    best = random_puzzle(classic(25), TARGET_CLUES, seed=1)
    hard = searched_puzzle(49, CLUES, seed=1)
    if Ability.OPTIMISE in BACKENDS[session.backend].abilities:
        return [lambda limit: session.maximise(best, ring_weights(best.board), limit)]
    return [lambda limit: session.solve(hard, limit)]


if __name__ == "__main__":
    main(sys.argv[1])
