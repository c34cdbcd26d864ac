"""What the verbs of the factory need beyond the base installation."""

from importlib.util import find_spec

from taisai.errors import TaisaiError

MODULES = ("alembic", "filelock", "psycopg", "pytest", "sqlalchemy", "textual")


def require_factory() -> None:
    """TaisaiError when the extra is not installed."""
    missing = [name for name in MODULES if find_spec(name) is None]
    if missing:
        raise TaisaiError(f"this verb needs {', '.join(missing)}: install it with: pip install 'taisai[factory]'")
