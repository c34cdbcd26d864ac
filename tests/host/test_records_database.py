"""The database behind the ledger, SQLite and a real PostgreSQL server: an outage loses nothing and doubles nothing."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import postgres
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from records_made import record
from sqlalchemy import create_engine, text

from taisai.errors import TaisaiError
from taisai.records.database import Database, DatabaseDown
from taisai.records.station import Station
from taisai.records.tables import metadata
from taisai.records.verify import verify


@pytest.fixture(scope="module")
def postgres_server():
    bin = postgres.programs()
    if bin is None:
        pytest.skip("NO POSTGRESQL SERVER on this machine, so nothing is proved about it: apt-get install postgresql")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, postgres.server(Path(folder), bin) as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'records.sqlite'}"
    found = request.getfixturevalue("postgres_server").url
    _execute(found, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return found


@pytest.fixture
def station(tmp_path):
    return Station(tmp_path / "station")


def _execute(url, *statements):
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        found = [connection.execute(text(statement)) for statement in statements]
        rows = found[-1].all() if found[-1].returns_rows else None
    engine.dispose()
    return rows


def test_what_is_sent_comes_back_as_it_was_signed_and_only_once(url, station):
    made = [
        station.ledger.append(record(f"SN000{n}", failed="lamps" if n == 2 else None), station.key) for n in (1, 2, 3)
    ]
    with Database(url) as database:
        assert database.send(station.ledger) == 3
        assert database.send(station.ledger) == 0
        assert [entry.line for entry in database.entries()] == [entry.line for entry in made]
        assert verify(station.ledger.path, [station.public_key], database.hashes(station.ledger)).problems == []
    rows = _execute(url, "SELECT name, outcome, part FROM steps WHERE outcome <> 'PASS'")
    assert rows == [("lamps", "FAIL", "lamp of small")]
    assert _execute(url, "SELECT count(*) FROM measurements WHERE good AND lower_limit = 18") == [(6,)]


def test_two_senders_at_once_add_every_record_once(url, station):
    for number in range(10):
        station.ledger.append(record(f"SN{number:04}"), station.key)

    def send(_):
        with Database(url) as database:
            return database.send(station.ledger)

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(send, range(3))) == 10
    assert _execute(url, "SELECT count(*) FROM records") == [(10,)]


def test_two_stations_share_a_database(url, station, tmp_path):
    other = Station(tmp_path / "other")
    for each in (station, other):
        each.ledger.append(record(station=f"bench-{each.folder.name}"), each.key)
        with Database(url) as database:
            assert database.send(each.ledger) == 1
    with Database(url) as database:
        assert len(list(database.entries())) == 2
        assert len(database.hashes(other.ledger)) == 1


def test_the_migrations_make_the_tables_that_the_code_knows(url):
    Database(url).close()
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_a_database_that_lost_a_record_or_changed_one_is_a_witness(url, station):
    station.ledger.append(record(), station.key)
    with Database(url) as database:
        database.send(station.ledger)
        _execute(url, "UPDATE records SET hash = 'x'")
        finding = verify(station.ledger.path, [station.public_key], database.hashes(station.ledger))
    assert finding.problems == ["record 1 is another one than the database has"]


def test_an_outage_holds_records_back_until_the_server_is_there_again(postgres_server, station):
    _execute(postgres_server.url, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    station.ledger.append(record("SN0001"), station.key)
    with Database(postgres_server.url) as database:
        assert database.send(station.ledger) == 1
        postgres_server.stop()
        try:
            station.ledger.append(record("SN0002"), station.key)
            with pytest.raises(DatabaseDown, match="does not answer"):
                database.send(station.ledger)
            with pytest.raises(DatabaseDown):
                Database(postgres_server.url)
        finally:
            postgres_server.start()
        assert database.send(station.ledger) == 1
        assert [entry.record.unit.serial_number for entry in database.entries()] == ["SN0001", "SN0002"]


@pytest.mark.parametrize("url", ["nonsense", "oracle9://x", "sqlite:////no/such/folder/x.sqlite"])
def test_a_database_that_is_none_is_one_sentence_without_a_password(url):
    with pytest.raises(TaisaiError) as caught:
        Database(url)
    assert "\n" not in str(caught.value)
