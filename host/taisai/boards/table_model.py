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


class TableFile(StrictModel):
    """The keys of a table file. `registers` is a control total: the registers that are soldered into the chain."""

    title: Text
    layout: Text
    controller: Text
    registers: Annotated[int, Field(ge=1, le=64)]
    lamps: LampSupply
    options: Options = Options()
    harness: dict[str, Outputs]
