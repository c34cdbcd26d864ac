"""Factory acceptance: a plan of steps, each a pytest test, run against one unit or several, and its record.

A step of a customer's own is a test in a file of theirs; it may use the same fixtures and declare limits:

    from taisai.accept import Limit, step

    @step("supply", limits=[Limit("state_time", "ms", upper=50)])
    def test_supply(unit, measurements):
        measurements.take("state_time", 12.5)
"""

from taisai.accept.errors import Aborted, StepFailed
from taisai.accept.limits import Limit
from taisai.accept.step import step

__all__ = ["Aborted", "Limit", "StepFailed", "step"]
