"""A table at the other end of a link: who it is, what it does now, and everything that can be asked of it."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, fields

from tablecore import protocol, replies
from taisai.client.errors import Mismatch, NotOurs, StillBooting
from taisai.client.link import Link
from taisai.client.transport import Transport

IDENTIFY_S = 5.0
_BOOT_LOOK_S = 0.2
_HASH_S = 30.0
_CALIBRATE_S = 120.0
_NONCE_BYTES = 16


@dataclass(frozen=True)
class Identity:
    """What a board tells about itself. What its version does not tell is None."""

    board: str
    firmware: str
    digest: str
    protocol: int | None = None
    application: str | None = None
    table: str | None = None
    table_digest: str | None = None
    mcu: str | None = None
    micropython: str | None = None
    reset: str | None = None
    serial_number: str | None = None
    model: str | None = None
    hardware_revision: str | None = None
    manufactured: str | None = None
    state: str | None = None

    def __str__(self) -> str:
        serial = f", serial number {self.serial_number}" if self.serial_number else ""
        return f"board {self.board}{serial}, table {self.table or 'none'}, version {self.firmware}, state {self.state}"


class Board:
    """Made by `identify`; a context manager that lets go of the port."""

    def __init__(self, link: Link, identity: Identity):
        self.link = link
        self.identity = identity

    @classmethod
    def identify(cls, transport: Transport, timeout_s: float = IDENTIFY_S, any_protocol: bool = False) -> "Board":
        """Ask who is there, and wait until its self-tests are over.

        NotOurs, Silent, NotReading, LinkLost when it is no table; StillBooting when it stays in its self-tests;
        Mismatch when it speaks another protocol, unless `any_protocol` (then only the identity can be relied on).
        """
        link = Link(transport)
        end = transport.now() + timeout_s
        told = link.request("identify", timeout_s=timeout_s)
        while told.get("state") == protocol.BOOTING and len(told) == 1:
            if (left := end - transport.now()) <= 0:
                raise StillBooting(transport.name, f"the board's self-tests have not ended within {timeout_s:g} s")
            link.next_event(min(left, _BOOT_LOOK_S))
            told = link.request("identify", timeout_s=max(left, _BOOT_LOOK_S))
        if not all(isinstance(told.get(name), str) for name in ("board", "firmware", "digest")):
            raise NotOurs(transport.name, "something answers in a table's form, but does not say who it is")
        identity = Identity(**{each.name: told.get(each.name) for each in fields(Identity)})
        if identity.digest != replies.digest() and not any_protocol:
            raise Mismatch(
                transport.name,
                f"board {identity.board} has firmware {identity.firmware}, which speaks another protocol than this "
                "tool: use the tool of that version, or flash the board",
            )
        return cls(link, identity)

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the port."""
        self.link.transport.close()

    @property
    def port(self) -> str:
        """The port as the user knows it."""
        return self.link.transport.name

    def state(self) -> dict:
        """What the table is doing now: state, digits, lit, faults, switch."""
        return self.link.request("state")

    def settings(self) -> dict:
        """Every setting with its value."""
        return self.link.request("settings")["values"]

    def set_settings(self, values: dict) -> dict:
        """Change some settings, all or none; returns every setting as it is now."""
        return self._change("set-settings", values=values)["values"]

    def unit_identity(self) -> dict:
        """What the factory wrote about this unit."""
        return self.link.request("identity")["values"]

    def set_unit_identity(self, values: dict) -> dict:
        """Change some of it, all or none; returns all of it as it is now."""
        return self._change("set-identity", values=values)["values"]

    def files(self, folder: str) -> dict[str, int | None]:
        """Name to bytes of everything in a folder of the volume; None for a folder in it."""
        found: list[list] = []
        while True:
            reply = self.link.request("files", {"folder": folder, "first": len(found)})
            found += reply["names"]
            if not reply["more"] or not reply["names"]:
                return {name: size for name, size in found}

    def tree(self, folder: str = "/") -> Iterator[tuple[str, int]]:
        """(path, bytes) of every file below a folder."""
        for name, size in self.files(folder).items():
            path = f"{folder.rstrip('/')}/{name}"
            if size is None:
                yield from self.tree(path)
            else:
                yield path, size

    def file_hash(self, path: str, nonce: bytes) -> tuple[int, str]:
        """(bytes, SHA-256 in hex over nonce and content) of a file, worked out by the board."""
        reply = self.link.request("hash", {"nonce": nonce.hex(), "path": path}, _HASH_S)
        return reply["size"], reply["sha256"]

    @staticmethod
    def new_nonce() -> bytes:
        """One that nobody can foresee."""
        return secrets.token_bytes(_NONCE_BYTES)

    def subscribe(self) -> int:
        """Have events sent; returns the number that the next one will have."""
        return self.link.request("subscribe")["next"]

    def unsubscribe(self) -> None:
        """Have no more events sent."""
        self.link.request("unsubscribe")

    def integrity(self) -> tuple[str, str | None, str | None]:
        """Whether its files are those of the manifest: ("checking", "good" or "bad", first wrong file, reason)."""
        told = self.link.request("integrity")
        return told["integrity"], told["path"], told["reason"]

    def session_start(self) -> dict:
        """A nonce for an answer, whether a session is needed at all, and after how many seconds an answer counts."""
        return self._change("session-start")

    def session_open(self, answer: str) -> None:
        """Open a session with the answer to the nonce; see client/session.py."""
        self._change("session-open", answer=answer)

    def session_end(self) -> None:
        """End it."""
        self._change("session-end")

    def set_key(self, key: bytes) -> None:
        """Set the service key, which ends the session."""
        self._change("set-key", key=key.hex())

    def journal(self, first: int) -> tuple[str, int]:
        """A page of records from sequence number `first` on, as base64; the number that the next record will have."""
        reply = self.link.request("journal", {"first": first})
        return reply["records"], reply["next"]

    def journal_state(self) -> dict:
        """What the journal says of itself."""
        return self.link.request("journal-state")

    def mark_exported(self, upto: int) -> int:
        """Tell that every record up to this one was exported; returns up to which one the board holds that to be so."""
        return self._change("mark-exported", upto=upto)["exported"]

    def set_time(self, seconds: int) -> None:
        """Tell the time, in Unix seconds."""
        self._change("set-time", time=seconds)

    def fixture(self, do: str, data: str = "", timeout_s: float = 5.0) -> dict:
        """What acceptance alone asks for; see the verb in firmware/PROTOCOL.md."""
        more = {"board": self.identity.board, "do": do, "data": data}
        return self.link.request("fixture", more, timeout_s)["told"]

    def calibrate(self) -> int:
        """Have it light each area alone and keep what its lamps take; returns for how many areas."""
        return self.link.request("calibrate", {"board": self.identity.board}, _CALIBRATE_S)["zones"]

    def restart(self) -> None:
        """Restart it as after power-on. Its port may be gone for some seconds."""
        self._change("restart")

    def service(self) -> None:
        """Restart it into the MicroPython prompt, for once, without the watchdog."""
        self._change("service")

    def _change(self, verb: str, **more: object) -> dict:
        return self.link.request(verb, {"board": self.identity.board, **more})
