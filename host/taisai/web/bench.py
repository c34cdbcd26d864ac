"""One virtual board as the pages work it: actions in, what an observer sees out. Not safe between threads."""

from collections.abc import Callable, Hashable

from taisai.boards.table import Table
from taisai.sim.board import OFF, VirtualBoard
from taisai.web import actions
from taisai.web.eye import Eye
from taisai.web.fingers import Fingers
from taisai.web.talk import Live, Talk
from taisai.web.view import View

_BOUNCE_MS = 2  # of a good key, until a page says otherwise


class Bench:
    """A context manager: it holds the interpreter's process, with the power on. `view`: of the table's game. `live` is
    how its talk lets it live.
    """

    def __init__(self, table: Table, view: View, live: Live):
        self._view = view
        self.board = VirtualBoard(table)
        self.fingers = Fingers(self.board.bench, _BOUNCE_MS)
        self._eye = Eye()
        self.talk = Talk(self.board, view, live)

    def __enter__(self) -> "Bench":
        self.board.power_on()
        return self

    def __exit__(self, *_) -> None:
        self.board.__exit__(None, None, None)

    def do(self, action: actions.Action, page: Hashable) -> None:
        """Carry out what a page asks for. TaisaiError, with nothing done, when that is not possible now."""
        board, bench = self.board, self.board.bench
        match action:
            case actions.Key():
                self.fingers.move(page, action.key, action.down, action.at)
            case actions.Switch() if action.on != bench.switch.on:
                bench.switch.turn(action.on, self.fingers.bounce_ms)
            case actions.Power() if action.on != (board.mode != OFF):
                (board.power_on if action.on else board.power_off)()
            case actions.Reset():
                board.hard_reset()
            case actions.Fault():
                bench.faults.apply(action.word)
            case actions.Bounce():
                self.fingers.bounce_ms = action.ms
            case actions.SlowFlash():
                bench.flash.slow_down(action.operations)
            case actions.Spin():
                self._view.spin(bench, action)

    def run(self, seconds: float, until: Callable[[], bool] | None, wake: tuple[int, ...]) -> None:
        """Let the board live for so long, in step with the wall, or until the condition or a `wake` file is ready."""
        self.board.run_real(seconds, until, wake)

    def looks(self) -> list[dict]:
        """What is to be seen now, one message of each type."""
        return [self.seen(), *self._view.moving(self.board.bench)]

    def seen(self) -> dict:
        """What a person at the table sees and hears now, and what the bench is set to."""
        bench = self.board.bench
        look = bench.observe()
        share = self._eye.look(bench.enable.share, bench.now_us)
        glowing = bench.lamps.lighting(enabled=share > 0)
        always = bench.lamps.lighting(enabled=False)
        zones = bench.lamps.zones.items()
        return {
            "type": "seen",
            "display": look.display,
            "segments": list(bench.display.segments),
            "lit": [zone for zone, mask in zones if mask & glowing == mask],
            "partial": [zone for zone, mask in zones if 0 != mask & glowing != mask],
            "always": [zone for zone, mask in zones if mask & always],  # whatever the brightness is set to
            "brightness": round(share, 3),
            "tone_hz": look.tone_hz,
            "switch": bench.switch.on,
            "power": self.board.mode != OFF,
            "keys": [key for key, contact in bench.keys.contacts.items() if contact.closed],
            "faults": list(bench.faults.active),
            "bounce_ms": self.fingers.bounce_ms,
        }

    def chain(self) -> dict:
        """The two stages of every output of the chain, "0" or "1", in the order of outputs."""
        chain = self.board.bench.chain

        def stages(value: int) -> str:
            return f"{value:0{8 * chain.registers}b}"[::-1]

        return {"type": "chain", "shift": stages(chain.shift), "output": stages(chain.output), "latches": chain.latches}
