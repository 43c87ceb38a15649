"""One hard question on several cores: other backends, the rivals, ask it too, in processes of their own.

They start when the question has been open in this process for a while, since most are answered before. The first proof
counts, whoever has it, and ends all.
"""

import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace

from ringdoku.domain.errors import DisagreementError, RingdokuError, WorkerDiedError
from ringdoku.domain.objective import Sense
from ringdoku.domain.result import Result
from ringdoku.services.pool import Processes


class Race:
    """A question that this process asks too; a context manager around that.

    `questions` are those of the rivals, by the names of their backends; they can be pickled. `look` starts them when it
    is time, and says whether one of them has the answer. `on_death` gets the reason why a rival dropped out. `sense` is
    that of the objective, if there is one.
    """

    def __init__(
        self,
        questions: Mapping[str, Callable[[], Result]],
        on_death: Callable[[str], object],
        sense: Sense | None = None,
        after: float = 0,
    ) -> None:
        self._questions = questions
        self._on_death = on_death
        self._sense = sense
        self._start = time.monotonic() + after
        self._pool: Processes | None = None
        self._open: dict[str, Future[Result]] = {}
        self._won: Result | None = None

    def __enter__(self) -> "Race":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.close()

    def look(self) -> bool:
        """Raises `DisagreementError` for a solution of a rival that is none."""
        if self._pool is None and time.monotonic() >= self._start:
            try:
                self._pool = Processes(len(self._questions))
                self._open = {name: self._pool.submit(question) for name, question in self._questions.items()}
            except OSError as error:
                self._start = math.inf
                self._on_death(f"there is no race: {error.strerror or error}")
        for name, future in list(self._open.items()):
            if self._pool and self._won is None and future.done():
                del self._open[name]
                self._take(name, future, self._pool)
        return self._won is not None

    def _take(self, name: str, future: Future[Result], pool: Processes) -> None:
        """The first proof of a rival, or why it has none."""
        try:
            result = future.result()
        except DisagreementError:
            raise
        except Exception as error:
            failure = pool.failure(error)
            if isinstance(failure, WorkerDiedError) or not isinstance(failure, RingdokuError):
                self._on_death(f"backend {name} dropped out of the race: {failure}")
        else:
            self._won = result if result.status.is_final else None

    def answer(self, here: Result) -> Result:
        """The result of the race, where this process ended with `here`. Raises `DisagreementError` where it contradicts
        a rival's proof."""
        won = self._won
        if won is None:
            return here
        wrong = here.status.is_final and (here.status, here.score) != (won.status, won.score)
        if here.grid is not None and won.grid is None:
            wrong = True
        elif self._sense is not None and here.score is not None and won.score is not None:
            wrong = wrong or self._sense.better(here.score, won.score)
        if wrong:
            raise DisagreementError(
                f"backend {here.backend} says {_said(here)}, and backend {won.backend} {_said(won)}"
            )
        return replace(won, seconds=here.seconds)


def _said(result: Result) -> str:
    return result.status.value if result.score is None else f"{result.status.value} {result.score}"
