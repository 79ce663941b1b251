"""`yacht train`: exercises, repeated when they are about to be forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yachtdice.cli.support.options import data_folder, rules_option
from yachtdice.i18n import explain, ngettext, seat_name
from yachtdice.i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yachtdice.cli.support.screen import Look, Screen
    from yachtdice.coach import Decided
    from yachtdice.coach.training.deckfile import DeckFile
    from yachtdice.coach.training.exercises import Exercise, Theme
    from yachtdice.rules import Move, RuleSet
    from yachtdice.solutions import Solutions
    from yachtdice.solver import SoloSolution

_THEMES = ("own", "opening", "keep", "stop", "box", "zero", "endgame")

_NEW = 20
"""Generated exercises are made in portions of so many."""


@click.command(
    help=_(
        "Practise decisions: from your own mistakes, and on themes.\n\n"
        "FILES are records, or folders of records, whose mistakes become exercises; by default all"
        " games that are kept here. An exercise comes back when it is about to be forgotten."
    )
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@rules_option
@click.option(
    "--theme",
    "themes",
    multiple=True,
    type=click.Choice(_THEMES),
    help=_("Only exercises on this theme; may be given several times."),
)
@click.option(
    "--count",
    "maximum",
    type=click.IntRange(1),
    default=10,
    metavar="N",
    help=_("How many exercises, 10 by default."),
)
@click.option("--player", metavar="NAME", help=_("Only the mistakes of NAME."))
@click.option(
    "--deck",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=_("Where it is kept how you answered, instead of your own folder."),
)
@click.option(
    "--seed", metavar="TEXT", default=None, help=_("Decides which exercises are generated.")
)
@click.option(
    "--plain",
    is_flag=True,
    envvar="YACHT_PLAIN",
    help=_("No columns, drawing and colour: for screen readers."),
)
@click.pass_obj
def train(  # noqa: PLR0913 - one parameter an option
    solutions: Solutions,
    *,
    files: tuple[Path, ...],
    rules: RuleSet,
    themes: tuple[str, ...],
    maximum: int,
    player: str | None,
    deck: Path | None,
    seed: str | None,
    plain: bool,
) -> None:
    """Ask one exercise after the other."""
    from yachtdice.cli.support.screen import Screen
    from yachtdice.coach.training.deckfile import DeckFile
    from yachtdice.coach.training.exercises import Theme

    screen = Screen(plain=plain)
    wanted = [Theme(theme) for theme in themes] or list(Theme)
    path = deck if deck is not None else data_folder() / "trainer.json"
    with DeckFile(path) as file:
        trainer = _Trainer(screen, file, solutions.solo(rules), wanted)
        if Theme.OWN in wanted:
            trainer.add(_own(files, rules, player, solutions))
        trainer.run(maximum, seed if seed is not None else datetime.now(UTC).isoformat())


def _own(
    files: Sequence[Path], rules: RuleSet, player: str | None, solutions: Solutions
) -> Iterator[Exercise]:
    """Yield the mistakes in games under *rules*, the newest games first."""
    from yachtdice.cli.support.analysis import report_of
    from yachtdice.cli.support.records import distinct_games, own_seats
    from yachtdice.coach.training.exercises import own_exercises

    games, _again = distinct_games(files)
    for path, record in reversed(games):
        seats = own_seats(record, player)
        if seats and record.game.rules.fingerprint == rules.fingerprint:
            yield from own_exercises(record.game, report_of(record, solutions), seats, path.stem)


class _Trainer:
    """A round of exercises at a screen."""

    def __init__(
        self, screen: Screen, file: DeckFile, solution: SoloSolution, themes: Sequence[Theme]
    ) -> None:
        self.screen = screen
        self.file = file
        self.rules = solution.rules
        self.themes = themes
        self.solution = solution
        self.deck = file.read()
        self.asked = 0
        self.right = 0
        self.lost = 0.0

    def add(self, exercises: Iterator[Exercise]) -> None:
        """Put *exercises* into the deck."""
        self.deck = self.deck.with_exercises(exercises)

    def run(self, maximum: int, seed: str) -> None:
        """Ask up to so many exercises; what is due comes first, then new ones."""
        from yachtdice.cli.support.screen import InputEndedError

        fresh = self._fresh(seed)
        try:
            for place in range(1, maximum + 1):
                exercise = self._next(fresh)
                if exercise is None or not self._ask(exercise, place, maximum):
                    break
        except InputEndedError:
            pass
        self._close()

    def _next(self, fresh: Iterator[Exercise]) -> Exercise | None:
        now = datetime.now(UTC).astimezone()
        due = self.deck.due(now, self.rules, self.themes)
        # What was asked before comes first; then own mistakes and generated ones take turns.
        if due and (due[0].due is not None or self.asked % 2 == 0):
            return due[0].exercise
        generated = next((e for e in fresh if e.id not in self.deck.items), None)
        return generated or (due[0].exercise if due else None)

    def _fresh(self, seed: str) -> Iterator[Exercise]:
        """Return generated exercises on the themes for which there are some."""
        from yachtdice.coach.training.exercises import GENERATED, generated_exercises

        themes = [theme for theme in GENERATED if theme in self.themes]
        if not themes:
            return iter(())
        # Under house rules there may be no positions on a theme: nobody should wait for ever.
        return islice(generated_exercises(self.solution, themes, seed), 100 * _NEW)

    def _ask(self, exercise: Exercise, place: int, maximum: int) -> bool:
        """Ask *exercise* until it is answered; return whether to go on."""
        from yachtdice.coach import judge

        self._show(exercise, place, maximum)
        while True:
            # Translators: a prompt; what is typed is a command such as keep 4 4 or score choice.
            line = self.screen.ask(_("Your move> "))
            if _means_quit(line):
                return False
            move = self._read(line, exercise)
            if move is None:
                continue
            decided = judge(exercise.position, move, self.solution)
            if decided is not None:
                self._answer(exercise, decided)
            return True

    def _show(self, exercise: Exercise, place: int, maximum: int) -> None:
        from yachtdice.cli.table.views import box_lines, dice_lines
        from yachtdice.coach.words.terms import theme_name

        look = self.screen.look
        self.screen.blank()
        theme = theme_name(exercise.theme)
        source = f" ({exercise.source})" if exercise.source else ""
        # Translators: which exercise it is, of how many, and what it is about.
        line = _("Exercise {place} of {most}. {theme}")
        self.screen.write(line.format(place=place, most=maximum, theme=f"{theme}{source}"))
        self.screen.blank()
        self.screen.write(*box_lines(exercise.position, look))
        self.screen.blank()
        game = exercise.game
        self.screen.write(*dice_lines(game, [seat_name(game.names, 0)], look))
        self.screen.blank()

    def _read(self, line: str, exercise: Exercise) -> Move | None:
        """Return the move that *line* means; None after writing why it means none."""
        from yachtdice.cli.table.input import Fill, Keep, Word, parse_command
        from yachtdice.rules import Dice, Hold, Score, YachtError

        try:
            command = parse_command(line, exercise.game)
            match command:
                case Keep(dice):
                    move: Move = Hold(dice)
                case Fill(category):
                    move = Score(category)
                case Word.ROLL:
                    move = Hold(Dice())
                case _:
                    self.screen.write(
                        _(
                            "Say which dice to keep, as in “keep 4 4”, or which box to score, as in"
                            " “score choice”; “quit” ends."
                        )
                    )
                    return None
            exercise.position.play(move)
        except YachtError as error:
            self.screen.write(explain(error))
            return None
        return move

    def _answer(self, exercise: Exercise, decided: Decided) -> None:
        """Show how good the answer was, and why, and save it."""
        self.deck = self.deck.answered(exercise, decided, datetime.now(UTC))
        self.file.write(self.deck)
        self.asked += 1
        self.right += not decided.loss
        self.lost += decided.loss
        self.screen.blank()
        self.screen.write(*answer_lines(decided, self.screen.look))
        self._write_due(self.deck.items[exercise.id].asked_from(None))

    def _write_due(self, due: datetime | None) -> None:
        from yachtdice.coach.words.terms import comes_back_text

        if due is not None:
            self.screen.write(comes_back_text(due.astimezone(), datetime.now(UTC).astimezone()))

    def _close(self) -> None:
        from yachtdice.coach.words.terms import number

        self.screen.blank()
        if self.asked:
            line = ngettext(
                "{right} of {n} exercise right. Lost per exercise: {loss}",
                "{right} of {n} exercises right. Lost per exercise: {loss}",
                self.asked,
            )
            loss = number(self.lost / self.asked, 2)
            self.screen.write(line.format(right=self.right, n=self.asked, loss=loss))
        else:
            self.screen.write(_("Nothing was asked."))
            now = datetime.now(UTC).astimezone()
            if not self.deck.due(now, self.rules, self.themes):
                self._write_due(self.deck.next_due(now, self.rules, self.themes))


def _means_quit(line: str) -> bool:
    """Return whether *line* asks to end."""
    word = line.strip().casefold()
    return word in {"q", "exit"} or (len(word) > 1 and "quit".startswith(word))


def answer_lines(decided: Decided, look: Look) -> Iterator[str]:
    """Yield how good an answer was, and why."""
    from yachtdice.cli.text.columns import hang
    from yachtdice.coach import reasons
    from yachtdice.coach.words.terms import advice_text, chosen_text, cost, label_name

    if not decided.loss:
        yield from hang(_("Right: nothing is better."), look)
        others = [move for move in decided.best if move != decided.move]
        if others:
            words = ". ".join(advice_text(move) for move in others)
            # Translators: other moves that are just as good follow.
            yield from hang(_("Just as good. {moves}").format(moves=words), look)
        return
    label = f"{label_name(decided.label)}: {cost(decided.loss, 2)}"
    yield from hang(f"{chosen_text(decided.move)}. {label}", look)
    yield from hang(advice_text(decided.best[0]), look)
    for reason in reasons(decided):
        yield from hang(reason.sentence, look, 2, 2)
        for fact in reason.facts:
            yield from hang(fact, look, 4, 2)
