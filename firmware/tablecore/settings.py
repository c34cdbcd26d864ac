"""What can be set on a unit: the one list of settings and of identity fields, and the form of their files.

Board and host judge values by the same rows. A file is one JSON object whose first member is the CRC-32 of all that
follows it, so that a damaged file is told from a good one whatever byte was hit.
"""

import json
from collections import namedtuple

from tablecore import fields, framing

# Counts up when values of before have to be changed to mean the same; see _MIGRATIONS. A file of a later format than
# this is refused, so that going back to older firmware ends in the values of delivery and a fault that says so.
FORMAT = 2

Row = namedtuple("Row", ("name", "kind", "lower", "upper", "default", "text"))

SETTINGS = (
    Row("brightness_percent", "integer", 10, 100, 100, "brightness of all lamps, percent of full; first as delivered"),
    Row("opening_test", "flag", None, None, False, "no game after a start or on a new day before a test run is passed"),
    Row("day_begins_hour_utc", "integer", 0, 23, 18, "hour (UTC) at which a new day of play begins, for opening_test"),
)

# Their lengths are such that identify fits in one line with all of them.
IDENTITY = (
    Row("serial_number", "text?", 1, 24, None, "serial number of the unit"),
    Row("model", "text?", 1, 24, None, "model, as on its label"),
    Row("hardware_revision", "text?", 1, 16, None, "revision of the electronics"),
    Row("manufactured", "date?", None, None, None, "date of manufacture, dd/mm/yyyy"),
)

_HEAD_BYTES = 18


def find(rows, name):
    """The row of that name, or None."""
    for row in rows:
        if row.name == name:
            return row
    return None


def defaults(rows):
    """Every row's default."""
    return {row.name: row.default for row in rows}


def check(rows, values):
    """What is wrong with some of the values, as (name, what it must be); an empty list when nothing is."""
    found = []
    for name in values:
        row = find(rows, name)
        if row is None:
            found.append((name, "no such name"))
            continue
        text = fields.problem(row.kind, row.lower, row.upper, values[name])
        if text:
            found.append((name, text))
    return found


def dimmer(lamps):
    """A function that takes the settings of a table and has the lamps shine as they say."""
    return lambda values: lamps.brightness(values["brightness_percent"])


def dump(values):
    """The file's content."""
    rest = json.dumps({"format": FORMAT, "values": values}, separators=(",", ":"))[1:].encode()
    return _head(rest) + rest


def load(rows, data):
    """The values that a file holds, those of an earlier format as they read in this one. ValueError with a plain reason
    when it is damaged or of a later format.

    What this version does not know is left out: a later version may have written it.
    """
    rest = data[_HEAD_BYTES:]
    if data[:_HEAD_BYTES] != _head(rest):
        raise ValueError("damaged")
    try:
        content = json.loads(b"{" + rest)
    except ValueError:
        raise ValueError("not JSON") from None
    if type(content) is not dict or type(content.get("format")) is not int or type(content.get("values")) is not dict:
        raise ValueError("not as written")
    if not 1 <= content["format"] <= FORMAT:
        raise ValueError("of another format")
    for format in range(content["format"], FORMAT):
        _MIGRATIONS[format](rows, content["values"])
    values = {name: value for name, value in content["values"].items() if find(rows, name)}
    if check(rows, values):
        raise ValueError("out of range")
    return values


def _from_1(rows, values):
    """Format 1 knew no opening test. A unit that was set up then goes on without, whatever the delivery is by now."""
    if rows is SETTINGS:
        values["opening_test"] = False


# By format: what makes its values those of the next one.
_MIGRATIONS = {1: _from_1}


def _head(rest):
    return b'{"crc":"' + framing.crc(rest).encode() + b'",'
