"""Typed values with ranges: the fields of the protocol's messages, and the rows of settings and identity.

Kinds: "text" (printable ASCII, its length in range), "integer" (its value in range), "flag", "hex" (lower-case digits,
their number in range), "date" (dd/mm/yyyy), "list" and "object" (number of entries in range). A kind that ends in "?"
may also be null. A range of None means any.
"""

_TYPES = {"text": str, "integer": int, "flag": bool, "hex": str, "date": str, "list": list, "object": dict}
_WORDS = {
    "text": 'must be {} characters, printable ASCII without " and \\',
    "integer": "must be a whole number from {}",
    "flag": "must be true or false",
    "hex": "must be {} digits of 0 to 9 and a to f",
    "date": "must be a date, dd/mm/yyyy",
    "list": "must be a list of {} entries",
    "object": "must be an object of {} entries",
}
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def problem(kind, lower, upper, value):
    """None when the value fits; else what it must be, in words."""
    bare = kind.rstrip("?")
    if value is None and bare != kind:
        return None
    if type(value) is _TYPES[bare] and _fits(bare, value):
        if lower is None or lower <= (value if bare == "integer" else len(value)) <= upper:
            return None
    return words(kind, lower, upper)


def words(kind, lower, upper):
    """What a value must be: "must be a whole number from 10 to 100"."""
    bare = kind.rstrip("?")
    if lower is None:
        size = "any"
    elif lower == upper:
        size = str(lower)
    else:
        size = f"{lower} to {upper}"
    text = _WORDS[bare].format(size)
    return text + " or null" if bare != kind else text


def _fits(kind, value):
    if kind == "text":
        return is_text(value)
    if kind == "hex":
        return _is_hex(value)
    return kind != "date" or _is_date(value)


def is_text(value):
    """Printable ASCII without quote and backslash: nothing that JSON would have to escape."""
    for character in value:
        if not " " <= character <= "~" or character in '"\\':
            return False
    return True


def _is_hex(value):
    for character in value:
        if character not in "0123456789abcdef":
            return False
    return True


def _is_date(value):
    """dd/mm/yyyy, a day that exists, from 2000 on."""
    if len(value) != 10 or value[2] != "/" or value[5] != "/":
        return False
    for part in (value[:2], value[3:5], value[6:]):
        if not part.isdigit():
            return False
    day, month, year = int(value[:2]), int(value[3:5]), int(value[6:])
    if not (1 <= month <= 12 and 1 <= day <= _MONTH_DAYS[month - 1] and 2000 <= year):
        return False
    return month != 2 or day < 29 or year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

