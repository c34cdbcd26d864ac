"""The serial protocol's framing, limits and the judging of requests, against values worked out by other means."""

import json

from tablecore import digest, fields, framing, protocol, replies

# CRC-32 (IEEE 802.3) of the text before " *", worked out with zlib.
IDENTIFY = b"7 identify {} *a0e420d5"
SERVICE = b'41 service {"board":"e6614103e7452d2f"} *2b2c5df9'


def code(call, *arguments):
    """(code, id) of the ProtocolError that the call raises."""
    try:
        call(*arguments)
    except protocol.ProtocolError as error:
        return error.code, error.id
    raise AssertionError("no ProtocolError")


def test_crc_check_value():
    assert framing.crc(b"123456789") == "cbf43926"
    assert framing.crc(b"") == "00000000"


def test_known_request_is_read():
    assert framing.parse(IDENTIFY) == ("7", "identify", {})
    assert framing.parse(SERVICE) == ("41", "service", {"board": "e6614103e7452d2f"})


def test_line_typed_by_hand_has_no_id():
    assert framing.parse(b"identify") == ("-", "identify", {})
    assert framing.parse(b"state {}") == ("-", "state", {})
    assert framing.parse(b'state {"a":"b *c"}') == ("-", "state", {"a": "b *c"})


def test_a_wrong_crc_is_refused_with_and_without_an_id():
    assert code(framing.parse, IDENTIFY[:-1] + b"4") == ("crc", "-")
    assert code(framing.parse, b"identify {} *00000000") == ("crc", "-")


def test_a_line_with_an_id_needs_its_crc():
    for line in (b"7 identify {}", b"7 identify", b"7", IDENTIFY[:-1], IDENTIFY[:-2] + b"FF", IDENTIFY + b" "):
        assert code(framing.parse, line) == ("crc", "-")


def changes():
    """A request for each verb that changes something, with text in which a flipped bit can make a line end."""
    for verb in protocol.VERBS:
        if verb.access != "read":
            values = {"board": "e6614103e7452d2f"}
            for field in verb.fields[1:]:
                values[field.name] = {"brightness_percent": 50, "serial_number": "*M-J*settings"}
                if field.kind == "hex":
                    values[field.name] = "0123456789abcdef" * (field.upper // 16)
            yield framing.encode("41", verb.name, values)[:-1]


def test_no_single_flipped_bit_gives_another_request_that_changes_something():
    requests = list(changes())
    assert SERVICE in requests and len(requests) >= 4
    for request in requests:
        for at in range(len(request)):
            for bit in range(8):
                flipped = bytearray(request)
                flipped[at] ^= 1 << bit
                # A flip may also make a line end, which cuts the line in two.
                for part in bytes(flipped).replace(b"\r", b"\n").split(b"\n"):
                    try:
                        id, name, values = framing.parse(part)
                        verb = protocol.check(id, name, values, "idle")
                    except protocol.ProtocolError:
                        continue
                    assert verb.access == "read"


def test_bytes_that_are_not_printable_ascii_are_refused():
    for byte in (0, 3, 9, 0x1F, 0x7F, 0x80, 0xFF):
        assert code(framing.parse, b"identify" + bytes([byte])) == ("line", "-")
    assert code(framing.parse, b"") == ("line", "-")


def test_fields_must_be_one_json_object():
    for text in ("[]", "1", '"a"', "nul", "{", "{}{}", "{} x", "[" * 400, "{" * 400):
        line = b"state " + text.encode()
        assert code(framing.parse, line) == ("line", "-")


def test_a_bad_object_in_a_trusted_line_is_answered_to_its_id():
    head = b"12 state ["
    assert code(framing.parse, head + b" *" + framing.crc(head).encode()) == ("line", "12")


def test_id_has_at_most_nine_digits():
    for head, good in ((b"123456789 state {}", True), (b"1234567890 state {}", False)):
        line = head + b" *" + framing.crc(head).encode()
        if good:
            assert framing.parse(line)[0] == "123456789"
        else:
            assert code(framing.parse, line) == ("line", "-")


def test_a_change_needs_an_id():
    assert code(protocol.check, "-", "service", {"board": "x"}, "idle") == ("id", "-")
    assert protocol.check("3", "service", {"board": "x"}, "idle").name == "service"


def test_unknown_verbs_and_fields_are_refused():
    assert code(protocol.check, "3", "Identify", {}, "idle") == ("verb", "3")
    assert code(protocol.check, "3", "", {}, "idle") == ("verb", "3")
    assert code(protocol.check, "3", "identify", {"a": 1}, "idle") == ("field", "3")
    for values in ({}, {"board": 1}, {"board": None}, {"bored": "x"}, {"board": "x", "more": "y"}):
        assert code(protocol.check, "3", "service", values, "idle") == ("field", "3")


def test_reading_is_always_allowed_and_service_never_while_a_result_is_lit():
    for state in ("booting", "idle", "result", "fault"):
        protocol.check("-", "identify", {}, state)
        protocol.check("-", "state", {}, state)
    for state in ("booting", "result"):
        assert code(protocol.check, "3", "service", {"board": "x"}, state) == ("state", "3")
    for state in ("idle", "fault"):
        protocol.check("3", "service", {"board": "x"}, state)


def test_a_field_out_of_range_is_named():
    good = {"nonce": "00" * 8, "path": "/main.py"}
    assert protocol.check("3", "hash", good, "idle").name == "hash"
    for name, value in (("nonce", "00" * 7), ("nonce", "AB" * 8), ("path", ""), ("path", "x" * 65), ("path", 'a"b')):
        wrong = dict(good)
        wrong[name] = value
        try:
            protocol.check("3", "hash", wrong, "idle")
        except protocol.ProtocolError as error:
            assert error.code == "field" and error.text.startswith(name + " must be "), error.text
            continue
        raise AssertionError(value)


def test_message_out():
    line = framing.encode("7", "ok", {"state": "idle"})
    assert line == b'7 ok {"state":"idle"} *646bb034\n'
    assert framing.encode("-", "error", {"code": "crc"})[:2] == b"- "


def test_message_out_is_never_longer_than_a_line():
    room = 512 - len('7 ok {"a":""} *00000000')
    assert len(framing.encode("7", "ok", {"a": "x" * room})) == 513
    try:
        framing.encode("7", "ok", {"a": "x" * (room + 1)})
    except ValueError:
        return
    raise AssertionError("a line of 513 bytes was made")


def test_every_table_row_is_whole():
    names = [verb.name for verb in protocol.VERBS]
    assert len(set(names)) == len(names) and {"identify", "state", "service"} <= set(names)
    assert [reply.verb for reply in replies.REPLIES] == names
    for verb in protocol.VERBS:
        reply = replies.reply_to(verb.name)
        assert verb.access in ("read", "open", "change", "write") and reply.text
        assert verb.access == "read" or "booting" not in verb.states
        for field in verb.fields + reply.fields:
            assert fields.words(field.kind, field.lower, field.upper)
        if verb.access != "read":
            assert verb.fields[0][:2] == ("board", "text")
        if "booting" in verb.states:
            assert [field[:2] for field in reply.fields].count(("state", "text")) == 1
    codes = [row[0] for row in protocol.ERRORS]
    assert len(set(codes)) == len(codes)
    for each in codes:
        assert len(framing.encode("123456789", "error", {"code": each, "text": protocol.error_text(each)})) <= 513


def test_digest_changes_with_the_table():
    before = replies.digest()
    assert len(before) == 16 and before == digest.PROTOCOL
    rows = protocol.VERBS
    try:
        protocol.VERBS = rows[:-1]
        assert replies.digest() != before
    finally:
        protocol.VERBS = rows
    assert json.loads(json.dumps(before)) == before


def test_the_longest_event_fits_in_a_line():
    fields = {"seq": 1 << 40, "state": "fault", "digits": "666", "lit": [6, 6, 6], "switch": False}
    fields["faults"] = ["E11", "E12", "E13", "E14", "E21", "C64"] + ["E4%d" % key for key in range(1, 8)]
    fields["faults"] += ["L%02d" % zone for zone in range(1, protocol.MOST_FAULTS - 12)]
    assert len(fields["faults"]) == protocol.MOST_FAULTS
    assert len(framing.encode("!", "state", fields)) <= 513
