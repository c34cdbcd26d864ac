"""The picture of the layout and of the digits: complete, within a terminal's width, readable without colours."""

from pathlib import Path

import pytest

from taisai.boards.layout import list_layouts, load_layout
from taisai.cli.cloth import LIT, PARTIAL, UNLIT, draw, label, rows
from taisai.cli.digits import draw_digits

README = Path(__file__).resolve().parents[2] / "README.md"
NO_POINTS = (False, False, False)


@pytest.fixture(params=list_layouts())
def zones(request):
    return load_layout(request.param).zone_ids


def test_every_zone_lies_on_the_cloth_once(zones):
    placed = [zone for _, line in rows(zones) for zone in line]
    assert sorted(placed) == sorted(zones)


def test_the_cloth_fits_a_terminal(zones):
    for line in draw(zones, lit=zones, partial=()).plain.splitlines():
        assert len(line) <= 80
    # With title, digits, state and help around it: 24 lines.
    assert len(draw(zones, lit=(), partial=()).plain.splitlines()) <= 17


def test_small_and_big_lie_at_the_ends(zones):
    _, first = rows(zones)[0]
    assert (first[0], first[-1]) == ("small", "big")


@pytest.mark.parametrize(
    ("zone", "printed"),
    [
        ("small", "SMALL"), ("any-triple", "ANY TRIPLE"), ("single-6", "6"), ("double-2", "22"), ("triple-5", "555"),
        ("total-17", "17"), ("pair-1-4", "14"), ("three-2-2-5", "225"), ("four-1-2-3-4", "1234"),
    ],
)  # fmt: skip
def test_labels(zone, printed):
    assert label(zone) == printed


def test_lit_partial_and_dark_zones_differ_in_sign_and_in_style():
    picture = draw(["single-1", "single-2", "single-3"], lit=["single-1"], partial=["single-2"])
    assert picture.plain.splitlines()[-1] == "[1](2) 3 "
    styles = [(picture.plain[span.start : span.end], span.style) for span in picture.spans]
    assert [("[1]", LIT), ("(2)", PARTIAL), (" 3 ", UNLIT)] == styles[-3:]


def test_the_readme_shows_this_picture():
    """Rule 4.1: small, three numbers, the total and three pairs win on 1 3 6."""
    lit = "small single-1 single-3 single-6 total-10 pair-1-3 pair-1-6 pair-3-6".split()
    picture = draw(load_layout("nz-div9-appendix1").zone_ids, lit, partial=())
    shown = [line.removeprefix("    ").rstrip() for line in README.read_text(encoding="utf-8").splitlines()]
    wanted = [line.rstrip() for line in picture.plain.splitlines()]
    start = shown.index(wanted[0])
    assert shown[start : start + len(wanted)] == wanted


def test_digits():
    assert draw_digits("136", NO_POINTS) == [
        "      _    _  ",
        "  |   _|  |_  ",
        "  |   _|  |_| ",
    ]


def test_a_decimal_point_is_drawn_at_its_digit():
    assert draw_digits("8 8", (False, True, False))[2] == "|_|     . |_| "


def test_no_two_characters_look_alike():
    """Except where seven segments cannot tell them apart by nature: none among those the firmware shows."""
    drawn = {character: tuple(draw_digits(character * 3, NO_POINTS)) for character in "0123456789E- "}
    assert len(set(drawn.values())) == len(drawn)


def test_an_unknown_pattern_is_shown_as_such():
    assert "?" in draw_digits("1?3", NO_POINTS)[1]
