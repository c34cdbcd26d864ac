"""table.bin of a table: for every outcome the exact bytes that are shifted into its lamp chain."""

from tablecore import tablepack
from taisai.boards.parts import OUTPUTS_PER_REGISTER
from taisai.boards.table import Table


def frames_of(table: Table) -> list[bytes]:
    """The lamp frame of every outcome in index order, each of `table.registers` bytes in the order they are sent.

    Output n of the chain is bit n % 8 of register n // 8; the register farthest from the controller is sent first.
    All outputs of a winning zone are 1, everything else is 0.
    """
    masks = {zone: _mask(table.harness[zone]) for zone in table.layout.zone_ids}
    frames = []
    game = table.layout.rules
    for outcome in game.outcomes:
        lit = 0
        for zone in game.evaluate(table.layout, outcome):
            lit |= masks[zone]
        frames.append(lit.to_bytes(table.registers, "big"))
    return frames


def lamps_of(table: Table) -> bytes:
    """For each output of the chain the number of its zone, counted from 1 in canonical order; 0: no lamp."""
    lamps = bytearray(OUTPUTS_PER_REGISTER * table.registers)
    for number, zone in enumerate(table.layout.zone_ids, 1):
        for output in table.harness[zone]:
            lamps[output] = number
    return bytes(lamps)


def table_bin(table: Table) -> bytes:
    """The lamp table file, the same bytes on every build; format in tablecore/tablefile.py."""
    layout = table.layout
    return tablepack.pack(layout.id, layout.version, len(layout.zones), frames_of(table), lamps_of(table))


def _mask(outputs: tuple[int, ...]) -> int:
    """Outputs as one number: bit n is output n."""
    return sum(1 << output for output in outputs)
