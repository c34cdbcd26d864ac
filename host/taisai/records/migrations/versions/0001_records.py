"""Records, their steps and their measurements."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "records",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("run", sa.String(32), nullable=False, unique=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("serial_number", sa.String(32), nullable=False),
        sa.Column("board", sa.String(32)),
        sa.Column("table_id", sa.String(64)),
        sa.Column("firmware", sa.String(32)),
        sa.Column("outcome", sa.String(10), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("station", sa.String(64), nullable=False),
        sa.Column("operator", sa.String(64), nullable=False),
        sa.Column("simulated", sa.Boolean, nullable=False),
        sa.Column("started", sa.DateTime, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.UniqueConstraint("chain", "number", name="uq_records_chain_number"),
    )
    op.create_index("ix_records_serial_number", "records", ["serial_number"])
    op.create_index("ix_records_started", "records", ["started"])
    op.create_table(
        "steps",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("record_id", sa.Integer, sa.ForeignKey("records.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("outcome", sa.String(10), nullable=False),
        sa.Column("part", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("seconds", sa.Float, nullable=False),
    )
    op.create_index("ix_steps_record_id", "steps", ["record_id"])
    op.create_table(
        "measurements",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("step_id", sa.Integer, sa.ForeignKey("steps.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("unit", sa.String(16), nullable=False),
        sa.Column("value", sa.Text),
        sa.Column("lower_limit", sa.Float),
        sa.Column("upper_limit", sa.Float),
        sa.Column("good", sa.Boolean),
        sa.Column("marginal", sa.Boolean, nullable=False),
    )
    op.create_index("ix_measurements_step_id", "measurements", ["step_id"])


def downgrade() -> None:
    for table in ("measurements", "steps", "records"):
        op.drop_table(table)
