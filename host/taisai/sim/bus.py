"""Host's end of the bus between the interpreter and the bench: the messages, one per datagram, little-endian.

Request: header (request, number, bytes of outputs, bytes of input consumed, bytes of output written, the interpreter's
time, duration asked for, last watchdog feed or -1), outputs, data. Output: (time, kind, pin or port, extra, value) and,
for SPI, `extra` bytes. Reply: (number, flags, bytes of data, input delivered, output credit, time, horizon, input
levels), data, and zeros up to a fixed length, since MicroPython's readinto returns only when its buffer is full. Times
are microseconds of bench time. The data of a reply to SYNC are (time, input levels) for each movement of a contact that
is certain to come before the horizon. The interpreter's end is shim/bus.py, which cannot import this one.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum

_REQUEST = struct.Struct("<BBHIIqqq")
_OUTPUT = struct.Struct("<qBBHi")
_REPLY = struct.Struct("<BBHIIqqq")
_GREETING = struct.Struct("<BBqIBHHqqB")
_HEAP = struct.Struct("<III")
_CHANGE = struct.Struct("<qq")

REQUEST_BYTES = 8192
"""Longer than any request."""
_DATA_BYTES = 1024
_REPLY_BYTES = _REPLY.size + _DATA_BYTES
MOST_CHANGES = _DATA_BYTES // _CHANGE.size
"""That one reply to SYNC can announce."""


class Op(IntEnum):
    """What a request asks for."""

    HELLO = 0
    SYNC = 1
    SPI = 2
    ADC = 3
    FLASH_READ = 4
    FLASH_PROGRAM = 5
    FLASH_ERASE = 6
    RESET = 7
    PROMPT = 8
    HEAP = 9
    READY = 10
    I2C = 11
    COUNT = 12


class Kind(IntEnum):
    """What an output is."""

    PIN = 0
    SPI = 1
    PWM = 2
    WATCHDOG = 3


REAL_TIME = 1
HEAP_WANTED = 2


@dataclass(slots=True)
class Output:
    """One output. value: level (-1 released), PWM frequency (-1 stopped) or time-out; extra: pull, duty or length."""

    t_us: int
    kind: int
    number: int
    extra: int
    value: int
    data: bytes


@dataclass(slots=True)
class Request:
    """One request with the outputs that came before it."""

    op: int
    number: int
    consumed: int
    written: int
    t_us: int
    wait_us: int
    fed_us: int
    outputs: list[Output]
    data: bytes


def parse(message: bytes) -> Request:
    """Take a request apart; struct.error where it is not one."""
    op, number, outputs_length, consumed, written, t_us, wait_us, fed_us = _REQUEST.unpack_from(message)
    at = _REQUEST.size
    end = at + outputs_length
    outputs = []
    while at < end:
        out_us, kind, target, extra, value = _OUTPUT.unpack_from(message, at)
        at += _OUTPUT.size
        data = b""
        if kind == Kind.SPI:
            data = message[at : at + extra]
            at += extra
        outputs.append(Output(out_us, kind, target, extra, value, data))
    return Request(op, number, consumed, written, t_us, wait_us, fed_us, outputs, message[end:])


def reply(
    number: int, flags: int, delivered: int, credit: int, now_us: int, horizon_us: int, levels: int, data: bytes = b""
) -> bytes:
    """Put a reply together; `data` 1,024 bytes at most."""
    head = _REPLY.pack(number, flags, len(data), delivered, credit, now_us, horizon_us, levels)
    return (head + data).ljust(_REPLY_BYTES, b"\0")


def changes(moments: list[tuple[int, int]]) -> bytes:
    """Data of the reply to SYNC: (time, levels from then on) in order of time, MOST_CHANGES at most."""
    return b"".join(_CHANGE.pack(*moment) for moment in moments)


def greeting(
    cause: int,
    pins: int,
    contacts: int,
    watchdog_ms: int,
    hardware_timers: int,
    blocks: int,
    block_bytes: int,
    started_us: int,
    first_tick_ms: int,
    board_id: bytes,
) -> bytes:
    """Data of the reply to HELLO: who the controller is and why it starts.

    `contacts`: bit n for a contact on pin n. `watchdog_ms` 0: no limit. `hardware_timers` 0: they are virtual.
    """
    fixed = (cause, pins, contacts, watchdog_ms, hardware_timers, blocks, block_bytes, started_us, first_tick_ms)
    return _GREETING.pack(*fixed, len(board_id)) + board_id


def heap(data: bytes) -> tuple[int, int, int]:
    """Take the data of a HEAP request apart: bytes in use, free, largest free block."""
    return _HEAP.unpack(data)
