"""Prompts in a plain terminal: a line of text, an answer with Enter, and a time-out that does not wait for it."""

import queue
import sys
import threading

from taisai.accept.operator import Prompt

_YES_NO = {"y": "yes", "yes": "yes", "n": "no", "no": "no"}


def ask(prompt: Prompt) -> str | None:
    """Show a prompt; the answer, None after its time-out or at the end of the input."""
    if not prompt.text:
        return None
    print(prompt.text + _hint(prompt), file=sys.stderr, flush=True)
    if prompt.kind == "info":
        return None
    answers: queue.Queue[str] = queue.Queue()
    while True:
        threading.Thread(target=lambda: answers.put(sys.stdin.readline()), daemon=True).start()
        try:
            line = answers.get(timeout=prompt.timeout_s)
        except queue.Empty:
            return None
        if not line:
            return None
        answer = understood(prompt, line)
        if answer is not None:
            return answer
        print(f"  not understood{_hint(prompt)}", file=sys.stderr, flush=True)


def understood(prompt: Prompt, line: str) -> str | None:
    """The answer that a line means, None when it means none."""
    word = line.strip() or (prompt.default or "")
    if prompt.kind == "yes-no":
        return _YES_NO.get(word.lower())
    if prompt.kind == "choice":
        return word if word in prompt.choices else None
    return word or None


def _hint(prompt: Prompt) -> str:
    if prompt.kind == "yes-no":
        return " [y/n]"
    return f" ({', '.join(prompt.choices)})" if prompt.kind == "choice" else ""


class PlainView:
    """Lines of text, each with its port where there are several."""

    stopped = False  # Ctrl-C comes by itself

    def __init__(self, ports: list[str]):
        self._prefix = [f"{port}: " if len(ports) > 1 else "" for port in ports]

    def event(self, place: int, name: str, values: dict) -> None:
        """A line for each step that has ended, and for what went wrong."""
        text = None
        if name == "step-ended":
            text = f"{values['outcome']} {values['name']}" + (f": {values['reason']}" if values["reason"] else "")
        elif name == "error":
            text = values["text"]
        if text is not None:
            print(self._prefix[place] + text, file=sys.stderr, flush=True)

    def ask(self, place: int, prompt: Prompt) -> str | None:
        """One question after the other, whichever unit it is about."""
        shown = Prompt(self._prefix[place] + prompt.text, prompt.kind, prompt.default, prompt.choices, prompt.timeout_s)
        return ask(shown if prompt.text else prompt)
