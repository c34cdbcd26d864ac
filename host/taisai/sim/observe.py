"""What an observer at the table sees at one moment: digits, lit zones, latched frame, sound."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Observation:
    """Taken from the electrical state of the bench, never from the firmware.

    display: three characters left to right, blank as space, `?` for a pattern that is no character.
    points: the three decimal points. lit: zones with every lamp glowing; partial: zones with only some; both in the
    canonical order of zones. frame: the output stages as latched, hex, in the order in which a frame is sent.
    tone_hz: 0 when silent. enabled: the outputs are enabled for at least a part of the time.
    """

    display: str
    points: tuple[bool, ...]
    lit: list[str]
    partial: list[str]
    frame: str
    tone_hz: int
    enabled: bool
