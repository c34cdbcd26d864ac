"""The thread that a bench lives in, and what connects it with the pages.

The bench follows the clock on the wall in one thread; pages leave actions and are told what changes.
"""

import contextlib
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable

from starlette.websockets import WebSocket

from taisai.boards.shipped import every_id
from taisai.boards.table import Table, load_table
from taisai.errors import TaisaiError, shown
from taisai.web import actions
from taisai.web.audience import Audience
from taisai.web.bench import Bench
from taisai.web.channel import serve_page
from taisai.web.furniture import furniture
from taisai.web.view import View
from taisai.web.views import view_of
from taisai.web.worker import Worker

SLICE_S = 0.02  # between two looks at the bench
WATCH_S = 0.25  # between two looks into it, for pages that watch
JOURNAL_S = 5.0  # between two looks into the journal when nothing seems to have happened
_MOST = 100  # things that one page has asked for and that are not done yet


class LiveTable:
    """A context manager: inside, the bench lives. Every method may be called from any thread."""

    def __init__(self, table: Table):
        self.audience = Audience()
        self._own = table
        self._chosen: tuple[Table, View, dict] | None = None
        self._todo: deque[tuple[Hashable, actions.Action | None]] = deque()
        self._waiting: Counter[Hashable] = Counter()
        self._lock = threading.Lock()  # of the two above
        self._watching: set[Hashable] = set()
        self._ended = threading.Event()
        self._ready = threading.Event()
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        self._worker = Worker("bench", self._live)
        self._bench: Bench | None = None
        self._seen: dict[str, dict] = {}

    def __enter__(self) -> "LiveTable":
        """TaisaiError when the virtual board cannot be made."""
        self._worker.start()
        self._ready.wait()
        if self._bench is None:
            self._worker.join()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._ring()
        try:
            self._worker.join()
        finally:
            os.close(self._wake)
            os.close(self._waker)

    @property
    def ended(self) -> bool:
        """The bench lives no more; leaving says why."""
        return self._worker.ended

    async def talk(self, socket: WebSocket) -> None:
        """Serve one page's accepted socket until it is gone."""
        await serve_page(socket, self.audience, self._heard, self._left)

    def _heard(self, page: Hashable, text: str) -> None:
        """What a page asks for is done soon; ValueError when that is nothing."""
        action = actions.parse(text)
        with self._lock:
            if self._waiting[page] >= _MOST:
                raise ValueError("too much was asked for at once: wait until it is done")
            self._waiting[page] += 1
            self._todo.append((page, action))
        self._ring()

    def _left(self, page: Hashable) -> None:
        with self._lock:
            self._todo.append((page, None))
        self._ring()

    def _ring(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it has been rung often enough
            os.write(self._waker, b"\0")

    # --- in the bench's thread ---

    def _live(self) -> None:
        try:
            self._chosen = self._choice(self._own.id)
            while not self._ended.is_set():
                self._live_with(*self._chosen)
        finally:
            self.audience.tell({"type": "ended", "text": "The simulation has ended: where it was started it says why"})
            self._ready.set()

    def _live_with(self, table: Table, view: View, about: dict) -> None:
        """Simulate one table until another is chosen, or the end."""
        with Bench(table, view, self._breathe) as self._bench:
            self.audience.forget()
            self.audience.tell(about)
            self._seen = {}
            self._ready.set()
            watched = journal = 0.0
            while self._chosen[2] is about and not self._ended.is_set():
                self._breathe(SLICE_S)
                if told := self._bench.talk.listen():
                    self.audience.tell(told)
                    journal = 0.0
                now = time.monotonic()
                if not self._watching or now - watched < WATCH_S:
                    continue
                watched = now
                inside = [self._bench.chain(), self._bench.talk.link()]
                if now - journal >= JOURNAL_S and (records := self._bench.talk.journal()):
                    journal = now
                    inside.append(records)
                for message in inside:
                    self.audience.tell_only(self._watching, message)

    def _breathe(self, seconds: float, until: Callable[[], bool] | None = None) -> None:
        """Let the bench live for a while, do what pages have asked for meanwhile, and tell what is to be seen."""
        self._bench.run(seconds, until, (self._wake,))
        with contextlib.suppress(BlockingIOError):  # nobody rang
            os.read(self._wake, 4096)
        for page, action in self._taken():
            self._carry_out(page, action)
        for look in self._bench.looks():
            if look != self._seen.get(look["type"]):
                self._seen[look["type"]] = look
                self.audience.tell(look)

    def _taken(self) -> list[tuple[Hashable, actions.Action | None]]:
        with self._lock:
            taken = list(self._todo)
            self._todo.clear()
            self._waiting.clear()
        return taken

    def _carry_out(self, page: Hashable, action: actions.Action | None) -> None:
        try:
            match action:
                case None:
                    self._watching.discard(page)
                    self._bench.fingers.leave(page)
                case actions.Watch():
                    (self._watching.add if action.on else self._watching.discard)(page)
                case actions.Table():
                    self._chosen = self._choice(action.table)
                case _:
                    self._bench.do(action, page)
        except TaisaiError as error:
            self.audience.tell_only((page,), {"type": "refused", "text": str(error)})

    def _choice(self, name: str) -> tuple[Table, View, dict]:
        """A table, as new, its view and the message about it. TaisaiError: none of that name, or it cannot be drawn."""
        tables = list(dict.fromkeys([*every_id("tables"), self._own.id]))
        if name not in tables:  # a name that is a path would read any file
            raise TaisaiError(f"there is no table {shown(name)}")
        table = self._own if name == self._own.id else load_table(name)
        view = view_of(table)
        return table, view, furniture(table, view, tables)
