"""The main loop: takes the readings of the keys, serves the link, rests, for ever."""

from tablecore import faults, modules, protocol
from tablecore.garbage import Collector
from tablecore.keys import KEYS, SAMPLE_MS
from tablecore.ticks import add, diff

# Bytes of the link moved in one pass, each way. A byte costs an RP2040 some 140 us and a request 3 ms, so that a pass
# with both stays under 10 ms; it makes 3 kB/s.
LINK_BYTES = 16
# A step of the terminal that took longer, with a refresh of a long lamp chain in it, leaves the link to the next pass.
QUICK_MS = 2
# A reply that nobody reads does not hold up a restart for longer than this.
FAREWELL_MS = 500


class MainLoop:
    """Drivers: `clock`, `keys`, `link`; `start_watchdog()` starts one, None: there is none; `reset()` restarts."""

    def __init__(self, clock, keys, link, terminal, service, dispatcher, start_watchdog, reset):
        self._clock = clock
        self._keys = keys
        self._link = link
        self._terminal = terminal
        self._service = service
        self._dispatcher = dispatcher
        self._start_watchdog = start_watchdog
        self._reset = reset
        self._watchdog = None  # until the self-tests are over

    def run(self):
        """Never returns but by an exception. The beeper is silent then; the lamps stay as latched until the watchdog
        restarts the board, and go off where it does not run yet.
        """
        modules.settle()
        try:
            self._keys.start()
            self._go_on()
        finally:
            if self._watchdog is None:
                self._terminal.darken()
            self._keys.stop()
            self._terminal.silence()

    def _go_on(self):
        """The keys are read by an interrupt, so that nothing here can miss one; every reading is worked on in turn,
        with the time at which it was made. When none is left the link gets one turn: it moves some bytes or does a
        slice of longer work, unless it is time to collect the garbage.

        The watchdog starts when the self-tests are over, and is fed only here, for a reading that was worked on: keys
        that are no longer read, or a pass that does not come back, end in a restart.
        """
        clock, keys, terminal, service, dispatcher = (
            self._clock, self._keys, self._terminal, self._service, self._dispatcher,
        )  # fmt: skip
        link, verbs = self._link, service.verbs
        collector = Collector(modules.collect, modules.left, lambda: terminal.fault(faults.MEMORY_LOW), clock.now())
        while True:
            now = clock.now()
            if keys.take():
                terminal.step(keys.at, keys.bits)
                service.scan(keys.at)
                if self._watchdog is not None:
                    self._watchdog.feed()
                elif self._start_watchdog is not None and verbs.state() != protocol.BOOTING:
                    self._watchdog = self._start_watchdog()
                if not keys.waiting() and diff(clock.now(), now) <= QUICK_MS:
                    if not collector.step(now, not keys.bits & KEYS) and (
                        link.pump(dispatcher.receive, dispatcher.out, LINK_BYTES)
                        or dispatcher.step()
                        or verbs.feed.step(now, dispatcher.event)
                    ):
                        collector.count()
                    if verbs.restart:
                        self._restart()
            elif service.rest(now):
                clock.rest(1)
            elif not keys.waiting():
                clock.rest(max(SAMPLE_MS - diff(clock.now(), keys.at), 1))

    def _restart(self):
        """Send what is still in the queue, within FAREWELL_MS, and restart."""
        clock, queue = self._clock, self._dispatcher.out
        until = add(clock.now(), FAREWELL_MS)
        while len(queue) and diff(until, clock.now()) > 0:
            self._link.pump(_deaf, queue, LINK_BYTES)
            clock.rest(1)
        self._reset()


def _deaf(byte):
    """Takes a byte that comes after the last request."""
    return False
