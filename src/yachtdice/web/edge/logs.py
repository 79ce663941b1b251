"""Logs as lines of JSON on stderr, without tokens, names or addresses of tables."""

from __future__ import annotations

import atexit
import json
import logging
import sys
import threading
import traceback
from collections import deque
from datetime import UTC, datetime

_Key = tuple[str, int, str, str, tuple[str, int] | None]

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """One object per line: time, level, logger, message, the extra fields and the error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


class RepeatFilter(logging.Filter):
    """Passes the first of equal errors; of the others only their number, once in a while.

    A full disk fails every request, and a traceback for each would fill the disk of the log, too.
    Errors are equal if the message, the type and the line that raised it are.
    """

    def __init__(self, every: float = 60.0) -> None:
        """Log numbers once in *every* seconds."""
        super().__init__()
        self._every = every
        self._lock = threading.Lock()
        self._repeated: dict[_Key, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log *record*; count it if not."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        last = deque(traceback.walk_tb(error.__traceback__), maxlen=1)
        where = next(((frame.f_code.co_filename, line) for frame, line in last), None)
        key = (record.name, record.levelno, str(record.msg), type(error).__name__, where)
        with self._lock:
            is_first = key not in self._repeated
            self._repeated[key] = 0 if is_first else self._repeated[key] + 1
        if is_first:
            self._report_later(key)
        return is_first

    def flush(self) -> None:
        """Log the numbers that have not been logged yet."""
        for key in tuple(self._repeated):
            self._report(key)

    def _report_later(self, key: _Key) -> None:
        timer = threading.Timer(self._every, self._report_and_go_on, (key,))
        timer.daemon = True
        timer.start()

    def _report_and_go_on(self, key: _Key) -> None:
        if self._report(key):
            self._report_later(key)

    def _report(self, key: _Key) -> int:
        """Log how often the error was repeated; if never, log its next occurrence in full."""
        with self._lock:
            number = self._repeated.pop(key, 0)
            if number:
                self._repeated[key] = 0
        if number:
            name, level, message, error, _ = key
            extra = {"repeated": number, "error": error}
            logging.getLogger(name).log(level, "%s", message, extra=extra)
        return number


def set_up_logs() -> None:
    """Log to stderr from level INFO on, by `JsonFormatter` and `RepeatFilter`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    repeats = RepeatFilter()
    handler.addFilter(repeats)
    atexit.register(repeats.flush)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # A malformed form is reported to its sender, and is not worth a warning here.
    logging.getLogger("python_multipart").setLevel(logging.ERROR)
    for chatty in ("uvicorn", "alembic", "sqlalchemy", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
