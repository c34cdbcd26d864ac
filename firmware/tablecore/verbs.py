"""What each verb of the protocol does on the board."""

from tablecore import faults, modules, protocol, records
from tablecore import fields as kinds
from tablecore.events import Feed
from tablecore.hashing import FileHash

SERVICE_FLAG = "/data/service"  # read and removed by main.py
# Names of one reply to `files`: so many characters of JSON leave room for id, CRC and the other field.
_NAMES_CHARACTERS = protocol.LINE_MAX - 64


class Verbs:
    """`handlers` has one function for each verb, `feed` the events for a host that subscribed. `restart` becomes True
    when the board is to restart once the reply is out.

    `facts` is what identify tells and nobody can change; `terminal` tells the state and keeps the faults; `settings`
    and `identity` are documents; `storage` gives the files of the volume, and `buffer` is for reading them.
    """

    def __init__(self, facts, terminal, settings, identity, storage, buffer):
        self.restart = False
        self.board = facts["board"]
        self.feed = Feed(terminal.snapshot)
        self._facts = facts
        self._terminal = terminal
        self._settings = settings
        self._identity = identity
        self._storage = storage
        self._buffer = buffer
        self.handlers = {
            "identify": self._identify,
            "state": self._state,
            "settings": self._get_settings,
            "set-settings": self._set_settings,
            "identity": self._get_identity,
            "set-identity": self._set_identity,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "files": self._files,
            "hash": self._hash,
            "calibrate": self._calibrate,
            "restart": self._restart,
            "service": self._service,
            "fixture": self._fixture,
        }

    def state(self):
        """The present state, one of protocol.STATES."""
        return self._terminal.snapshot()["state"]

    def _identify(self, fields):
        reply = dict(self._facts)
        reply.update(self._identity.values)
        reply["state"] = self.state()
        return reply

    def _state(self, fields):
        return self._terminal.snapshot()

    def _get_settings(self, fields):
        return {"values": self._settings.values}

    def _set_settings(self, fields):
        for name in self._settings.change(fields["values"]):
            value = self._settings.values[name]
            self._terminal.record(records.CONFIG, detail=b"%s=%d" % (name[:3].encode(), value))
        self._terminal.clear(faults.SETTINGS_DAMAGED)
        return {"values": self._settings.values}

    def _get_identity(self, fields):
        return {"values": self._identity.values}

    def _set_identity(self, fields):
        for name in self._identity.change(fields["values"]):
            self._terminal.record(records.CONFIG, detail=name[: records.DETAIL_BYTES].encode())
        self._terminal.clear(faults.IDENTITY_DAMAGED)
        return {"values": self._identity.values}

    def _subscribe(self, fields):
        self.feed.subscribe()
        return {"next": self.feed.next}

    def _unsubscribe(self, fields):
        self.feed.unsubscribe()
        return {"next": self.feed.next}

    def _files(self, fields):
        try:
            found = self._storage.names(fields["folder"])
        except OSError:
            raise protocol.ProtocolError("failed", text="no such folder") from None
        names = []
        room = _NAMES_CHARACTERS
        for name, size in sorted(found)[fields["first"] :]:
            name = _plain(name)
            room -= len(name) + len(str(size)) + 6
            if room < 0:
                return {"names": names, "more": True}
            names.append([name, size])
        return {"names": names, "more": False}

    def _hash(self, fields):
        if len(fields["nonce"]) % 2:
            raise protocol.ProtocolError("field", text="nonce must be whole bytes, two digits each")
        try:
            file = self._storage.open_file(fields["path"])
        except OSError:
            raise protocol.ProtocolError("failed", text="no such file") from None
        return FileHash(fields["nonce"], file, self._buffer)

    def _calibrate(self, fields):
        from tablecore.calibrating import Calibration

        job = Calibration(self._terminal, self._storage)
        modules.drop("calibrating", "calibration")  # the job alone keeps them
        return job

    def _restart(self, fields):
        self.restart = True
        return {"state": "restarting"}

    def _fixture(self, fields):
        """What acceptance asks for: loaded when it is needed, dropped at its end."""
        if self._terminal.scanner is None:
            raise protocol.ProtocolError("state")
        from tablecore.fixture import answer

        reply = answer(self._terminal, fields["do"], fields["data"])
        if fields["do"] == "end":
            modules.drop("fixture")
        return reply

    def _service(self, fields):
        try:
            self._storage.replace(SERVICE_FLAG, b"")
        except OSError:
            raise protocol.ProtocolError("failed", text="the flag file cannot be written") from None
        return self._restart(fields)


def _plain(name):
    """A file's name as a text field carries it. None of our own names needs a change."""
    return "".join([character if kinds.is_text(character) else "?" for character in name])
