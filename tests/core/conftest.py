"""Marks the long campaigns: the tests here import no pytest, because MicroPython runs them too."""

import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        if item.name.endswith("_campaign"):
            item.add_marker(pytest.mark.soak)
