# ruff: noqa: F821  the words of the program are no names of Python
"""The quadrature counter of an RP2040: one PIO state machine that counts in a register of its own.

It samples both pins some 900,000 times a second, so that it sees every edge of every bounce, and needs neither the
processor nor memory: a flash operation that blocks all interrupts for 400 ms costs no peg. The count goes into the
queue at every sample, where it is dropped while the queue is full; so the last of as many words as the queue holds, and
one more, is no older than reading them takes.

The program follows `quadrature_encoder` of the Pico SDK's examples: two samples of (b, a) one after the other are the
address of the jump to take, hence its first 16 words have to lie at address 0. A program of 32 words can lie nowhere
else (RP2040 datasheet, section 3.2.1).
"""

from array import array

from rp2 import PIO, StateMachine, asm_pio

_STATE_MACHINE = 0
_HZ = 10_000_000
_QUEUE_WORDS = 4


@asm_pio(in_shiftdir=PIO.SHIFT_LEFT, out_shiftdir=PIO.SHIFT_RIGHT)
def _program():
    jmp("sample")  # 00, then 00
    jmp("more")  # 00, then 01: a has risen while b is low
    jmp("less")
    jmp("sample")  # both have changed: not within a microsecond
    jmp("less")  # 01, then 00
    jmp("sample")
    jmp("sample")
    jmp("more")
    jmp("more")  # 10, then 00
    jmp("sample")
    jmp("sample")
    jmp("less")
    jmp("sample")  # 11, then 00
    jmp("less")
    jmp("more")
    label("sample")  # 11, then 11
    wrap_target()
    mov(isr, y)
    push(noblock)
    out(isr, 2)  # the last sample
    in_(pins, 2)
    mov(osr, isr)
    mov(pc, isr)
    label("less")
    jmp(y_dec, "sample")
    jmp("sample")
    label("more")
    mov(y, invert(y))
    jmp(y_dec, "counted")
    label("counted")
    mov(y, invert(y))
    wrap()
    nop()
    nop()
    nop()
    nop()
    nop()
    nop()


class Quadrature:
    """`a` and `b` are pins, b the one after a; the count grows while A leads B."""

    def __init__(self, a, b):
        self._words = array("H", [0] * (_QUEUE_WORDS + 1))  # the lower halves
        self._machine = StateMachine(_STATE_MACHINE, _program, freq=_HZ, in_base=a)
        self._machine.active(1)

    def count(self):
        """Quarters so far, 16 bits and wrapping."""
        self._machine.get(self._words)
        return self._words[_QUEUE_WORDS]
