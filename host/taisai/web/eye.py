"""How bright the lamps look to a person: what lasts for a moment only is not seen.

The firmware measures the current of the lamps with every output off, or fully on, for under 2 ms of a board's time.
Here, in step with the wall, that takes longer, and a look at the bench may fall into it.
"""

_MOMENT_US = 50_000  # light that comes and goes faster than 20 times a second is seen as one


class Eye:
    """Looks at the share of time for which the outputs are enabled, 0.0 to 1.0."""

    def __init__(self) -> None:
        self._seen = 0.0
        self._new = 0.0
        self._since_us = 0

    def look(self, share: float, now_us: int) -> float:
        """The share that is seen: the present one, unless it has just come."""
        if share != self._new:
            self._new, self._since_us = share, now_us
        if now_us - self._since_us >= _MOMENT_US:
            self._seen = share
        return self._seen
