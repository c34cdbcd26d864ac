"""The pages that look on, and what they are told: each gets the newest of every kind, also when it comes later."""

import json
import threading
from collections.abc import Callable, Collection, Hashable

Send = Callable[[str, str], None]
"""Takes (kind, text) for one page; it must not wait."""


class Audience:
    """Every method may be called from any thread. A page is whatever tells it apart from the others."""

    def __init__(self):
        self._pages: dict[Hashable, Send] = {}
        self._newest: dict[str, str] = {}
        self._lock = threading.Lock()

    def join(self, page: Hashable, send: Send) -> None:
        """A page comes: it is told what there is now, and then whatever changes."""
        with self._lock:
            self._pages[page] = send
            for kind, text in self._newest.items():
                send(kind, text)

    def leave(self, page: Hashable) -> None:
        """It is gone."""
        with self._lock:
            self._pages.pop(page, None)

    def tell(self, message: dict) -> None:
        """Tell every page a message, whose kind is its `type`; those that come later are told the newest of it."""
        kind, text = _written(message)
        with self._lock:
            self._newest[kind] = text
            for send in self._pages.values():
                send(kind, text)

    def tell_only(self, pages: Collection[Hashable], message: dict) -> None:
        """Tell these pages alone, and nobody later."""
        kind, text = _written(message)
        with self._lock:
            for page in pages:
                if page in self._pages:
                    self._pages[page](kind, text)

    def forget(self) -> None:
        """What was told until now is over: pages that come are not told it."""
        with self._lock:
            self._newest.clear()


def _written(message: dict) -> tuple[str, str]:
    return message["type"], json.dumps(message, ensure_ascii=False)
