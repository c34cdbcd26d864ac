"""A money wheel at a table, with the sensors that the table's controller has, if any."""

from collections.abc import Callable, Sequence
from random import Random

from taisai.boards.controller_model import WheelSensors as SensorPins
from taisai.boards.table import Table
from taisai.sim.wheel import Wheel
from taisai.sim.wheelsensors import BITS, WheelSensors

MONEY_WHEEL = "money-wheel"


class FittedWheel:
    """`wheel` and `sensors` are the parts; `pins` has the sensors' bits by pin, none without sensors. `now` tells the
    bench time in us.
    """

    def __init__(
        self,
        stops: Sequence[str],
        on_peg: Sequence[int],
        pins: SensorPins | None,
        rng: Random,
        now: Callable[[], int],
    ):
        self.wheel = Wheel(on_peg, Random(rng.getrandbits(64)))
        self.sensors = WheelSensors(self.wheel, Random(rng.getrandbits(64)))
        self.pins = {} if pins is None else {getattr(pins, name): bit for name, bit in BITS.items()}
        self._stops = stops
        self._now = now

    @property
    def turning(self) -> bool:
        return self._now() < self.wheel.rest_us

    @property
    def place(self) -> float:
        """Of the wheel now, see Wheel.place."""
        return self.wheel.place(self._now())

    @property
    def symbol(self) -> str | None:
        """The letter at the indicator; None while the wheel turns, and when it rests on a peg."""
        return None if self.turning or self.wheel.rests_on_peg else self._stops[self.wheel.stop]

    def spin(self, revolutions: float, end: str = "free") -> None:
        """Throw it now, see Wheel.spin. ValueError also while it turns."""
        if self.turning:
            raise ValueError("the wheel is turning: let it come to rest first")
        self.wheel.spin(revolutions, self._now(), end)

    def level(self, pin: int) -> int:
        """Level at the pin of a sensor."""
        return int(bool(self.sensors.read(self._now())[0] & self.pins[pin]))

    def next_change_us(self) -> int | None:
        """When a sensor's level may change next; None: never by itself."""
        return self.sensors.next_change_us(self._now())

    def count(self) -> int:
        """Of the quadrature counter of the chip."""
        return self.sensors.read(self._now())[1]


def fit_wheel(table: Table, rng: Random, now: Callable[[], int]) -> FittedWheel | None:
    """The wheel of a money wheel table; None at any other."""
    if table.layout.game != MONEY_WHEEL:
        return None
    return FittedWheel(table.layout.stops, table.wheel.peg_quarters, table.controller.wheel, rng, now)
