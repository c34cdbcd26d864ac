"""Unix seconds and the calendar: every day of a hundred years, and some times that anybody can look up."""

from tablecore.calendar import calendar_of, seconds_of

DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MARCH_2000 = 951868800  # date -u -d 2000-03-01 +%s


def test_known_times():
    for seconds, fields in (
        (946684800, (2000, 1, 1, 0, 0, 0)),
        (951782400, (2000, 2, 29, 0, 0, 0)),
        (1700000000, (2023, 11, 14, 22, 13, 20)),
        (1709251199, (2024, 2, 29, 23, 59, 59)),
        (4102444799, (2099, 12, 31, 23, 59, 59)),
    ):
        assert seconds_of(*fields) == seconds
        if seconds >= MARCH_2000:
            assert calendar_of(seconds) == fields


def test_every_day_from_the_first_one_on():
    seconds = 946684800
    for year in range(2000, 2100):
        for month in range(1, 13):
            for day in range(1, DAYS[month - 1] + (month == 2 and year % 4 == 0) + 1):
                fields = (year, month, day, 0, 0, 0)
                assert seconds_of(*fields) == seconds, fields
                if seconds >= MARCH_2000:
                    assert calendar_of(seconds) == fields and calendar_of(seconds + 86399)[:3] == fields[:3]
                seconds += 86400
