"""The form of the link's lines. One line of printable ASCII, ended by CR or LF, is one message:

    request   7 identify {} *a0e420d5         the CRC-32 (8 hex digits) covers everything before " *"
    reply     7 ok {"state":"idle"} *646bb034
              7 error {"code":"verb","text":"no such verb"} *0675a228
    event     ! state {"seq":1,...} *...      only to a host that has subscribed
    by hand   identify                        no id, no CRC: may only read; answered with "-" as the id

An id is 1 to 9 decimal digits, chosen by the host, new for every request and the same when a request is repeated
because its reply was lost. A line whose CRC does not match has no id that could be trusted, so its error says "-".
"""

import binascii
import json

from tablecore.protocol import ID_DIGITS, LINE_MAX, NO_ID, ProtocolError

EVENT = "!"  # in place of the id


def crc(data):
    """CRC-32 of the bytes as on the wire: 8 lower-case hex digits."""
    return f"{binascii.crc32(data) & 0xFFFFFFFF:08x}"


def encode(id, word, fields):
    """One message with its CRC and line end. `word` is a verb, an event, "ok" or "error"; ValueError when too long."""
    head = " ".join((id, word, json.dumps(fields, separators=(",", ":")))).encode()
    line = b"%s *%s\n" % (head, crc(head).encode())
    if len(line) > LINE_MAX + 1:
        raise ValueError("message is longer than a line may be")
    return line


def unseal(line):
    """(text before the CRC or the whole line, whether it carried a CRC) of a line without its end.

    ProtocolError "line" for what no message may contain, "crc" when the CRC does not match.
    """
    if not line or min(line) < 0x20 or max(line) > 0x7E:
        raise ProtocolError("line")
    text = line.decode()
    head, mark, tail = text.rpartition(" *")
    if not mark or not _is_crc(tail):
        return text, False
    if crc(head.encode()) != tail:
        raise ProtocolError("crc")
    return head, True


def parse(line):
    """Take a request line (bytes, without its end) apart: (id or NO_ID, verb name, fields).

    Raises ProtocolError "line" or "crc". The verb and its fields are judged by protocol.check.
    """
    head, checked = unseal(line)
    first, _, rest = head.partition(" ")
    id = NO_ID
    if first.isdigit():
        if not checked:
            raise ProtocolError("crc")
        if len(first) > ID_DIGITS:
            raise ProtocolError("line")
        id = first
        first, _, rest = rest.partition(" ")
    return id, first, parse_fields(rest, id)


def parse_fields(text, id):
    """The JSON object after the verb; nothing at all stands for no fields. ProtocolError "line" to `id`."""
    text = text.strip()
    if not text:
        return {}
    try:
        fields = json.loads(text)
    except (ValueError, RuntimeError):  # RuntimeError: nested deeper than the parser's stack
        raise ProtocolError("line", id) from None
    if not isinstance(fields, dict):
        raise ProtocolError("line", id)
    return fields


def _is_crc(text):
    """True for exactly 8 lower-case hex digits."""
    if len(text) != 8:
        return False
    for character in text:
        if character not in "0123456789abcdef":
            return False
    return True
