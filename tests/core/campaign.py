"""Size of a long campaign, as in tests/conftest.py but for both interpreters."""

import os


def size(whole):
    """The whole number when TAISAI_SOAK is set, else a tenth of it."""
    return whole if os.getenv("TAISAI_SOAK") else whole // 10
