"""The keys of a table file. boards/README.md explains every key to the person who writes one."""

from typing import Annotated

from pydantic import AfterValidator, Field

from taisai.boards.model import Milliamp, StrictModel, Text, Volt


def _any(outputs: tuple[int, ...]) -> tuple[int, ...]:
    if not outputs:
        raise ValueError("zone without an output: name the outputs that light it")
    return outputs


# Register outputs: 0 to 7 are those of register 1, the one nearest to the controller. Counted after the items were
# checked: pydantic's own min_length would count a bad item as a missing one, and report it twice.
Outputs = Annotated[tuple[Annotated[int, Field(ge=0)], ...], AfterValidator(_any)]


class LampSupply(StrictModel):
    """The lamps and what feeds them. One lamp is one LED module with its resistor, on one output."""

    milliamp: Milliamp
    supply_volt: Volt
    supply_milliamp: Milliamp
    group_milliamp: Milliamp
    # Of a lamp's current; all that is known of it until the lamps have been calibrated.
    tolerance_percent: Annotated[int, Field(ge=0, le=50)] = 10


class Options(StrictModel):
    """What may be left out, and what it is then."""

    brightness_percent: Annotated[int, Field(ge=10, le=100)] = 100
    # A flash operation may block the firmware for 400 ms, so that a short time-out would restart a healthy board.
    watchdog_ms: Annotated[int, Field(ge=2000, le=60_000)] = 8000


Quarter = Annotated[int, Field(ge=0, le=3)]


def _some_quarters(quarters: tuple[int, ...]) -> tuple[int, ...]:
    if list(quarters) != sorted(set(quarters)) or not 1 <= len(quarters) <= 3:
        raise ValueError("must be one to three different quarters in ascending order")
    return quarters


class WheelOptions(StrictModel):
    """When a money wheel with sensors has come to rest, and where. May be left out, as any of its keys.

    `peg_quarters`: the quarters of the pitch between two pegs, counted from a peg on, in which the indicator rests on
    the peg and in no section (rule 5.2).
    """

    rest_ms: Annotated[int, Field(ge=200, le=10_000)] = 1500
    peg_quarters: Annotated[tuple[Quarter, ...], AfterValidator(_some_quarters)] = (0,)


class TableFile(StrictModel):
    """The keys of a table file. `registers` is a control total: the registers that are soldered into the chain."""

    title: Text
    layout: Text
    controller: Text
    registers: Annotated[int, Field(ge=1, le=64)]
    lamps: LampSupply
    options: Options = Options()
    wheel: WheelOptions | None = None
    harness: dict[str, Outputs]
