"""The process that answers the page: `python -m ringdoku_cli.page.worker`.

A question is a line of JSON on standard input. For each, lines `[kind, data]` go to standard output: `progress` any
number of times, then one `result` or `error`. Whatever a solver prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from queue import SimpleQueue
from typing import Any

from ringdoku.domain.errors import DisagreementError, RingdokuError, TimeLimitError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.services import Session
from ringdoku_cli.page.answers import answer

BUG = "this is a bug in ringdoku, please report it with the puzzle"


def main() -> None:
    """Answer until standard input ends."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as events:
        os.dup2(2, 1)
        lines: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=_listen, args=(lines,), daemon=True).start()
        session = Session()

        def tell(kind: str, data: dict[str, Any]) -> None:
            events.write(json.dumps([kind, data]) + "\n")
            events.flush()

        warm = False
        while True:
            line = lines.get()
            try:
                tell("result", answer(json.loads(line), session, lambda data: tell("progress", data)))
            except Exception as error:
                tell("error", {"text": _text(error), "can_ignore": "--ignore" in str(error)})
            if not warm:
                # loads the solvers, for which the first answer, a puzzle that is read, need not wait
                session.maximise(Puzzle.blank(4))
                warm = True


def _listen(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    # the server is gone, whatever is being computed
    os._exit(0)


def _text(error: Exception) -> str:
    match error:
        case TimeLimitError():
            return "The time limit came first."
        case DisagreementError():
            return f"WRONG ANSWER: {error}; {BUG}"
        case RingdokuError():
            return str(error)
        case MemoryError():
            return "out of memory"
    traceback.print_exception(error)
    return f"{type(error).__name__}: {BUG}"


if __name__ == "__main__":
    main()
