"""The database's tables: one row for each record, step and measurement. The migrations make them, not this file.

`line` is the signed line of the ledger, so that a row can be verified without the station's file.
"""

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

records = Table(
    "records",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("chain", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("run", String(32), nullable=False, unique=True),
    Column("hash", String(64), nullable=False),
    Column("serial_number", String(32), nullable=False, index=True),
    Column("board", String(32)),
    Column("table_id", String(64)),
    Column("firmware", String(32)),
    Column("outcome", String(10), nullable=False),
    Column("reason", Text),
    Column("station", String(64), nullable=False),
    Column("operator", String(64), nullable=False),
    Column("simulated", Boolean, nullable=False),
    Column("started", DateTime, nullable=False, index=True),
    Column("seconds", Float, nullable=False),
    Column("line", Text, nullable=False),
    UniqueConstraint("chain", "number", name="uq_records_chain_number"),
)

steps = Table(
    "steps",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("record_id", Integer, ForeignKey("records.id"), nullable=False, index=True),
    Column("name", String(64), nullable=False),
    Column("outcome", String(10), nullable=False),
    Column("part", Text),
    Column("reason", Text),
    Column("seconds", Float, nullable=False),
)

measurements = Table(
    "measurements",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("step_id", Integer, ForeignKey("steps.id"), nullable=False, index=True),
    Column("name", String(64), nullable=False),
    Column("unit", String(16), nullable=False),
    Column("value", Text),
    Column("lower_limit", Float),
    Column("upper_limit", Float),
    Column("good", Boolean),
    Column("marginal", Boolean, nullable=False),
)
