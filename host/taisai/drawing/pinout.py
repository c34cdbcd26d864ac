"""The pins of a controller board and what is wired to each, as the board lies before the technician."""

from taisai.boards.controller import Controller
from taisai.boards.headers import HEADERS, gpio_of
from taisai.drawing import svg

_STEP = 26  # from pin to pin
_TOP = 40
_BOARD = 190  # width of the board itself
_SIDE = 230  # for the words on either side

STYLE = (
    ".paper { fill: #fff } .board { fill: #14532d; stroke: #111 } .pad { fill: #d4af37; stroke: #111 } "
    ".label { fill: #fff } .job { fill: #111 } .number { fill: #111 } .wire { stroke: #111; stroke-width: 2 } "
    ".left { text-anchor: end } .right { text-anchor: start }"
)

# What a person calls the jobs of the controller file.
_WORDS = {"keys.entry": "key ENTRY", "keys.switch": "key-switch"}


def draw(controller: Controller) -> str:
    """The board's header with every job of the controller file at its pin, as an SVG document."""
    jobs = {job.pin: _WORDS.get(job.key, _plain(job.key)) for job in controller.jobs()}
    left, right = HEADERS[controller.board]
    width, height = _BOARD + 2 * _SIDE, _TOP + _STEP * len(left) + 20
    body = [
        svg.rectangle(0, 0, width, height, "paper"),
        svg.text(width / 2, 24, 16, controller.board, "job"),
        svg.rectangle(_SIDE, _TOP - 6, _BOARD, height - _TOP - 4, "board", 8),
    ]
    for row, label in enumerate(left):
        body += _pin(row, label, row + 1, jobs.get(gpio_of(label)), on_left=True)
    for row, label in enumerate(right):
        body += _pin(row, label, 2 * len(left) - row, jobs.get(gpio_of(label)), on_left=False)
    return svg.document(width, height, STYLE, body, f"Pins of {controller.title}")


def _pin(row: int, label: str, number: int, job: str | None, on_left: bool) -> list[str]:
    """One pin: its pad and label on the board, its number beside it, and the job at the end of a wire."""
    y = _TOP + _STEP * row + 10
    edge = _SIDE if on_left else _SIDE + _BOARD
    out, side = (-1, "left") if on_left else (1, "right")
    inward = "right" if on_left else "left"
    found = [
        svg.rectangle(edge - out * 14 - 5, y - 5, 10, 10, "pad", 2),
        svg.text(edge - out * 24, y + 5, 12, label, f"label {inward}"),
        svg.text(edge + out * 6, y + 5, 12, str(number), f"number {side}"),
    ]
    if job:
        found.append(f'<line class="wire" x1="{edge + out * 28}" y1="{y}" x2="{edge + out * 50}" y2="{y}"/>')
        found.append(svg.text(edge + out * 56, y + 5, 13, job, f"job {side}"))
    return found


def _plain(key: str) -> str:
    """keys.digits[3] -> key 3, chain.sck -> lamps sck."""
    if key.startswith("keys.digits"):
        return f"key {key[key.index('[') + 1 : -1]}"
    return key.replace("chain.", "lamps ").replace(".pin", "").replace(".", " ").replace("_", " ")
