"""`yacht serve`: the table in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from yachtdice.i18n import gettext as _
from yachtdice.i18n import system_reason

DEFAULT_PORT = 8765


@click.command(help=_("Serve the table in the browser, until Ctrl-C."))
@click.option("--host", default="127.0.0.1", show_default=True, help=_("Address to listen at."))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help=_("Port to listen at; 0 takes a free one."),
)
@click.option("--database", metavar="URL", help=_("Where tables are kept, as sqlite:///FILE."))
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help=_("Folder for the database and the secret key; by default the user's data folder."),
)
@click.option("--open", "is_opened", is_flag=True, help=_("Open the table in the browser."))
@click.option(
    "--rate",
    type=click.FloatRange(0, 100_000),
    default=30.0,
    show_default=True,
    help=_("Requests a second that one address may make; 0 for no limit."),
)
@click.option(
    "--proxies",
    default="127.0.0.1",
    show_default=True,
    help=_("Addresses of proxies whose X-Forwarded-For is believed, with commas between them."),
)
@click.option("--log-requests", is_flag=True, help=_("Log each request."))
def serve(  # noqa: PLR0913 - one argument an option
    *,
    host: str,
    port: int,
    database: str | None,
    data: Path | None,
    is_opened: bool,
    rate: float,
    proxies: str,
    log_requests: bool,
) -> None:
    """Serve the table in the browser, until Ctrl-C."""
    from yachtdice.play.tables import Tables
    from yachtdice.store.entries import StoreError
    from yachtdice.store.sql import SqlStore, StoreInUseError
    from yachtdice.web.logs import set_up_logs
    from yachtdice.web.security import load_secret
    from yachtdice.web.server import Server, address, listen, tune_memory
    from yachtdice.web.settings import Settings

    folder = data or _data_folder()
    set_up_logs()
    try:
        settings = Settings(load_secret(folder), rate=rate, log_requests=log_requests)
    except (OSError, ValueError) as error:
        raise click.ClickException(
            _("The secret key in {folder} cannot be used: {reason}").format(
                folder=folder, reason=system_reason(error)
            )
        ) from error
    try:
        listening = listen(host, port)
    except OSError as error:
        raise click.ClickException(
            _("Cannot listen at {host}, port {port}: {reason}").format(
                host=host, port=port, reason=system_reason(error)
            )
        ) from error
    try:
        store = SqlStore.open(database or f"sqlite:///{folder / 'tables.db'}")
    except StoreInUseError as error:
        line = _("Another yacht server uses that database: {reason}").format(reason=error)
        raise click.ClickException(line) from error
    except StoreError as error:
        line = _("The database cannot be used: {reason}").format(reason=error)
        raise click.ClickException(line) from error

    def ready() -> None:
        url = address(host, listening)
        click.echo(_("Yacht is at {address}").format(address=url))
        if is_opened:
            _show(url)

    tune_memory()
    Server(Tables(store), settings, ready, proxies).run(sockets=[listening])


def _data_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("yacht-dice", appauthor=False)


def _show(url: str) -> None:
    """Open a browser, without waiting for it, where there is a screen to open it on."""
    import os
    import sys
    import threading
    import webbrowser

    # Without a screen, Python would open a browser for text in the terminal of the server.
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if not has_screen and sys.platform not in {"darwin", "win32"}:
        return

    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
