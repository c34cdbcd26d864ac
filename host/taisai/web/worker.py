"""The thread behind a site. Once it has ended there is nothing left to serve, and somebody has to hear why."""

import threading
from collections.abc import Callable


class Worker:
    """Does `work` in a thread of its own."""

    def __init__(self, name: str, work: Callable[[], None]):
        self._work = work
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def ended(self) -> bool:
        """It has begun and works no more."""
        return self._thread.ident is not None and not self._thread.is_alive()

    def join(self) -> None:
        """Wait until it has ended, and raise what it ended with."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            self._work()
        except BaseException as failure:
            self._failure = failure
