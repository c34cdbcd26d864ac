"""Unix seconds and the calendar, of the years 2000 to 2099, in which every fourth year is a leap year.

MicroPython's own functions count from 1970 on one chip and from 2000 on another.
"""

_DAY_S = 86400
_MARCH_2000_S = 951868800  # 01/03/2000: a year that begins in March ends with its leap day
_FOUR_YEARS = 1461  # days
_FIVE_MONTHS = 153  # days, from March on and from August on


def seconds_of(year, month, day, hour, minute, second):
    """Unix seconds of a time (UTC)."""
    months = (month + 9) % 12  # since March
    years = year - 2000 - (month < 3)
    # 01/01/2000 is 60 days before: -1 years are -366 days and 306 days.
    days = years * 365 + years // 4 + (months * _FIVE_MONTHS + 2) // 5 + day - 1
    return _MARCH_2000_S + days * _DAY_S + hour * 3600 + minute * 60 + second


def calendar_of(seconds):
    """(year, month, day, hour, minute, second) of Unix seconds from 01/03/2000 on."""
    days, second = divmod(seconds - _MARCH_2000_S, _DAY_S)
    fours, days = divmod(days, _FOUR_YEARS)
    years = min(days // 365, 3)
    days -= years * 365
    months = (days * 5 + 2) // _FIVE_MONTHS
    day = days - (months * _FIVE_MONTHS + 2) // 5 + 1
    month = (months + 2) % 12 + 1
    return 2000 + fours * 4 + years + (month < 3), month, day, second // 3600, second // 60 % 60, second % 60
