"""The certificate and the JUnit file of a record, and the certificate in a real browser."""

import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
from records_made import record, step

from taisai.records.certificate import certificate
from taisai.records.junit import junit
from taisai.records.model import Outcome, Unit
from taisai.records.station import Station

UNIT = Unit(serial_number="SN0042", board="e66058388339662f", table="nz2-pico-tpic6b595", layout="nz-div9-appendix2")


@pytest.fixture
def entry(tmp_path):
    station = Station(tmp_path / "station")
    return lambda **more: station.ledger.append(record(**{"unit": UNIT, **more}), station.key)


def browser(*arguments):
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("NO BROWSER on this machine, so nothing is proved about the page: apt-get install chromium")
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *arguments]
    return subprocess.run(command, capture_output=True, timeout=90, check=True).stdout


def test_a_good_unit_has_its_verdict_its_hash_and_every_area(entry):
    made = entry()
    page = certificate(made)
    assert "serial number SN0042" in page and ">PASS<" in page and made.hash in page and made.seal["key"] in page
    assert len(set(re.findall(r'data-zone="([^"]+)"', page))) == 106
    assert 'class="zone lit"' not in page


def test_a_failed_lamp_is_named_and_bright_in_the_picture(entry):
    bad = step("lamps", Outcome.FAIL).model_copy(update={"part": "lamp of pair-1-2 (register 5, output 5)"})
    page = certificate(entry(outcome=Outcome.FAIL, reason="lamps: lamp of pair-1-2: dark", steps=(bad,)))
    assert ">FAIL<" in page and "lamps: lamp of pair-1-2: dark" in page
    assert re.findall(r'class="zone lit" data-zone="([^"]+)"', page) == ["pair-1-2"]


def test_words_cannot_become_markup_and_an_unknown_layout_only_lacks_its_picture(entry):
    page = certificate(entry(operator="<b>Ana</b>", unit=UNIT.model_copy(update={"layout": "gone"}), simulated=True))
    assert "&lt;b&gt;Ana" in page and "<b>Ana" not in page and "<svg" not in page and "PASS (simulated unit)" in page


def test_a_browser_shows_unit_verdict_and_picture_on_one_page(entry, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(certificate(entry(steps=tuple(step(f"step-{n}") for n in range(22)))), encoding="utf-8")
    page = path.as_uri()
    shown = browser("--dump-dom", page).decode()
    assert "SN0042" in shown and ">PASS<" in shown and shown.count("data-zone=") == 106
    browser(f"--print-to-pdf={tmp_path / 'page.pdf'}", "--no-pdf-header-footer", page)
    assert len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "page.pdf").read_bytes())) == 1


OUTCOMES = [
    (Outcome.PASS, (), ("0", "0")),
    (Outcome.FAIL, (step("lamps", Outcome.FAIL),), ("1", "0")),
    (Outcome.ERROR, (step("lamps", Outcome.ERROR),), ("0", "1")),
    (Outcome.INCOMPLETE, (step("lamps"),), ("0", "1")),
    (Outcome.ABORTED, (), ("0", "1")),
]


@pytest.mark.parametrize(("outcome", "steps", "counts"), OUTCOMES)
def test_no_outcome_but_pass_reads_as_one_in_junit(entry, outcome, steps, counts):
    suite = ElementTree.fromstring(junit(entry(outcome=outcome, steps=steps, plan=("lamps",), reason="why")))
    assert (suite.get("failures"), suite.get("errors")) == counts
    assert len(suite.findall("testcase/failure")) == int(counts[0])
    assert len(suite.findall("testcase/error")) == int(counts[1])
    known = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert known["outcome"] == outcome and len(known["hash"]) == 64
