"""Who the unit is: board id, controller, MicroPython, firmware, table; and that it is the table that was ordered."""

from taisai.accept import Limit, StepFailed, step


@step("identify", limits=[Limit("answer_time", "ms", upper=500, marginal=100)])
def test_identify(unit, measurements, record):
    board, clock = unit.board, unit.bay.now
    told = board.identity
    for name in ("board", "mcu", "micropython", "firmware", "table", "table_digest", "reset"):
        record.log(f"{name} {getattr(told, name)}")
    if told.table is None:
        raise StepFailed("wiring file", "wiring file: the unit does not know which table it is")
    if unit.bundle is None:
        from taisai.build.bundle import build_bundle

        unit.bundle = build_bundle(unit.table)
    if told.table != unit.bundle.table:
        raise StepFailed("table", f"table: the unit is a {told.table}, and a {unit.bundle.table} was to be tested")
    if told.mcu != unit.bundle.manifest["mcu"]:
        raise StepFailed("controller", f"controller: it is a {told.mcu}, not a {unit.bundle.manifest['mcu']}")
    start = clock()
    board.link.request("identify")
    measurements.take("answer_time", round((clock() - start) * 1000, 3), part="controller")
    unit.note_start()
