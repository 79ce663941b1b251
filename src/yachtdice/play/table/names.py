"""Names of players as tables take them."""

from __future__ import annotations

from yachtdice import names
from yachtdice.play.table.refusals import TableError, TableReason


def clean_name(text: str) -> str:
    """Return *text* as a name; see `yachtdice.names`.

    Raises:
        TableError: If it is too long, or cannot be written as UTF-8.
    """
    try:
        return names.clean_name(text)
    except names.NameRefusedError as error:
        raise TableError(TableReason.NAME, str(error)) from None
