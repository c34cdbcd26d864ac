"""Several units side by side: a program of its own for each, so that none can delay or mix with another."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from taisai.accept.operator import Prompt
from taisai.errors import EXIT_USAGE

_ENDS_S = 30
_LOOK_S = 0.5  # how soon it is noticed that everything is to end


class View(Protocol):
    """What a person sees of it. `place`: which unit, from 0. `stopped`: everything is to end."""

    stopped: bool

    def event(self, place: int, name: str, values: dict) -> None:
        """A unit goes on."""

    def ask(self, place: int, prompt: Prompt) -> str | None:
        """Ask for an answer; None after the time-out."""


@dataclass
class Result:
    """How one unit's program ended. `record` None: nothing could be recorded, and `text` says why."""

    port: str
    serial_number: str
    exit: int = EXIT_USAGE
    number: int | None = None
    hash: str | None = None
    record: dict | None = None
    text: str | None = None


@dataclass
class _Worker:
    result: Result
    process: subprocess.Popen


def run_jobs(jobs: Sequence[dict], view: View) -> list[Result]:
    """Test every unit; one result for each, in the order of the jobs. Ctrl-C ends them all, each on record."""
    events: queue.Queue[tuple[int, dict | None]] = queue.Queue()
    for place, job in enumerate(jobs):
        view.event(place, "begin", {"serial_number": job["serial_number"]})
    workers = [_start(place, job, events) for place, job in enumerate(jobs)]
    left = len(workers)
    interrupted = False
    while left:
        try:
            if view.stopped and not interrupted:
                raise KeyboardInterrupt
            place, event = events.get(timeout=_LOOK_S)
            if event is None:
                left -= 1
                _ended(workers[place])
            else:
                _handle(place, event, workers[place], view)
        except queue.Empty:
            pass
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            for worker in workers:
                worker.process.stdin.close()
    return [worker.result for worker in workers]


def _start(place: int, job: dict, events: queue.Queue) -> _Worker:
    # What somebody has set for other tests of theirs, options or plugins, must not change the plan.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # A session of its own: Ctrl-C goes to the station alone, which ends the others in good order.
    process = subprocess.Popen(
        [sys.executable, "-m", "taisai.accept.worker"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    process.stdin.write(json.dumps(job) + "\n")
    process.stdin.flush()

    def listen() -> None:
        for line in process.stdout:
            events.put((place, json.loads(line)))
        process.wait(_ENDS_S)
        events.put((place, None))

    threading.Thread(target=listen, daemon=True).start()
    return _Worker(Result(job["port"], job["serial_number"]), process)


def _handle(place: int, event: dict, worker: _Worker, view: View) -> None:
    name = event.pop("event")
    result = worker.result
    if name == "prompt":
        prompt = Prompt(**{**event, "choices": tuple(event["choices"])})
        answer = view.ask(place, prompt)
        if prompt.kind != "info":
            _answer(worker, answer)
        return
    if name == "record":
        result.number, result.hash, result.record = event["number"], event["hash"], event["record"]
        result.exit = event["exit"]
    elif name == "error":
        result.text, result.exit = event["text"], event["exit"]
    view.event(place, name, event)


def _answer(worker: _Worker, answer: str | None) -> None:
    try:
        worker.process.stdin.write(json.dumps({"answer": answer}) + "\n")
        worker.process.stdin.flush()
    except (OSError, ValueError):
        pass  # it has ended meanwhile, which is told by the end of its output


def _ended(worker: _Worker) -> None:
    result = worker.result
    if result.record is None and result.text is None:
        result.text = f"{result.port}: the program that tested this unit was ended (code {worker.process.returncode})"
