"""What the results display shows of a journal, by the rules: 3.4, and 5.1, 6.3, 7.1 and 7.2 for what is a result."""

import random
from itertools import combinations_with_replacement
from types import SimpleNamespace

import pytest
from journal_board import JournalBoard
from rule_evaluator import LAYOUTS, winners

from tablecore import records
from taisai.boards.layout import load_layout
from taisai.display import reading
from taisai.display.history import History
from taisai.display.picture import nothing, picture
from taisai.display.reading import LastGames, Reader
from taisai.journal.entries import entries

NZ1 = load_layout("nz-div9-appendix1")
NZ2 = load_layout("nz-div9-appendix2")
KOREA = load_layout("kr-daisai")

ENGLISH = {"small": "Small", "big": "Big", "odd": "Odd", "even": "Even", "triple": "Triple {}", "any": "Any Triple"}
KOREAN = {"small": "소", "big": "대", "odd": "홀", "even": "짝", "triple": "트리플 {}", "any": "애니 트리플"}


class Table:
    """A journal that is written as the firmware writes it, the display that has followed it from its first record, and
    a reader's link to it: (verb, timeout) of what was asked is in `asked`."""

    def __init__(self, size=20):
        self.made = JournalBoard()
        self.history = History(size)
        self.asked = []
        self.identity = self.made.identity
        self.link = SimpleNamespace(request=self._request)
        self._seen = 0

    def write(self, kind, throw="", previous="", detail=b""):
        numbers = [records.throw_index(*map(int, dice)) if dice else records.NO_THROW for dice in (throw, previous)]
        assert self.made.journal.append(kind, *numbers, detail=detail)
        self.history.take([entry for entry in self._all() if entry["sequence"] > self._seen])
        self._seen = self.made.journal.next - 1

    def play(self, *throws):
        for throw in throws:
            self.write(records.RESULT, throw)
            self.write(records.END, throw)

    def shown(self, layout=NZ2, last=20, window=20):
        return picture(layout, self.history.games, last, window)

    def restarted(self, size):
        """The games as a display that starts now finds them."""
        started = LastGames(size)
        started.update(Reader(self))
        return started.games

    def _all(self):
        return entries(bytes(self.made.journal.tail()))

    def _request(self, verb, fields=None, timeout_s=5.0):
        self.asked.append((verb, timeout_s))
        return self.made.handlers[verb](fields or {})


def faces(told):
    return ["".join(each.get("faces", "-")) for each in told["results"]]


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_result_is_called_what_wins_by_the_rules_of_its_layout(name):
    words = KOREAN if name == "kr-daisai" else ENGLISH
    layout = load_layout(name)
    for dice in combinations_with_replacement(range(1, 7), 3):
        won = winners(name, dice)
        expected = [words[each] for each in ("small", "big", "odd", "even") if each in won]
        expected += [words["triple"].format(dice[0])] * ("any-triple" in won)
        table = Table()
        table.play("".join(map(str, reversed(dice))))
        told = table.shown(layout)
        assert told["results"][0]["labels"] == expected
        assert told["results"][0]["faces"] == list(map(str, dice)) and told["results"][0]["total"] == sum(dice)
        counted = {each["name"]: each["count"] for each in told["counts"]}
        expected = {words[each]: int(each in won) for each in ("small", "big", "odd", "even") if words[each] in counted}
        assert counted == {**expected, words["any"]: int("any-triple" in won), told["words"]["void"]: 0}


def test_every_layout_counts_what_its_cloth_has():
    table = Table()
    for layout, names in ((NZ1, ["Small", "Big", "Any Triple", "Void"]),
                          (NZ2, ["Small", "Big", "Odd", "Even", "Any Triple", "Void"]),
                          (KOREA, ["소", "대", "홀", "짝", "애니 트리플", "무효"])):  # fmt: skip
        assert [each["name"] for each in table.shown(layout)["counts"]] == names


@pytest.mark.parametrize(
    ("throw", "called"),
    [("613", "1, 3, 6, Total 10"), ("343", "double 3, 4, Total 10"), ("555", "triple 5, Total 15")],
)
def test_the_call_is_that_of_rule_6_3(throw, called):
    table = Table()
    table.play(throw)
    assert table.shown(NZ1)["results"][0]["call"] == called


def test_on_the_korean_layout_the_call_is_korean():
    table = Table()
    table.play("613")
    assert table.shown(KOREA)["results"][0]["call"] == "1, 3, 6, 주사위의 합 10"
    assert table.shown(KOREA)["language"] == "ko"


def test_results_stand_newest_first_and_the_oldest_leaves_its_place():
    table = Table(size=3)
    table.play("111", "222", "333")
    assert faces(table.shown(last=3)) == ["333", "222", "111"]
    table.write(records.RESULT, "444")  # shown while its game is still open
    assert faces(table.shown(last=3)) == ["444", "333", "222"]
    assert table.shown(last=3)["places"] == 3


def test_an_amended_result_is_corrected_in_its_place():
    table = Table()
    table.play("666")
    table.write(records.RESULT, "361")
    table.write(records.AMEND, "362", "361")
    told = table.shown()
    assert faces(told) == ["236", "666"] and [each["amended"] for each in told["results"]] == [True, False]
    assert told["results"][0]["call"] == "2, 3, 6, Total 11" and told["results"][0]["labels"] == ["Big", "Odd"]
    table.write(records.AMEND, "552", "362")  # amendments chain
    table.write(records.END, "552")
    table.play("111")
    assert faces(table.shown()) == ["111", "255", "666"]
    assert [each["amended"] for each in table.shown()["results"]] == [False, True, False]
    assert table.shown()["counts"][0] == {"name": "Small", "count": 0}  # 361 was small and counts no more


def test_a_void_game_is_shown_as_void_and_as_nothing_else():
    table = Table()
    table.write(records.RESULT, "361")
    table.write(records.VOID, "361")  # while lit
    table.write(records.VOID)  # without a result: a game of its own
    table.play("555")
    told = table.shown()
    assert [each["void"] for each in told["results"]] == [False, True, True]
    assert told["results"][1] == {"game": 2, "void": True, "amended": False}
    assert told["counted"] == 3 and told["counts"][-1] == {"name": "Void", "count": 2}
    assert sum(each["count"] for each in told["ranking"]) == 3  # those of 555 alone


def test_a_void_takes_an_amended_result_away_too():
    table = Table()
    table.write(records.RESULT, "361")
    table.write(records.AMEND, "362", "361")
    table.write(records.VOID, "362")
    assert table.shown()["results"] == [{"game": 1, "void": True, "amended": False}]


def test_test_throws_are_never_shown():
    table = Table()
    table.write(records.TEST, "666", detail=b"throw")
    table.write(records.TEST, detail=b"passed")
    assert table.shown()["results"] == [] and table.shown()["counted"] == 0
    table.write(records.RESULT, "136")
    table.write(records.TEST, "444", detail=b"throw")  # a test run while a game is open has that game's number
    assert faces(table.shown()) == ["136"]


def test_hot_and_cold_are_the_numbers_that_dice_showed_most_and_least():
    table = Table()
    assert {each["heat"] for each in table.shown()["ranking"]} == {None}
    table.play("112", "134")
    told = {each["face"]: (each["count"], each["heat"]) for each in table.shown()["ranking"]}
    assert told == {"1": (3, "hot"), "2": (1, None), "3": (1, None), "4": (1, None), "5": (0, "cold"), "6": (0, "cold")}
    table.play("256", "345", "266")  # 1 to 4 now stand at 3, 3, 2, 2 and 5 at 2, 6 at 3
    told = {each["face"]: each["heat"] for each in table.shown()["ranking"]}
    assert told == {"1": "hot", "2": "hot", "3": "cold", "4": "cold", "5": "cold", "6": "hot"}
    table = Table()
    table.play("123", "456")  # all alike: none is hot
    assert {each["heat"] for each in table.shown()["ranking"]} == {None}


def test_counts_are_over_the_chosen_window_and_places_over_the_chosen_number():
    table = Table()
    table.play("666", "666", "112", "112", "112")
    told = table.shown(last=4, window=3)
    assert len(told["results"]) == 4 and told["counted"] == 3
    assert told["ranking"][0] == {"face": "1", "count": 6, "heat": "hot"} and told["ranking"][5]["count"] == 0
    assert told["counts"][0] == {"name": "Small", "count": 3}
    assert told["words"]["counts"] == "Last 3 games"


def test_a_money_wheel_shows_symbols_and_what_they_pay():
    """Rules 2.3, 3.8 (option one) and 4.4; hot and cold are measured by the sections that exhibit the symbol."""
    history = History(20)
    symbols = ["A"] * 12 + ["B"] * 6 + ["C"] * 4 + ["D"] * 2 + ["E", "G"]
    history.take([{"kind": "result", "game": number, "throw": each} for number, each in enumerate(symbols, start=1)])
    history.take([{"kind": "void", "game": 27}, {"kind": "amend", "game": 26, "throw": "F"}])
    told = picture(load_layout("nz-div10-option1"), history.games, 5, 20)
    assert told["results"][0] == {"game": 27, "void": True, "amended": False} and told["words"]["void"] == "No spin"
    assert told["results"][1] == {
        "game": 26, "void": False, "amended": True, "faces": ["F"], "labels": ["47 to 1"], "call": "Symbol F",
    }  # fmt: skip
    assert [each["labels"] for each in told["results"][2:]] == [["23 to 1"], ["11 to 1"], ["11 to 1"]]
    assert told["counts"] == [{"name": "No spin", "count": 1}]
    # The last 20: 5 of A in 24 sections, 6 of B in 12, 4 of C in 8, 2 of D in 4, 1 of E in 2, 1 of F in 1.
    assert [(each["face"], each["count"], each["heat"]) for each in told["ranking"]] == [
        ("A", 5, None), ("B", 6, None), ("C", 4, None), ("D", 2, None), ("E", 1, None), ("F", 1, "hot"),
        ("G", 0, "cold"),
    ]  # fmt: skip


def test_nothing_is_shown_in_the_form_of_a_picture():
    told = nothing(20)
    assert told.keys() == Table().shown().keys() and told["places"] == 20
    assert told["words"]["counts"] == "Last 0 games"


def test_a_record_that_no_table_writes_changes_nothing():
    """A result, or an amendment, without a throw."""
    table = Table()
    table.play("136")
    table.write(records.RESULT)
    table.write(records.AMEND)
    table.write(records.END)
    assert faces(table.shown()) == ["136"]
    assert [game.throw for game in table.restarted(20)] == ["136"]


def random_records(table, count, seed):
    """Write what a table may write; returns the games by the rules: [throw or None], oldest first."""
    rng = random.Random(seed)
    games, lit = [], None

    def throw():
        return "".join(str(rng.randint(1, 6)) for _ in range(3))

    for _ in range(count):
        kind = rng.choice(("game", "game", "game", "amend", "void", "test", "boot", "fault", "time"))
        if kind == "game" and lit is None:
            lit = throw()
            games.append(lit)
            table.write(records.RESULT, lit)
        elif kind == "game":
            table.write(records.END, lit)
            lit = None
        elif kind == "amend" and lit is not None:
            games[-1], before = throw(), lit
            lit = games[-1]
            table.write(records.AMEND, lit, before)
        elif kind == "void":
            if lit is None:
                games.append(None)
            else:
                games[-1] = None
            table.write(records.VOID, lit or "")
            lit = None
        elif kind == "test":
            table.write(records.TEST, throw(), detail=b"throw")
        elif kind in ("boot", "fault", "time"):
            number = {"boot": records.BOOT, "fault": records.FAULT, "time": records.CONFIG}[kind]
            table.write(number, detail={"boot": b"power", "fault": b"E33", "time": b"time"}[kind])
    return games


@pytest.mark.parametrize("seed", range(4))
def test_a_restarted_display_finds_the_games_that_a_running_one_has(seed, monkeypatch):
    monkeypatch.setattr(reading, "_BLOCK", 7)
    table = Table(size=1000)
    games = random_records(table, 400, seed)
    running = table.history.games
    assert [game.throw for game in running] == games[::-1] and len(games) > 100
    assert [game.number for game in running] == list(range(len(games), 0, -1))
    for size in (1, 2, 3, 20, len(games) - 1, len(games), len(games) + 1):
        assert table.restarted(size) == running[:size]
    assert {verb for verb, _ in table.asked} == {"journal", "journal-state"}


def test_a_display_reads_no_more_than_it_needs():
    table = Table(size=1000)
    random_records(table, 3000, 1)
    table.asked.clear()
    running = LastGames(20)
    running.update(Reader(table))
    assert len(table.asked) < 20
    table.asked.clear()
    running.update(Reader(table))  # over another link: nothing is new
    assert [verb for verb, _ in table.asked] == ["journal"]
    table.play("136")
    running.update(Reader(table))
    assert running.games == table.restarted(20)
    assert all(timeout_s <= 1.5 for _, timeout_s in table.asked)


@pytest.mark.parametrize("games", [1, 5, 30])
def test_another_journal_at_the_same_port_is_read_anew(games):
    """The controller was exchanged, or its memory was erased, and somebody has played since."""
    running = LastGames(20)
    before, after = Table(), Table()
    before.play("111", "222", "333")
    after.play(*["456"] * games)
    running.update(Reader(before))
    running.update(Reader(after))
    assert [game.throw for game in running.games] == ["456"] * min(games, 20)


def test_another_board_is_read_anew_though_its_records_go_on_alike():
    running = LastGames(20)
    before, after = Table(), Table()
    before.play("111", "222", "333")
    after.play("444", "555", "333")
    after.identity.board = "another"
    running.update(Reader(before))
    running.update(Reader(after))
    assert [game.throw for game in running.games] == ["333", "555", "444"]


def test_a_link_that_is_lost_while_it_is_read_leaves_nothing_half_known():
    running = LastGames(20)
    table = Table()
    for count in range(40):
        table.play("136", "245")
        asked, table.link.request = table.link.request, lost_after(table, count % 5)
        try:
            running.update(Reader(table))
        except ConnectionError:
            pass
        table.link.request = asked
    running.update(Reader(table))
    assert running.games == table.restarted(20)


def lost_after(table, count):
    """A link that fails at that request."""
    request, left = table.link.request, iter(range(count))

    def answer(*asked, **more):
        if next(left, None) is None:
            raise ConnectionError
        return request(*asked, **more)

    return answer
