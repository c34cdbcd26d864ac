"""What esptool has to say, turned into a watcher's progress instead of being printed."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from esptool.logger import TemplateLogger, log

from taisai.deploy.flash import Watcher

_here = threading.local()


class _Quiet(TemplateLogger):
    """esptool has one logger for the whole process; each thread has its own watcher."""

    def print(self, *args, **kwargs):
        pass

    def note(self, message):
        pass

    def warning(self, message):
        pass

    def error(self, message):
        pass

    def stage(self, finish=False):
        pass

    def progress_bar(self, cur_iter, total_iters, prefix="", suffix="", bar_length=30):
        """Bytes written so far of one file; esptool begins anew with each."""
        watcher = getattr(_here, "watcher", None)
        if watcher is not None:
            if cur_iter < _here.seen:
                _here.seen = 0
            watcher.moved(cur_iter - _here.seen)
            _here.seen = cur_iter

    def set_verbosity(self, verbosity):
        pass


@cache
def _install() -> None:
    """Once: esptool takes a logger in place of its own, and none in place of that."""
    log.set_logger(_Quiet())


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """esptool's progress goes to this watcher, for this thread and as long as the block lasts."""
    _install()
    _here.watcher, _here.seen = watcher, 0
    try:
        yield
    finally:
        _here.watcher = None
