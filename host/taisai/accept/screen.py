"""The operator's full screen: one line for each unit, the prompt in the middle, the verdict in colour and in words."""

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.events import Key
from textual.widgets import Input, Static

from taisai.accept.operator import Prompt
from taisai.accept.plain import understood

_COLOURS = {"PASS": "bold white on green", "FAIL": "bold white on red", "ERROR": "bold black on yellow"}
_OTHER = "bold white on grey37"
_TICK_S = 0.5


@dataclass
class _Line:
    """What is shown of one unit."""

    port: str
    serial_number: str = ""
    step: str = "waiting"
    done: int = 0
    of: int = 0
    began: float | None = None
    ended: float | None = None
    verdict: str = ""
    reason: str = ""


class StationApp(App):
    """`work(view)` tests the units, in a thread of its own, and shows through the view; its result is the app's."""

    BINDINGS = [Binding("ctrl+c", "quit", "end", priority=True)]
    AUTO_FOCUS = None  # a hidden field must not swallow the keys
    CSS = """
    #units { padding: 1 2; height: auto }
    #prompt { padding: 1 4; height: 1fr; content-align: center middle; text-style: bold; border: heavy $accent }
    #answer { display: none; dock: bottom }
    """

    def __init__(self, title: str, ports: list[str], work: Callable[["ScreenView"], object]):
        super().__init__()
        self.title = title
        self.lines = [_Line(port) for port in ports]
        self.error: BaseException | None = None
        self.stopped = False
        self.answers: queue.Queue[str | None] = queue.Queue()
        self.prompt: Prompt | None = None
        self._work = work

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.title)
            yield Static(id="units")
            yield Static(id="prompt")
            yield Input(id="answer")

    def on_ready(self) -> None:
        self.set_interval(_TICK_S, self.paint)
        self.paint()
        self.run_worker(self._run, thread=True)

    def _run(self) -> None:
        result = None
        try:
            result = self._work(ScreenView(self))
        except BaseException as error:
            self.error = error  # the caller raises it again, when the terminal is its own
        self.call_from_thread(self.exit, result)

    def paint(self) -> None:
        """Everything anew: a handful of lines."""
        self.query_one("#units", Static).update(Text("\n").join(_text(line) for line in self.lines))

    def show(self, prompt: Prompt | None) -> None:
        """Put a prompt up, None: take it away."""
        self.prompt = prompt
        field = self.query_one("#answer", Input)
        hint = {"yes-no": "\n\n[ Y ] yes      [ N ] no", "choice": f"\n\n{', '.join(prompt.choices)}" if prompt else ""}
        words = "" if prompt is None else prompt.text + hint.get(prompt.kind, "")
        self.query_one("#prompt", Static).update(Text(words, justify="center"))
        field.display = prompt is not None and prompt.kind in ("text", "choice")
        field.value = ""
        self.set_focus(field if field.display else None)

    async def action_quit(self) -> None:
        """Ctrl-C and Ctrl-Q: every run ends and is put on record as aborted; then the screen goes."""
        self.stopped = True
        self.answers.put(None)

    def on_key(self, event: Key) -> None:
        """Y and N answer."""
        if self.prompt is not None and self.prompt.kind == "yes-no":
            self._take(event.key)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self.prompt is not None:
            self._take(event.value)

    def _take(self, text: str) -> None:
        answer = understood(self.prompt, text)
        if answer is not None:
            self.show(None)
            self.answers.put(answer)


class ScreenView:
    """For taisai.accept.workers: called from the thread that tests."""

    def __init__(self, app: StationApp):
        self._app = app

    @property
    def stopped(self) -> bool:
        """Somebody wants everything to end."""
        return self._app.stopped

    def event(self, place: int, name: str, values: dict) -> None:
        """A unit goes on."""
        line = self._app.lines[place]
        if name == "begin":
            self._app.lines[place] = _Line(
                line.port, values["serial_number"], "opening the port", began=time.monotonic()
            )
        elif name == "plan":
            line.of = len(values["plan"])
        elif name == "step":
            line.step = values["name"]
        elif name == "step-ended":
            line.done += 1
            line.reason = values["reason"] or ""
        elif name in ("record", "error"):
            record = values.get("record") or {"outcome": "ERROR", "reason": values.get("text")}
            line.verdict, line.reason = record["outcome"], record["reason"] or ""
            line.ended = time.monotonic()
        self._app.call_from_thread(self._app.paint)

    def ask(self, place: int, prompt: Prompt) -> str | None:
        """Shown at once; None when its time is over."""
        line = self._app.lines[place]
        name = f"{line.port} {line.serial_number}\n\n" if len(self._app.lines) > 1 and prompt.text else ""
        shown = Prompt(name + prompt.text, prompt.kind, prompt.default, prompt.choices, prompt.timeout_s)
        self._app.call_from_thread(self._app.show, shown if prompt.text else None)
        if prompt.kind == "info":
            return None
        try:
            return self._app.answers.get(timeout=prompt.timeout_s)
        except queue.Empty:
            self._app.call_from_thread(self._app.show, None)
            return None


def run_screen(title: str, ports: list[str], work: Callable[[ScreenView], object]) -> object:
    """Test behind the full screen; what `work` returns, or the error that it raised."""
    app = StationApp(title, ports, work)
    result = app.run()
    if app.error is not None:
        raise app.error
    return result


def _text(line: _Line) -> Text:
    elapsed = 0.0 if line.began is None else (line.ended or time.monotonic()) - line.began
    bar = "#" * line.done + "." * (line.of - line.done)
    text = Text(f"{line.port:20} {line.serial_number:14} {elapsed:5.0f} s  [{bar}] ")
    if line.verdict:
        text.append(f" {line.verdict} ", _COLOURS.get(line.verdict, _OTHER))
        text.append(f"  {line.reason}")
    else:
        text.append(line.step)
    return text
