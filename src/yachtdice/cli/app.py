"""The group of commands, and the handler that turns errors into one line for people.

`yacht --help` has to answer at once, so that only click and the modules of the commands are
imported here; what a command needs it imports when it runs.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

import click

from yachtdice import YachtError, __version__
from yachtdice.cli.support.click_words import translate
from yachtdice.cli.support.groups import Commands
from yachtdice.cli.support.output import echo, shortened
from yachtdice.i18n import explain, find_language, languages, system_reason
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence

# The module of each command, in the order of the help.
_COMMANDS = {
    "play": "play",
    "show": "records",
    "replay": "records",
    "rules": "rules",
    "score": "rules",
    "advise": "solve",
    "solve": "solve",
    "odds": "odds",
    "simulate": "odds",
    "bots": "odds",
    "analyse": "analyse",
    "stats": "stats",
    "train": "train",
    "serve": "serve",
    "admin": "admin",
}

EXTRAS = {
    "numpy": "solver",
    "numba": "duel",
    "matplotlib": "plot",
    "fsrs": "coach",
    "jinja2": "coach",
    "starlette": "web",
    "uvicorn": "web",
    "itsdangerous": "web",
    "sqlalchemy": "web",
    "segno": "web",
    "prometheus_client": "web",
    "psycopg": "postgres",
}
"""The extra that installs each package which a command may need."""

_FAILURE, _WRONG_USE = 1, 2


class YachtGroup(Commands):
    """Commands that are imported when they are asked for; errors end as one line on stderr."""

    def __init__(self, *args: Any, **extra: Any) -> None:  # noqa: ANN401 - click's own
        """Make the group."""
        super().__init__(*args, **extra)
        self.shows_tracebacks = False
        """Whether `--debug` was given; errors are handled outside of any context."""
        translate(self)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, None if there is none."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"yachtdice.cli.commands.{_COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        translate(command)
        return command

    def main(  # type: ignore[override]  # this group is never run as a part of something else
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,  # noqa: ANN401 - click's own
    ) -> NoReturn:
        """Run the command and leave with its exit code: 0, 2 for wrong use, 1 for anything else."""
        extra["standalone_mode"] = False
        code = _FAILURE
        try:
            result = super().main(args, prog_name, **extra)
            # An output that cannot be flushed, as on a full disk, is an error.
            sys.stdout.flush()
            code = result if isinstance(result, int) else 0
        except click.UsageError as error:
            # One line, instead of click's three.
            where = error.ctx.command_path if error.ctx else "yacht"
            _write_error(shortened(f"{where}: {error.format_message()}"))
            code = _WRONG_USE
        except click.ClickException as error:
            _write_error(shortened(error.format_message()))
        except (click.Abort, KeyboardInterrupt):
            _write_error("")
        except BrokenPipeError:
            _drop_output()
        except YachtError as error:
            _write_error(shortened(explain(error)))
        except ImportError as error:
            _write_error(*[line] if (line := _missing(error)) else self._report(error))
        except OSError as error:
            _drop_output()
            _write_error(_("The system refuses: {why}.").format(why=system_reason(error)))
        except Exception as error:  # noqa: BLE001 - the one place where everything ends
            _write_error(*self._report(error))
        sys.exit(code)

    def _report(self, error: Exception) -> list[str]:
        """Return the traceback of an internal error, or save it and return where."""
        text = "".join(traceback.format_exception(error))
        return text.splitlines() if self.shows_tracebacks else [_save(text)]


class LanguageType(click.ParamType[str]):
    """The tag of a language; `entry` has made it the active one already."""

    name = "TAG"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the tag of a language that there is."""
        tag = find_language([value])
        if tag is None:
            line = _("There is no language “{tag}”. Languages: {tags}.")
            self.fail(line.format(tag=value[:20], tags=", ".join(languages())), param, ctx)
        return tag


@click.group(
    cls=YachtGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=_(
        "The dice game Yacht: play it, keep the score of it, look into it.\n\n"
        "“yacht” alone is “yacht play”."
    ),
)
@click.option(
    "--lang",
    type=LanguageType(),
    expose_value=False,
    metavar="TAG",
    help=_("The language to speak, for example en or pl; YACHT_LANG in the environment does too."),
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help=_("Show where in the program an error arose."))
@click.pass_context
def main(ctx: click.Context, *, debug: bool) -> None:
    """Run a command, `play` by default."""
    assert isinstance(ctx.command, YachtGroup)
    ctx.command.shows_tracebacks = debug
    from yachtdice.cli.support.options import cache_folder
    from yachtdice.solutions import Solutions

    ctx.obj = Solutions(cache_folder())
    if ctx.invoked_subcommand is None:
        play = ctx.command.get_command(ctx, "play")
        assert play is not None  # it is one of the commands
        ctx.invoke(play)


def _write_error(*lines: str) -> None:
    with suppress(OSError, ValueError):
        if isinstance(sys.exception(), click.exceptions.Exit):
            return
        for line in filter(None, lines):
            echo(line, err=True)


def _drop_output() -> None:
    """Discard all further output, since writing fails; the interpreter still flushes at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _missing(error: ImportError) -> str:
    """Return a line that names the extra for the missing package; empty if there is none."""
    extra = EXTRAS.get((error.name or "").partition(".")[0])
    if extra is None:
        return ""
    line = _('This needs an extra that is not installed: pip install "yacht-dice[{extra}]"')
    return line.format(extra=extra)


def _save(text: str) -> str:
    """Save the traceback of an internal error; return the line that says where."""
    from tempfile import NamedTemporaryFile

    try:
        with NamedTemporaryFile(
            "w", prefix="yacht-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            file.write(text)
    except OSError:
        return _("Something is wrong inside yacht. --debug before the command shows what.")
    return _("Something is wrong inside yacht. What is known stands in {path}.").format(
        path=file.name
    )
