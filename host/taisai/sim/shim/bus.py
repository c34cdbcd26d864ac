"""Interpreter's end of the bus to the bench. The other end, and the message format, are in sim/bus.py.

Outputs are collected here with their bench time and travel with the next request. A reply carries the new time, every
input level and the horizon: no input changes before it, so until then time moves here without a message. The reply to
SYNC also tells how the contacts move until then.
"""

import struct
import sys
import uctypes

HEADER = "<BBHIIqqq"
HEADER_BYTES = 36
REPLY_BYTES = 36
OUTPUT = "<qBBHi"
OUTPUT_BYTES = 16

# Requests. Their numbers, like the numbers of the outputs and the flags, equal those in sim/bus.py.
HELLO, SYNC, SPI, ADC, FLASH_READ, FLASH_PROGRAM, FLASH_ERASE, RESET, PROMPT, HEAP, READY, I2C, COUNT = range(13)
# Outputs.
OUT_PIN, OUT_SPI, OUT_PWM, OUT_WDT = range(4)
# Flags of a reply.
REAL_TIME = 1
HEAP_WANTED = 2

OUTPUTS_END = HEADER_BYTES + 1024
DATA_BYTES = 1024  # most data after the header of a message
NEVER = 1 << 61

now = 0
horizon = 0  # the bench's, or where a timer is due or a contact moves if that is sooner: no more than a sum until there
levels = 0
asked = -1  # when the bench told the levels; those of inputs that are no contacts may have changed since
delivered = 0  # bytes that the bench has put into standard input since this interpreter started
consumed = 0  # of them, how many were announced by a poll (the firmware reads one byte per positive poll)
writable = 0  # positive polls of standard output (the firmware writes one byte for each)
credit = 0  # how many bytes the serial port has taken or has room for, counted like `writable`
real_time = False
dirty = False  # an output that may change an input has not been sent yet
fed = -1  # time of the last watchdog feed that has not been sent yet; -1: none
reply = bytearray(REPLY_BYTES + DATA_BYTES)
on_heap_wanted = None
due = NEVER  # when the next timer's callback is due; timers.py sets it with `plan`
on_due = None  # runs it
interrupt = False  # a callback is running

_request = bytearray(OUTPUTS_END + 8 + DATA_BYTES)
_used = HEADER_BYTES
_number = 0
_quiet_until = 0  # the bench's horizon: `now` in real time, 0 when the bench has to be asked for another reason
# Read through a structure, which makes no objects: what the shim leaves behind would count as the firmware's garbage.
_head = uctypes.struct(
    uctypes.addressof(reply),
    {
        "number": uctypes.UINT8 | 0,
        "flags": uctypes.UINT8 | 1,
        "length": uctypes.UINT16 | 2,
        "delivered": uctypes.UINT32 | 4,
        "credit": uctypes.UINT32 | 8,
        "now": uctypes.INT64 | 12,
        "horizon": uctypes.INT64 | 20,
        "levels": uctypes.INT64 | 28,
        "changes": (uctypes.ARRAY | REPLY_BYTES, uctypes.INT64 | DATA_BYTES // 8),
    },
    uctypes.LITTLE_ENDIAN,
)
_changes = _head.changes  # time and levels in turn
_change = 0  # index of the next one
_changes_end = 0
_file = open(int(sys.argv[1]), "r+b")  # the number of the inherited socket


def exchange(op, wait_us=0, *data):
    """Send what was collected and one request, wait for its reply; returns how many bytes of data are in `reply`.

    `wait_us`: how long the operation takes. The number in the header tells a late reply from this one's: Ctrl-C can
    interrupt the wait, and the reply then comes when the next request is already on its way.
    """
    global now, asked, horizon, levels, delivered, credit, real_time, dirty, fed, _used, _number
    global _quiet_until, _change, _changes_end
    end = _used
    _number = (_number + 1) & 255
    struct.pack_into(HEADER, _request, 0, op, _number, end - HEADER_BYTES, consumed, writable, now, wait_us, fed)
    for part in data:
        _request[end : end + len(part)] = part
        end += len(part)
    _used = HEADER_BYTES
    dirty = False
    fed = -1
    _file.write(_request, end)
    while True:
        if not _file.readinto(reply):
            raise SystemExit  # the bench is gone
        if _head.number == _number:
            break
    delivered = _head.delivered
    credit = _head.credit
    now = asked = _head.now
    _quiet_until = _head.horizon
    _change = 0
    _changes_end = _head.length // 8 if op == SYNC else 0
    _set_horizon()
    levels = _head.levels
    real_time = _head.flags & REAL_TIME != 0
    if _head.flags & HEAP_WANTED and not interrupt:
        on_heap_wanted()
    return _head.length


def output(kind, number, value, extra=0, data=b""):
    """Collect one output. `number` is a pin or a port, `value` and `extra` depend on the kind."""
    global _used, dirty
    if _used + OUTPUT_BYTES + len(data) > OUTPUTS_END:
        exchange(SYNC)
    struct.pack_into(OUTPUT, _request, _used, now, kind, number, extra, value)
    _used += OUTPUT_BYTES
    if data:
        _request[_used : _used + len(data)] = data
        _used += len(data)
    dirty = True


def spend(us):
    """Let time pass: here while that is short of the horizon, else beyond it; returns the new time."""
    global now
    if now + us < horizon:
        now += us
    else:
        _spend_beyond(now + us)
    return now


def _spend_beyond(end):
    """Let time pass up to `end`, and stop on the way at each moment at which a callback is due."""
    while due <= end:
        if now < due:
            _move(due)
        on_due()
    if now < end:
        _move(end)


def _move(to):
    """Let time pass here, over the foreseen changes, or on the bench when its horizon comes first."""
    global now, levels, _change
    if to >= _quiet_until:
        exchange(SYNC, to - now)
        return
    now = to
    while _change < _changes_end and _changes[_change] <= to:
        levels = _changes[_change + 1]
        _change += 2
    _set_horizon()


def _set_horizon():
    global horizon
    horizon = due if due < _quiet_until else _quiet_until
    if _change < _changes_end and _changes[_change] < horizon:
        horizon = _changes[_change]


def plan(moment):
    """The next callback is due then."""
    global due
    due = moment
    _set_horizon()


def announce_output():
    """A byte is going to be written to the serial port: the bench has to look there before time passes."""
    global writable, horizon, _quiet_until
    writable += 1
    horizon = _quiet_until = 0


def feed():
    global fed
    fed = now
    if real_time:
        exchange(SYNC)
