"""`taisai simulate --script`: what it prints, the same each time. What the firmware does is tested in tests/sim."""

import json

import pytest

# Rule 4.1 on 1 3 6 with the layout of Appendix 1, in the canonical order of the zones.
LIT_136 = ["small", "single-1", "single-3", "single-6", "total-10", "pair-1-3", "pair-1-6", "pair-3-6"]


@pytest.fixture(scope="module")
def keyed(taisai):
    return taisai("simulate", "--table", "nz1-pico-hc595", "--script", "1 3 6 E", "--json")


def test_the_result_as_json(keyed):
    assert keyed.returncode == 0, keyed.stderr
    seen = json.loads(keyed.stdout)
    assert set(seen) >= {"state", "display", "lit", "partial", "frame", "faults"}
    assert (seen["state"], seen["display"], seen["faults"]) == ("result", "136", [])
    assert (seen["lit"], seen["partial"]) == (LIT_136, [])
    assert len(bytes.fromhex(seen["frame"])) == 7
    assert sum(byte.bit_count() for byte in bytes.fromhex(seen["frame"])) == len(LIT_136)


def test_a_script_gives_the_same_each_time(taisai, keyed):
    assert taisai("simulate", "--script", "1 3 6 E", "--json").stdout == keyed.stdout


def test_the_text_form_tells_the_same(taisai):
    lines = taisai("simulate", "--script", "1 3 6 E").stdout.splitlines()
    told = {line.split()[0]: line.split()[1:] for line in lines}
    assert (told["state"], told["display"], told["lit"]) == (["result"], ['"136"'], LIT_136)


def test_blanks_of_the_display_are_kept(taisai):
    assert json.loads(taisai("simulate", "--script", "6", "--json").stdout)["display"] == "  6"


def test_a_blank_display_shows_in_the_text_form(taisai):
    lines = taisai("simulate", "--script", "w1").stdout.splitlines()
    assert 'display  "   "' in lines
    assert "lit      none" in lines


def test_a_fault_in_the_script_is_seen(taisai):
    seen = json.loads(taisai("simulate", "--script", "fault:open:small 1 3 6 E", "--json").stdout)
    assert seen["lit"] == LIT_136[1:]
