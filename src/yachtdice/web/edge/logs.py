"""Logs as lines of JSON on stderr. No tokens, no names, no addresses of tables."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, logger, message, whatever else was given, and the error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        said |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said, default=str)


def set_up_logs() -> None:
    """Send everything of any importance to stderr, as `JsonFormatter` writes it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # What is wrong with a form is for whoever sent it, and no warning.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    for chatty in ("uvicorn", "alembic", "sqlalchemy", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
