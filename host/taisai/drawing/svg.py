"""The few marks that the drawings are made of, as SVG text. Places and sizes are in pixels of the drawing."""

from html import escape

# Widths of characters in parts of the font's size, a little on the safe side for sans-serif fonts.
_LATIN, _WIDE = 0.62, 1.05
_FONTS = "'Noto Sans CJK KR', 'Noto Sans CJK SC', 'Noto Sans CJK TC', 'Noto Sans', 'DejaVu Sans', sans-serif"


def document(width: float, height: float, style: str, body: list[str], label: str) -> str:
    """A whole drawing that stands by itself, in any size."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="group"'
    rules = f"<style>text {{ font-family: {_FONTS}; text-anchor: middle }} {style}</style>"
    text = "\n".join([f'{head} aria-label="{escape(label)}">', rules, *body, "</svg>"]) + "\n"
    return text.encode("ascii", "xmlcharrefreplace").decode()  # so that no terminal and no file can spoil it


def rectangle(x: float, y: float, width: float, height: float, kind: str, radius: float = 0) -> str:
    """`kind` is the class that the drawing's style knows."""
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"/>'


def text(x: float, y: float, size: float, words: str, kind: str, language: str = "") -> str:
    """Words with their middle at `x` and their base line at `y`."""
    tongue = f' lang="{language}"' if language else ""
    return f'<text class="{kind}"{tongue} x="{x:g}" y="{y:g}" font-size="{size:.3g}">{escape(words)}</text>'


def width_of(words: str, size: float) -> float:
    """About how wide the words are, in any of the fonts."""
    return size * sum(_WIDE if ord(each) >= 0x1100 else _LATIN for each in words)


def fitting(words: str, width: float, most: float) -> float:
    """The largest size, up to `most`, in which the words are no wider than that."""
    return min(most, width / width_of(words, 1))
