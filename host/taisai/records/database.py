"""The database of a factory: SQLite in the station's folder, or PostgreSQL by URL for many stations.

The ledger is the outbox: what the database does not have of it is sent, so that an outage holds nothing back for good.
A record that is there already is not added again, whoever sends it, and however often.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, insert, select, text
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from taisai.errors import TaisaiError
from taisai.journal.chain import first_hash
from taisai.journal.entries import TIME_FORM
from taisai.records.ledger import Entry, Ledger, parse
from taisai.records.tables import measurements, records, steps

_MIGRATIONS = Path(__file__).with_name("migrations")
_CONNECT_S = 5
# Any number that no other program of the factory uses as its lock: "tais" in ASCII.
_MIGRATION_LOCK = 0x74616973


class DatabaseDown(TaisaiError):
    """The database does not answer, or cannot be used; the records stay in the ledger until it does."""


class Database:
    """`url` is sqlite:///FILE or postgresql://USER@HOST/NAME. Its tables are brought up to date when it is opened."""

    def __init__(self, url: str):
        url = url.replace("postgresql://", "postgresql+psycopg://", 1)
        try:
            options = {"connect_timeout": _CONNECT_S} if url.startswith("postgresql") else {"timeout": _CONNECT_S}
            self._engine = create_engine(url, connect_args=options)
        except (ArgumentError, NoSuchModuleError) as error:
            raise TaisaiError("that is no database URL: sqlite:///FILE or postgresql://USER@HOST/NAME") from error
        self.name = self._engine.url.render_as_string(hide_password=True)
        try:
            with self._begin() as connection:
                _migrate(connection)
        except TaisaiError:
            self.close()
            raise

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of every connection."""
        self._engine.dispose()

    def send(self, ledger: Ledger) -> int:
        """Add what the database lacks of this ledger; returns how many records that were."""
        chain = _chain_of(ledger)
        if chain is None:
            return 0
        with self._begin() as connection:
            there = set(connection.scalars(select(records.c.number).where(records.c.chain == chain)))
        missing = [entry for entry in ledger.entries() if entry.number not in there]
        return sum(self._add(chain, entry) for entry in missing)

    def hashes(self, ledger: Ledger) -> dict[int, str]:
        """Number to hash of the records of this ledger that the database has."""
        found = select(records.c.number, records.c.hash).where(records.c.chain == _chain_of(ledger))
        with self._begin() as connection:
            return {number: digest for number, digest in connection.execute(found)}

    def entries(self) -> Iterator[Entry]:
        """Every record of every station, oldest first."""
        with self._begin() as connection:
            lines = list(connection.scalars(select(records.c.line).order_by(records.c.started, records.c.number)))
        for line in lines:
            try:
                yield parse(line)
            except ValueError as error:
                raise TaisaiError(f"{self.name}: a record in it is damaged: {error}") from error

    def _add(self, chain: str, entry: Entry) -> bool:
        """One record with its steps and measurements, all or nothing; False when another sender was faster."""
        try:
            with self._begin() as connection:
                _insert(connection, chain, entry)
        except _AlreadyThere:
            return False
        return True

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        """A transaction. DatabaseDown when the database does not take it."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError as error:
            raise _AlreadyThere from error
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            raise DatabaseDown(f"{self.name}: the database does not answer as it should: {reason}") from error


class _AlreadyThere(Exception):
    pass


def _chain_of(ledger: Ledger) -> str | None:
    """What names a ledger: the hash of its heading."""
    try:
        heading = ledger.heading()
    except ValueError as error:
        raise TaisaiError(f"{ledger.path}: {error}: taisai records verify") from error
    return None if heading is None else first_hash(heading)


def _migrate(connection: Connection) -> None:
    """Bring the tables to the newest form; stations that start at once wait for each other."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATION_LOCK})
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _insert(connection: Connection, chain: str, entry: Entry) -> None:
    record, unit = entry.record, entry.record.unit
    row = {
        "chain": chain,
        "number": entry.number,
        "run": record.run,
        "hash": entry.hash,
        "serial_number": unit.serial_number,
        "board": unit.board,
        "table_id": unit.table,
        "firmware": unit.firmware,
        "outcome": record.outcome,
        "reason": record.reason,
        "station": record.station,
        "operator": record.operator,
        "simulated": record.simulated,
        "started": datetime.strptime(record.started_utc, TIME_FORM),
        "seconds": record.seconds,
        "line": entry.line,
    }
    record_id = connection.execute(insert(records), row).inserted_primary_key[0]
    for step in record.steps:
        row = step.model_dump(mode="json", include={"name", "outcome", "part", "reason", "seconds"})
        step_id = connection.execute(insert(steps), {**row, "record_id": record_id}).inserted_primary_key[0]
        rows = [
            {
                "step_id": step_id,
                "name": each.name,
                "unit": each.unit,
                "value": None if each.value is None else str(each.value),
                "lower_limit": each.lower,
                "upper_limit": each.upper,
                "good": each.good,
                "marginal": each.marginal,
            }
            for each in step.measurements
        ]
        if rows:
            connection.execute(insert(measurements), rows)
