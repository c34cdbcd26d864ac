"""What acceptance has the terminal of any game show: three digits, with every lamp dark, in a test run."""

import pytest
from link_bench import LinkBench

from taisai.client.errors import Refused


@pytest.fixture(scope="module")
def desk():
    with LinkBench() as made:
        made.board.run_ms(2000)
        yield made


def test_digits_are_shown_and_every_lamp_is_dark(desk):
    desk.host.fixture("keys", "136E")
    assert desk.bench.observe().lit
    assert desk.host.fixture("show", "628") == {"frame": desk.bench.observe().frame}
    desk.board.run_ms(700)
    seen = desk.bench.observe()
    assert seen.display == "628" and not seen.lit and int(seen.frame, 16) == 0
    desk.host.fixture("end")
    desk.board.run_ms(400)
    assert desk.bench.observe().display.strip() == "" and desk.host.state()["state"] == "idle"


@pytest.mark.parametrize(("do", "data"), [("show", "62"), ("show", "6282"), ("show", "abc"), ("show", "")])
def test_other_texts_are_refused(desk, do, data):
    with pytest.raises(Refused) as caught:
        desk.host.fixture(do, data)
    assert caught.value.code == "field"


def test_a_table_of_another_game_has_no_wheel(desk):
    with pytest.raises(Refused) as caught:
        desk.host.fixture("wheel")
    assert caught.value.code == "failed" and desk.host.state()["state"] == "idle"
