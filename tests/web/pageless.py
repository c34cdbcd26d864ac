"""A page without a browser: it hears and says what a page does, and may misbehave."""

import json
import time

from websockets.sync.client import connect

LIMIT_S = 30
KEY_MS, BETWEEN_MS, HOLD_MS = 60, 80, 1700


class Page:
    """`told` keeps what it was told last, by kind. Its clock is its own and moves only as it presses keys."""

    def __init__(self, url: str, **more):
        # It may leave unread what it is told, as a page does whose computer has gone to sleep.
        self._connection = connect(url, max_size=1 << 20, max_queue=None, ping_interval=None, close_timeout=1, **more)
        self.socket = self._connection.__enter__()
        self.told = {}
        self.clock_ms = 1000.0

    def close(self):
        self._connection.__exit__(None, None, None)

    def send(self, message):
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def key(self, key, down):
        self.send({"do": "key", "key": key, "down": down, "at": self.clock_ms})

    def press(self, keys, ms=KEY_MS):
        """All at once, as after a delay: what counts is the time that each says."""
        for key in keys:
            self.key(key, True)
            self.clock_ms += ms
            self.key(key, False)
            self.clock_ms += BETWEEN_MS

    def press_until(self, keys, condition, ms=KEY_MS):
        """Press until it holds: a press does not count while a key of another page is down or just coming up."""
        for _ in range(5):
            self.press(keys, ms)
            try:
                return self.wait(condition, ms / 1000 + 3)
            except TimeoutError:
                continue
        raise TimeoutError(f"the display still shows {self.told['seen']['display']}")

    def clear(self):
        """Hold ENTRY until all is dark and blank."""
        dark = {"display": "   ", "lit": []}
        return self.press_until("E", lambda told: dark.items() <= told.get("seen", {}).items(), HOLD_MS)

    def wait(self, condition, limit_s=LIMIT_S):
        """Listen until it holds; what was told until now counts."""
        end = time.monotonic() + limit_s
        while not condition(self.told):
            message = json.loads(self.socket.recv(timeout=max(0.001, end - time.monotonic())))
            self.told[message["type"]] = message
        return self.told

    def wait_seen(self, limit_s=LIMIT_S, **wanted):
        """Until an observer sees this, for example display="136"."""
        return self.wait(lambda told: wanted == {name: told.get("seen", {}).get(name) for name in wanted}, limit_s)

    def wait_ready(self):
        self.wait(lambda told: told.get("told", {}).get("checked") and "seen" in told)

    def say(self, message):
        """Send what is refused, and return the words of the refusal."""
        self.told.pop("refused", None)
        self.send(message)
        return self.wait(lambda told: "refused" in told)["refused"]["text"]


def show(served, table: str, anew: bool = False) -> None:
    """Have a server show a table, as new if it shows another one now, or if that is wanted."""
    page = Page(served.socket)
    if page.wait(lambda told: "table" in told)["table"]["table"] != table or anew:
        page.told.clear()
        page.send({"do": "table", "table": table})
        page.wait(lambda told: "table" in told)
    page.close()
