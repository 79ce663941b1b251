"""Dice, cards and standings as lines of text, fitted to the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from yachtdice.cli.support.screen import Look, fit, pad
from yachtdice.i18n import category_name, format_chance, ngettext, rolls_left_text
from yachtdice.i18n import gettext as _
from yachtdice.play.table.layout import dice_layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yachtdice.rules import Category, Dice, Game, Position, RuleSet, Scorecard
    from yachtdice.solver.duel import Odds

LIGHT = "dim"
KEPT = "yellow"
STRONG = "bold"
WARNING = "red"

_INDENT = 2
_GAP = 4
_NAME_COLUMN = 12
"""Columns for a player's name above a card."""


def dice_text(faces: Sequence[int] | Dice) -> str:
    """Return dice as people type them, the same in every language: `4 4 1`."""
    return " ".join(str(face) for face in faces)


def rolls_text(rolls: int) -> str:
    """Return how many rolls are left, as a sentence."""
    return f"{rolls_left_text(rolls)}." if rolls else _("No rolls left.")


def dice_lines(game: Game, names: Sequence[str], look: Look) -> Iterator[Text]:
    """Yield the dice on the table with their places; kept ones are set apart by their frames."""
    faces, kept = dice_layout(game)
    number = game.rules.rolls - game.position.rolls_left
    left = rolls_text(game.position.rolls_left)
    if look.plain:
        name = names[game.position.seat]
        # Translators: what a roll shows; a sentence follows it.
        line = _("{name}, roll {number}: {dice}. {rolls_left}")
        yield Text(line.format(name=name, number=number, dice=dice_text(faces), rolls_left=left))
        return
    beside = 5 * 6 + _INDENT + cell_len(left) < look.width
    rows = _framed_dice(faces, kept) if look.boxes else _ascii_dice(faces, kept)
    # The sentence stands beside the faces, where people look.
    middle = 1 if look.boxes else 0
    for number, row in enumerate(rows):
        yield row.append(f"  {left}", LIGHT) if beside and number == middle else row
    if not beside:
        yield Text(f"  {left}", LIGHT)


def _framed_dice(faces: Sequence[int], kept: frozenset[int]) -> list[Text]:
    rows = [Text() for _row in range(4)]
    for place, face in enumerate(faces):
        top, side, bottom = ("╔═══╗", "║", "╚═══╝") if place in kept else ("┌───┐", "│", "└───┘")
        style = KEPT if place in kept else LIGHT
        rows[0].append(f" {top}", style)
        rows[1].append(f" {side} ", style).append(str(face), STRONG).append(f" {side}", style)
        rows[2].append(f" {bottom}", style)
        rows[3].append(f"   #{place + 1} ", LIGHT)
    return rows


def _ascii_dice(faces: Sequence[int], kept: frozenset[int]) -> list[Text]:
    rows = [Text(), Text()]
    for place, face in enumerate(faces):
        left, right = ("=", "=") if place in kept else ("[", "]")
        rows[0].append(f"  {left}{face}{right} ")
        rows[1].append(f"  #{place + 1}  ", LIGHT)
    return rows


def would_score(position: Position) -> dict[Category, int]:
    """Return what the dice on the table would score in each open box, in the order of the card."""
    rules = position.rules
    return {category: rules.score(category, position.dice) for category in position.card.open}


def box_lines(position: Position, look: Look) -> Iterator[Text]:
    """Yield the card of the seat to move; open boxes show what the dice would score in them."""
    rules, card = position.rules, position.card
    would = would_score(position)
    if look.plain:
        for number, category in enumerate(rules.categories, start=1):
            if category in would:
                # Translators: the number of a box, its name, what it would score.
                line = _("{number} {box}: {points}")
                name = category_name(category)
                yield Text(line.format(number=number, box=name, points=would[category]))
        yield from upper_lines(card, look)
        return
    cells = []
    name_width = max(cell_len(category_name(category)) for category in rules.categories)
    for number, category in enumerate(rules.categories, start=1):
        cell = Text().append(f"{number:>2} ", LIGHT)
        if category in would:
            cell.append(pad(category_name(category), name_width + 1))
            cell.append(f"{f'({would[category]})':>5}", LIGHT)
        else:
            # The closing bracket of a possible score stands outside the column of final ones.
            cell.append(pad(category_name(category), name_width + 1), LIGHT)
            cell.append(f"{card[category]:>4} ")
        cells.append(cell)
    yield from _columns(cells, look)
    yield from upper_lines(card, look)


def _columns(cells: Sequence[Text], look: Look) -> Iterator[Text]:
    """Yield *cells* of one width in two columns, or in one where the window is narrow."""
    width = cells[0].cell_len
    halves = 2 if _INDENT + 2 * width + _GAP <= look.width else 1
    rows = -(-len(cells) // halves)
    for row in range(rows):
        line = Text(" " * _INDENT).append_text(cells[row])
        if halves == 2 and row + rows < len(cells):  # noqa: PLR2004
            line.append(" " * _GAP).append_text(cells[row + rows])
        yield line


def upper_lines(card: Scorecard, look: Look) -> Iterator[Text]:
    """Yield how far the number boxes are from their bonus, where the rules have one."""
    bonus = card.rules.upper_bonus
    if bonus:
        line = _("Number boxes: {points} of {threshold}. Bonus: {bonus}")
        text = line.format(points=card.upper, threshold=bonus.threshold, bonus=bonus.points)
        yield Text(text if look.plain else f"{' ' * _INDENT}{text}", LIGHT)


def totals_line(position: Position, names: Sequence[str], look: Look) -> Text:
    """Return the totals of all players on one line, that of the player to move set apart."""
    if look.plain:
        totals = (f"{name} {card.total}" for name, card in zip(names, position.cards, strict=True))
        # Translators: a list of names and points.
        return Text(_("Totals: {totals}.").format(totals=", ".join(totals)))
    line = Text(" " * _INDENT)
    for seat, card in enumerate(position.cards):
        style = STRONG if seat == position.seat else ""
        # Names and their points stay together where the line is broken.
        name = fit(names[seat], 20).replace(" ", "\N{NO-BREAK SPACE}")
        line.append("   " if seat else "").append(f"{name}\N{NO-BREAK SPACE}{card.total}", style)
    return line


def win_odds_text(chances: Odds, names: Sequence[str]) -> str:
    """Return how likely each player is to win, as a sentence, and whether that is exact."""
    is_exact = chances.kind == "exact"
    digits = 1 if is_exact else 0
    shares = (
        f"{fit(name, 20)} {format_chance(chance, digits)}"
        for name, chance in zip(names, chances.seats, strict=True)
    )
    if is_exact:
        # Translators: a list of names, each with the chance to win.
        line = _("Chances to win, exact: {list}.")
    else:
        # Translators: a list of names, each with the chance to win, roughly.
        line = _("Chances to win, an estimate: {list}.")
    return line.format(list=", ".join(shares))


def card_lines(game: Game, names: Sequence[str], look: Look) -> Iterator[Text]:
    """Yield the cards of all players, side by side as far as the window allows."""
    if look.plain:
        for seat, name in enumerate(names):
            yield from _plain_card(game.position, seat, name, look)
        return
    title = max(cell_len(label) for label in _row_labels(game.rules))
    available = look.width - _INDENT - 3 - title
    longest = max(cell_len(name) for name in names)
    column = max(5, min(longest, _NAME_COLUMN)) + 2
    fitting = max(1, available // column)
    for begin in range(0, len(names), fitting):
        if begin:
            yield Text()
        block = range(begin, min(begin + fitting, len(names)))
        yield from _card_block(game, names, block, (title, min(column, available)), look)


def _card_block(
    game: Game, names: Sequence[str], seats: range, widths: tuple[int, int], look: Look
) -> Iterator[Text]:
    rules, cards = game.rules, game.position.cards
    title, column = widths
    line = Text(" " * (_INDENT + 3 + title))
    for seat in seats:
        line.append(pad(fit(names[seat], column - 2), column, right=True), STRONG)
    yield line
    for number, category in enumerate(rules.categories, start=1):
        line = Text(" " * _INDENT).append(f"{number:>2} ", LIGHT)
        line.append(pad(category_name(category), title))
        for seat in seats:
            points = cards[seat][category]
            text = "-" if points is None else str(points)
            line.append(f"{text:>{column}}", LIGHT if points is None else "")
        yield line
    rule = "─" if look.boxes else "-"
    yield Text(" " * (_INDENT + 3) + rule * (title + column * len(seats)), LIGHT)
    if rules.upper_bonus:
        # Translators: the row of the card that holds the upper-section bonus.
        yield _sum_line(_("Bonus"), [cards[seat].bonus for seat in seats], widths)
    # Translators: the last row of the card.
    yield _sum_line(_("Total"), [cards[seat].total for seat in seats], widths, STRONG)


def _sum_line(label: str, numbers: Sequence[int], widths: tuple[int, int], style: str = "") -> Text:
    title, column = widths
    line = Text(" " * (_INDENT + 3)).append(pad(label, title), style)
    for number in numbers:
        line.append(f"{number:>{column}}", style)
    return line


def _row_labels(rules: RuleSet) -> list[str]:
    # Translators: the row of the card below the boxes that holds the upper-section bonus.
    bonus = _("Bonus")
    # Translators: the last row of the card.
    total = _("Total")
    return [*(category_name(category) for category in rules.categories), bonus, total]


def _plain_card(position: Position, seat: int, name: str, look: Look) -> Iterator[Text]:
    card = position.cards[seat]
    # Translators: the heading of a player's card.
    yield Text(_("Card: {name}").format(name=name))
    for number, category in enumerate(position.rules.categories, start=1):
        points = card[category]
        # Translators: a box of the card: its number, its name and its points.
        line = _("{number} {box}: {points}")
        if points is None:
            # Translators: a box of the card: its number and its name.
            line = _("{number} {box}: open")
        yield Text(line.format(number=number, box=category_name(category), points=points))
    yield from upper_lines(card, look)
    # Translators: the last line of a card.
    yield Text(_("Total: {points}").format(points=card.total))


def standings(position: Position) -> list[tuple[int, int]]:
    """Return (rank, seat) of all seats, best first; equal totals share a rank.

    Seats that have resigned come after those that have not, whatever their points.
    """
    totals = [card.total for card in position.cards]
    seats = range(len(totals))
    strength = {seat: (seat not in position.resigned, totals[seat]) for seat in seats}
    order = sorted(seats, key=lambda seat: strength[seat], reverse=True)
    return [(1 + sum(strength[s] > strength[seat] for s in seats), seat) for seat in order]


def standing_lines(position: Position, names: Sequence[str], look: Look) -> Iterator[Text]:
    """Yield one line a player, best first."""
    width = min(max(cell_len(name) for name in names), look.width - 24)
    for rank, seat in standings(position):
        total = position.cards[seat].total
        resigned = seat in position.resigned
        if look.plain:
            # Translators: a line of the standings.
            line = _("{rank}. {name}: {points}").format(rank=rank, name=names[seat], points=total)
            yield Text(line + (f" ({_gave_up()})" if resigned else ""))
            continue
        style = STRONG if seat in position.winners else ""
        line = f"{' ' * _INDENT}{rank:>2}  {pad(names[seat], width)} {total:>5}"
        yield Text().append(line, style).append(f"  {_gave_up()}" if resigned else "", LIGHT)


def _gave_up() -> str:
    # Translators: stands behind the points of a player who has resigned.
    return _("gave up")


def closing_text(position: Position, names: Sequence[str]) -> str:
    """Return the sentence at the end of a game."""
    winners = [names[seat] for seat in position.winners]
    if not winners:
        return _("Nobody is left to win.")
    points = position.cards[position.winners[0]].total
    if len(position.cards) == 1:
        return ngettext(
            "The card is full: {n} point.", "The card is full: {n} points.", points
        ).format(n=points)
    if len(winners) == 1:
        line = ngettext("{name} wins with {n} point.", "{name} wins with {n} points.", points)
        return line.format(name=winners[0], n=points)
    line = ngettext(
        "A tie at {n} point: {names} share the win.",
        "A tie at {n} points: {names} share the win.",
        points,
    )
    return line.format(names=", ".join(winners), n=points)
