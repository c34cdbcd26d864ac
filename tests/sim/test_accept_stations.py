"""Several units side by side, and everything that goes wrong around a run: never a PASS, never a lost record, and the
port and the station can be used again at once.
"""

import json
import os
import random
import signal
import subprocess

import pytest
from accept_bench import accept

from taisai.accept.workers import run_jobs
from taisai.client.simport import SimPort
from taisai.records.model import Outcome
from taisai.records.station import Station

PORT = "sim:nz1-pico-hc595"
STEPS = ("flash", "identify", "self-test", "configure", "files", "key-switch", "display", "keys", "beeper", "lamps",
         "calibration", "throws", "power", "storage", "watchdog", "journal", "link", "clock", "service-key",
         "final")  # fmt: skip
UNNOTICED = {("reset", "flash"), ("swap", "flash"), ("reset", "identify")}
IN_CI = 4


class Unplugged(SimPort):
    """A port whose cable comes out when the test says so."""

    out = False

    def read(self, size=1):
        self._check()
        return super().read(size)

    def write(self, data):
        self._check()
        return super().write(data)

    def _check(self):
        if self.out:
            raise OSError(5, "Input/output error")


def cut(sim, board, monkeypatch):
    sim.out = True


def power_off(sim, board, monkeypatch):
    board.power_off()


def reset(sim, board, monkeypatch):
    board.hard_reset()


def swap(sim, board, monkeypatch):
    """Another unit of the same table takes its place on the same port."""
    from taisai.boards.table import load_table
    from taisai.sim.board import VirtualBoard

    other = VirtualBoard(load_table("nz1-pico-hc595"), seed=99)
    other.power_on()
    sim.board, sim.other = other, board


def full(sim, board, monkeypatch):
    """Nothing more can be written on the station's disk."""

    def fail(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)


TROUBLE = {"cut": cut, "power off": power_off, "reset": reset, "swap": swap, "disk full": full}


def troubled(tmp_path, monkeypatch, name, at):
    """Trouble at the beginning of step `at`; how the run ended, and what is on record of it."""
    from taisai.boards.table import load_table
    from taisai.errors import TaisaiError
    from taisai.sim.board import VirtualBoard

    board = VirtualBoard(load_table("nz1-pico-hc595"))
    sim = Unplugged("nz1-pico-hc595", board)

    def meanwhile(event, values, _):
        if event == "step" and values["name"] == at:
            with monkeypatch.context() if name != "disk full" else _kept(monkeypatch) as patch:
                TROUBLE[name](sim, board, patch)

    try:
        accept(tmp_path, sim=sim, meanwhile=meanwhile, board=board)
    except TaisaiError as error:
        assert name == "disk full" and "No space left" in str(error)
    finally:
        monkeypatch.undo()
        for each in (sim.board, board):
            each.power_off()
    station = Station(tmp_path / "station")
    station.recover()
    return list(station.ledger.entries())


class _kept:
    def __init__(self, patch):
        self.patch = patch

    def __enter__(self):
        return self.patch

    def __exit__(self, *_):
        pass


@pytest.mark.soak
def test_trouble_at_any_step_is_never_a_pass_and_never_a_lost_record(campaign, tmp_path, monkeypatch):
    # Before the unit was identified nobody can tell a restart, or another unit: all of the plan is still to come.
    cases = [(name, at) for name in TROUBLE for at in STEPS if (name, at) not in UNNOTICED]
    count = campaign(len(cases))
    chosen = cases if count == len(cases) else random.Random(7).sample(cases, IN_CI)
    for number, (name, at) in enumerate(chosen):
        entries = troubled(tmp_path / str(number), monkeypatch, name, at)
        assert len(entries) == 1, (name, at)
        record = entries[0].record
        assert record.outcome in (Outcome.FAIL, Outcome.ERROR, Outcome.ABORTED), (name, at, record.headline)
        before = STEPS[: STEPS.index(at)]
        assert [step.name for step in record.steps if step.outcome == "PASS"][: len(before)] == list(before), (name, at)


def job(tmp_path, serial, **more):
    base = {"station": str(tmp_path), "operator": "Ana", "table": None, "bundle": None, "only": ["identify", "link"]}
    base |= {"skip": [], "step_files": [], "assume_yes": True, "sizes": {"exchanges": 50}, "port": PORT}
    return {**base, "serial_number": serial, **more}


class Watching:
    stopped = False

    def __init__(self, on_event=lambda *_: None):
        self.events = []
        self._on_event = on_event

    def event(self, place, name, values):
        self.events.append((place, name))
        self._on_event(place, name, values)

    def ask(self, place, prompt):
        raise AssertionError("a bench answers by itself")


def test_a_dead_unit_neither_delays_nor_mixes_with_the_others(tmp_path):
    jobs = [job(tmp_path, "SN0001"), job(tmp_path, "SN0002", port="/dev/no-such-port"), job(tmp_path, "SN0003")]
    results = run_jobs(jobs, Watching())
    assert [each.record["outcome"] for each in results] == ["INCOMPLETE", "ERROR", "INCOMPLETE"]
    assert [each.record["unit"]["serial_number"] for each in results] == ["SN0001", "SN0002", "SN0003"]
    assert "/dev/no-such-port" in results[1].record["reason"]
    assert sorted(each.number for each in results) == [1, 2, 3]
    assert len({each.record["run"] for each in results}) == 3


def test_units_side_by_side_keep_their_service_keys_apart(tmp_path):
    jobs = [job(tmp_path, f"SN000{n}", only=["identify", "service-key"]) for n in (1, 2, 3)]
    results = run_jobs(jobs, Watching())
    assert [each.record["reason"].startswith("left out") for each in results] == [True] * 3
    kept = [(tmp_path / "service-keys" / f"SN000{n}").read_text().splitlines()[-1] for n in (1, 2, 3)]
    assert len(set(kept)) == 3


def killer_at(step, before):
    """Kills the program that tests the unit when it begins this step; the steps before are put into a list."""

    def watch(place, name, values):
        if name == "step" and values["name"] == step:
            command = ["pgrep", "-f", "-P", str(os.getpid()), "taisai.accept.worker"]
            (pid,) = subprocess.run(command, capture_output=True, text=True).stdout.split()
            os.kill(int(pid), signal.SIGKILL)
        elif name == "step":
            before.append(values["name"])

    return watch


@pytest.mark.soak
def test_a_program_killed_at_any_step_leaves_an_aborted_record_and_a_free_port(campaign, tmp_path):
    chosen = random.Random(3).sample(STEPS, campaign(len(STEPS)))
    sizes = {"exchanges": 50, "throws": 6}
    for number, step in enumerate(chosen, 1):
        before = []
        killed = job(tmp_path, f"SN{number:04}", only=None, sizes=sizes)
        (result,) = run_jobs([killed], Watching(killer_at(step, before)))
        assert result.record is None and "was ended" in result.text and result.exit == 2, step
        (entry,) = Station(tmp_path).recover()
        assert entry.record.outcome == Outcome.ABORTED, step
        passed = [each.name for each in entry.record.steps if each.outcome == "PASS"]
        # The signal may take effect somewhat later.
        assert passed[: len(before)] == before and passed == list(STEPS[: len(passed)]) != list(STEPS), step
    (again,) = run_jobs([job(tmp_path, "SN0001")], Watching())
    assert again.record["outcome"] == "INCOMPLETE" and again.number == len(chosen) + 1


def test_what_is_set_for_other_tests_does_not_change_the_plan(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k link --durations=5")
    (result,) = run_jobs([job(tmp_path, "SN0001")], Watching())
    assert [step["name"] for step in result.record["steps"]] == ["identify", "link"]


def test_ctrl_c_ends_every_unit_on_record(tmp_path):
    view = Watching()

    def stop(place, name, values):
        view.stopped = view.stopped or (name == "step" and values["name"] == "link")

    view._on_event = stop
    results = run_jobs([job(tmp_path, f"SN000{n}", sizes={"exchanges": 100_000}) for n in (1, 2)], view)
    assert [each.record["outcome"] for each in results] == ["ABORTED", "ABORTED"]
    assert [each.exit for each in results] == [130, 130]


def test_a_database_that_is_down_holds_nothing_up(taisai, tmp_path):
    arguments = ["--port", PORT, "--serial-number", "SN0001", "--operator", "Ana", "--assume-yes", "--only", "identify"]
    down = ["--database", "postgresql://factory@127.0.0.1:9/none", "--station", str(tmp_path)]
    done = taisai("accept", *arguments, *down, "--json")
    assert json.loads(done.stdout)["record"]["outcome"] == "INCOMPLETE"
    assert "send them later with: taisai records send" in done.stderr
    sent = taisai("records", "send", "--station", str(tmp_path))
    assert sent.stdout.startswith("1 records sent")


def test_a_port_that_another_run_has_is_refused(tmp_path):
    held = Station(tmp_path).claim("/dev/ttyACM0")
    (result,) = run_jobs([job(tmp_path, "SN0001", port="/dev/ttyACM0")], Watching())
    held.release()
    assert result.record is None and "another acceptance run on this computer has this port" in result.text


@pytest.mark.parametrize(("name", "port"), [("service-keys", PORT), ("transcripts", PORT), ("ports", "/dev/ttyACM0")])
def test_a_station_in_which_something_is_in_the_way_is_named(tmp_path, name, port):
    Station(tmp_path)
    (tmp_path / name).write_text("in the way")
    (result,) = run_jobs([job(tmp_path, "SN0001", port=port)], Watching())
    assert result.record is None and result.exit == 2
    assert str(tmp_path / name) in result.text and "defect" not in result.text
