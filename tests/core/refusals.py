"""What a handler refuses, and why."""

from tablecore.protocol import ProtocolError


def refused(call, *arguments):
    """(error code, text) with which `call` refuses its arguments."""
    try:
        call(*arguments)
    except ProtocolError as error:
        return error.code, error.text
    raise AssertionError("not refused")
