"""The link's error rate, and the drift of the unit's clock against this computer's meanwhile."""

from taisai.accept import Limit, step
from taisai.client.errors import LinkLost, NotOurs, NotReading, Silent

TRY_S = 1.0


@step(
    "link",
    limits=[
        Limit("exchanges", "", lower=1),
        Limit("lost", "per 10,000", upper=1),
        Limit("slowest", "ms", upper=500, marginal=100),
    ],
)
def test_link(unit, measurements, record):
    link, clock = unit.board.link, unit.bay.now
    count, lost, slowest = record.sizes.exchanges, 0, 0.0
    for _ in range(count):
        start = clock()
        try:
            link.request("unsubscribe", timeout_s=TRY_S)
        except (LinkLost, NotOurs, NotReading, Silent):
            lost += 1
            if lost > max(3, count // 1000):
                raise
        slowest = max(slowest, clock() - start)
    measurements.take("exchanges", count)
    measurements.take("lost", round(lost * 10_000 / count, 2), part="link: cable, or the controller's port")
    measurements.take("slowest", round(slowest * 1000, 1), part="link: cable, or the controller's port")
