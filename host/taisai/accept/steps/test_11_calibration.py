"""The unit measures what each of its areas takes, and keeps it: from then on one dark lamp shows at every result."""

from taisai.accept import Limit, StepFailed, step
from taisai.client.errors import Refused


@step("calibration", limits=[Limit("areas", "", lower=1, optional=True)])
def test_calibration(unit, measurements, record):
    table = unit.table
    if table.controller.sense is None:
        record.log("no current sense: lamps are seen by people")
        return
    with unit.session() as board:
        try:
            areas = board.calibrate()
        except Refused as error:
            raise StepFailed("lamps or current sense", f"lamps or current sense: {error}") from error
    measurements.take("areas", areas)
    if areas != len(table.layout.zone_ids):
        raise StepFailed("firmware", f"firmware: it has calibrated {areas} areas of {len(table.layout.zone_ids)}")
