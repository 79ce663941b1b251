"""`yacht serve`: the table in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yachtdice.cli.support.options import data_folder
from yachtdice.cli.support.output import echo
from yachtdice.i18n import gettext as _
from yachtdice.i18n import system_reason

if TYPE_CHECKING:
    from yachtdice.solutions import Solutions
    from yachtdice.store.sql.engine import SqlStore

DEFAULT_PORT = 8765
_MAX_PORT = 65535
_BOT_TIMEOUT = 1.0
"""Seconds that a bot at a table waits for a sub-game before it uses an estimate."""


class AddressType(click.ParamType[tuple[str, int]]):
    """An address and a port, as in 127.0.0.1:9000; a port alone is one of this machine."""

    name = "HOST:PORT"

    def convert(
        self,
        value: str | tuple[str, int],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, int]:
        """Return address and port."""
        if isinstance(value, tuple):
            return value
        host, _colon, port = value.rpartition(":")
        is_port = port.isascii() and port.isdigit() and len(port) <= len(str(_MAX_PORT))
        if not is_port or int(port) > _MAX_PORT:
            line = _("“{text}” is no address and port, as in {example}.")
            self.fail(line.format(text=value[:60], example="127.0.0.1:9765"), param, ctx)
        return host.strip("[]") or "127.0.0.1", int(port)


@click.command(help=_("Serve the table in the browser, until Ctrl-C."))
@click.option("--host", default="127.0.0.1", show_default=True, help=_("Address to listen at."))
@click.option(
    "--port",
    type=click.IntRange(0, _MAX_PORT),
    default=DEFAULT_PORT,
    show_default=True,
    help=_("Port to listen at; 0 takes a free one."),
)
@click.option(
    "--database",
    metavar="URL",
    envvar="YACHT_DATABASE",
    show_envvar=True,
    help=_("Where tables are kept: sqlite:///FILE, or postgresql://… for several servers."),
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help=_("Folder for the database and the secret key; by default the user's data folder."),
)
@click.option(
    "--secret-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=_("File with the secret key, which servers that share a database have in common."),
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
@click.option(
    "--metrics",
    type=AddressType(),
    help=_("Show figures for Prometheus at this address and port, under /metrics."),
)
@click.option("--log-requests", is_flag=True, help=_("Log each request."))
@click.pass_obj
def serve(  # noqa: PLR0913 - one argument an option
    solutions: Solutions,
    *,
    host: str,
    port: int,
    database: str | None,
    data: Path | None,
    secret_file: Path | None,
    is_opened: bool,
    rate: float,
    proxies: str,
    metrics: tuple[str, int] | None,
    log_requests: bool,
) -> None:
    """Serve the table in the browser, until Ctrl-C."""
    from yachtdice.bots import make_bot
    from yachtdice.play.online.bot_mover import BotPool
    from yachtdice.play.online.tables import Tables
    from yachtdice.store.sql.engine import is_shareable
    from yachtdice.web.edge.logs import set_up_logs
    from yachtdice.web.edge.security import SECRET_VARIABLE, given_secret, load_secret
    from yachtdice.web.edge.settings import Settings
    from yachtdice.web.server import Server, address, listen, tune_memory

    folder = data or data_folder()
    place = database or f"sqlite:///{folder / 'tables.db'}"
    set_up_logs()
    try:
        if is_shareable(place) and not given_secret(secret_file):
            # Each would create a key of its own, and reject the cookies of the others.
            line = _("Servers that share a database need one secret key: {option} or {variable}.")
            line = line.format(option="--secret-file FILE", variable=SECRET_VARIABLE)
            raise click.ClickException(line)
        settings = Settings(
            load_secret(folder, secret_file),
            rate=rate,
            log_requests=log_requests,
        )
    except (OSError, ValueError) as error:
        raise click.ClickException(
            _("The secret key in {folder} cannot be used: {reason}").format(
                folder=secret_file or folder, reason=system_reason(error)
            )
        ) from error
    figures = None
    with _listening_at(host, port):
        listening = listen(host, port)
    if metrics is not None:
        from yachtdice.web.metrics import Metrics

        figures = Metrics()
        with _listening_at(*metrics):
            shown_at = figures.serve(*metrics)
    store = _store(place, settings.secret)

    def ready() -> None:
        url = address(host, listening)
        echo(_("Yacht is at {address}").format(address=url))
        if metrics is not None:
            url = f"{address(metrics[0], shown_at.socket)}metrics"
            echo(_("Figures for Prometheus are at {address}").format(address=url))
        if is_opened:
            _open_browser(url)

    tune_memory()
    make = partial(make_bot, solutions=solutions, patience=_BOT_TIMEOUT)
    tables = Tables(store, bots=BotPool(make))
    server = Server(tables, settings, ready, proxies=proxies, metrics=figures, solutions=solutions)
    server.run(sockets=[listening])


def _store(place: str, secret: str) -> SqlStore:
    from yachtdice.store.contract import ClusterKeyMismatchError, StoreError, StoreInUseError
    from yachtdice.store.sql.engine import SqlStore

    try:
        return SqlStore.open(place, cluster_key=secret)
    except StoreInUseError as error:
        line = _("Another yacht server uses that database: {reason}").format(reason=error)
        raise click.ClickException(line) from error
    except ClusterKeyMismatchError as error:
        line = _("Another server that uses that database has another secret key.")
        raise click.ClickException(line) from error
    except StoreError as error:
        line = _("The database cannot be used: {reason}").format(reason=error)
        raise click.ClickException(line) from error


@contextmanager
def _listening_at(host: str, port: int) -> Iterator[None]:
    """Name the address where listening fails."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(
            _("Cannot listen at {host}, port {port}: {reason}").format(
                host=host, port=port, reason=system_reason(error)
            )
        ) from error


def _open_browser(url: str) -> None:
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
