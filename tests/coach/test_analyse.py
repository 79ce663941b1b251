"""What a report says of single games, turns and decisions."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from tests.solved import solved
from yachtdice import ALL_DICE, TRADITIONAL, Category, Dice, Game, Hold, RuleSet, Score
from yachtdice.bots import FOR_POINTS, known_averages
from yachtdice.coach import Kind, Label, analyse, judge, like_level, reasons
from yachtdice.coach.analysis.rating import compute_levels
from yachtdice.notation import parse_game
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.rules import IllegalMoveError, IllegalMoveReason, Position, Scorecard
from yachtdice.solver import ValueTableError

RECORDS = Path(__file__).parent / "records"


def begun(*faces: int) -> Game:
    """Return a game of one seat in which five dice were rolled."""
    return Game.start(TRADITIONAL, [""]).roll(faces)


def filled(**points: int) -> Game:
    """Return a game of one seat whose boxes of those names are filled."""
    game = Game.start(TRADITIONAL, [""])
    for key, value in points.items():
        game = game.enter(Category(key), value)
    return game


def test_luck_is_what_a_roll_is_worth_more_than_the_mean() -> None:
    solution = solved(TRADITIONAL)
    game = begun(4, 4, 2, 1, 6)
    (roll,) = analyse(game, solution).seats[0].turns[0].rolls
    start = Position.start(TRADITIONAL)
    values = [(solution.value(start.roll(dice)), chance) for dice, chance in start.outcomes()]
    mean = sum(value * float(chance) for value, chance in values)
    assert roll.luck == pytest.approx(solution.value(game.position) - mean, abs=1e-9)
    variance = sum((value - mean) ** 2 * float(chance) for value, chance in values)
    assert roll.variance == pytest.approx(variance)
    assert (roll.event, roll.dice, roll.rolls_left) == (1, Dice([1, 2, 4, 4, 6]), 2)


def test_the_luck_of_a_later_roll_is_measured_against_what_was_kept() -> None:
    solution = solved(TRADITIONAL)
    game = begun(4, 4, 2, 1, 6).play(Hold(Dice([4, 4])))
    before = game.position
    after = game.roll([4, 1, 2])
    roll = analyse(after, solution).seats[0].turns[0].rolls[1]
    luck = solution.value(after.position) - solution.value(before)
    assert roll.luck == pytest.approx(luck, abs=1e-9)
    values = [(solution.value(before.roll(dice)), chance) for dice, chance in before.outcomes()]
    variance = sum((v - solution.value(before)) ** 2 * float(p) for v, p in values)
    assert roll.variance == pytest.approx(variance)
    seat = analyse(after, solution).seats[0]
    assert seat.luck_sd**2 == pytest.approx(sum(r.variance for r in seat.turns[0].rolls))


def test_a_loss_is_what_the_best_move_is_worth_more() -> None:
    solution = solved(TRADITIONAL)
    game = begun(4, 4, 2, 1, 6)
    ranked = solution.rank(game.position)
    for choice in ranked:
        (decision,) = analyse(game.play(choice.move), solution).seats[0].decisions
        assert decision.loss == pytest.approx(choice.loss, abs=1e-9)
        assert decision.move == choice.move
        assert decision.best == tuple(c.move for c in ranked if c.is_best)
        assert (decision.label is Label.BEST) == choice.is_best == (decision.loss == 0)
        judged = judge(game.position, choice.move, solution)
        assert judged == replace(decision, event=0)


KINDS = [
    # dice, rolls already used, move, kind
    ((4, 4, 2, 1, 6), 1, Hold(Dice([1, 2, 6])), Kind.KEPT_WRONG),
    ((4, 4, 2, 1, 6), 1, Score(Category.CHOICE), Kind.STOPPED_EARLY),
    ((5, 5, 5, 5, 5), 1, Hold(Dice([5, 5, 5])), Kind.ROLLED_ON),
    ((5, 5, 5, 5, 5), 3, Score(Category.ONES), Kind.WRONG_BOX),
    ((5, 5, 5, 5, 5), 1, Score(Category.ONES), Kind.WRONG_BOX),
]


@pytest.mark.parametrize(("faces", "rolls", "move", "kind"), KINDS)
def test_kinds_of_mistakes(
    faces: tuple[int, ...], rolls: int, move: Hold | Score, kind: Kind
) -> None:
    game = begun(*faces)
    for _ in range(rolls - 1):
        game = game.play(Hold(Dice())).roll(faces)
    decision = analyse(game.play(move), solved(TRADITIONAL)).seats[0].decisions[-1]
    assert decision.kind is kind
    assert decision.label.is_wrong
    costs = analyse(game.play(move), solved(TRADITIONAL)).seats[0].kinds[kind]
    assert costs.count >= 1
    assert costs.loss >= decision.loss


def test_a_best_move_has_no_kind_and_no_reasons() -> None:
    decision = judge(begun(5, 5, 5, 5, 5).position, Score(Category.YACHT), solved(TRADITIONAL))
    assert decision is not None
    assert (decision.label, decision.kind, decision.facts) == (Label.BEST, None, None)
    assert reasons(decision) == ()


def test_a_forced_move_is_no_decision() -> None:
    least = {c.value: TRADITIONAL.possible_points(c)[0] for c in TRADITIONAL.categories}
    del least[Category.YACHT.value]
    game = filled(**least)
    for _ in range(2):
        game = game.roll([1, 2, 3, 4, 5]).play(Hold(Dice()))
    game = game.roll([1, 2, 3, 4, 5])
    assert judge(game.position, Score(Category.YACHT), solved(TRADITIONAL)) is None
    turn = analyse(game.play(Score(Category.YACHT)), solved(TRADITIONAL)).seats[0].turns[-1]
    assert [decision.rolls_left for decision in turn.decisions] == [2, 1]
    assert turn.category is Category.YACHT


def test_judging_refuses_what_the_rules_refuse() -> None:
    position = begun(4, 4, 2, 1, 6).position
    with pytest.raises(IllegalMoveError) as caught:
        judge(position, Hold(Dice([5])), solved(TRADITIONAL))
    assert caught.value.reason is IllegalMoveReason.NOT_ON_TABLE
    with pytest.raises(ValueTableError):
        judge(position, Hold(Dice([4])), solved(find_rules("all-dice")))


def test_a_report_needs_the_solution_of_its_rules() -> None:
    with pytest.raises(ValueTableError):
        analyse(begun(4, 4, 2, 1, 6), solved(find_rules("all-dice")))


def test_of_a_turn_with_its_last_dice_the_box_is_judged() -> None:
    solution = solved(TRADITIONAL)
    game = Game.start(TRADITIONAL, [""]).enter(Category.ONES, Dice([1, 5, 5, 5, 5]))
    seat = analyse(game, solution).seats[0]
    (turn,) = seat.turns
    (decision,) = turn.decisions
    assert turn.is_entered
    assert not seat.is_known
    assert decision.rolls_left is None
    assert decision.kind is Kind.WRONG_BOX
    # As if no roll had been left: the least that the box can have cost.
    last = begun(1, 5, 5, 5, 5)
    for _ in range(2):
        last = last.play(Hold(Dice())).roll([1, 5, 5, 5, 5])
    ranked = {c.move: c.loss for c in solution.rank(last.position)}
    assert decision.loss == pytest.approx(ranked[Score(Category.ONES)], abs=1e-9)
    assert turn.unknown == pytest.approx(seat.expected - seat.start + decision.loss, abs=1e-9)
    assert (seat.luck, seat.loss_per_turn, seat.level) == (0, None, None)
    assert turn.minimum_loss == 0


def test_of_a_turn_of_which_only_the_points_are_known_the_least_loss_is_told() -> None:
    solution = solved(TRADITIONAL)
    game = Game.start(TRADITIONAL, [""]).enter(Category.YACHT, 0)
    (turn,) = analyse(game, solution).seats[0].turns
    assert turn.decisions == ()
    assert turn.unknown == pytest.approx(turn.expected - turn.start, abs=1e-9)
    # By brute force: whatever the dice showed that are no Yacht.
    losses = []
    for dice, _ in Position.start(TRADITIONAL).outcomes():
        if TRADITIONAL.score(Category.YACHT, dice) == 0:
            last = Position(TRADITIONAL, (Scorecard(TRADITIONAL),), 0, dice, 0)
            losses += [c.loss for c in solution.rank(last) if c.move == Score(Category.YACHT)]
    assert turn.minimum_loss == pytest.approx(min(losses), abs=1e-9)
    assert turn.minimum_loss > 1


def test_a_correction_is_a_part_of_its_own() -> None:
    solution = solved(TRADITIONAL)
    game = Game.start(TRADITIONAL, ["", ""]).enter(Category.FOURS, 12)
    before = analyse(game, solution).seats[0]
    seat = analyse(game.correct(0, Category.FOURS, 16), solution).seats[0]
    (correction,) = seat.corrections
    assert correction.change == pytest.approx(4)
    assert seat.corrected == correction.change
    assert seat.expected == pytest.approx(before.expected + 4)


def test_a_correction_in_the_middle_of_a_turn() -> None:
    solution = solved(TRADITIONAL)
    game = filled(fours=12).roll([5, 5, 1, 2, 3])
    corrected = game.correct(0, Category.FIVES, 20, instead_of=Category.FOURS)
    seat = analyse(corrected, solution).seats[0]
    assert seat.expected == pytest.approx(solution.value(corrected.position), abs=1e-9)
    change = solution.value(corrected.position) - solution.value(game.position)
    assert seat.corrected == pytest.approx(change, abs=1e-9)


def test_who_resigns_gives_up_what_was_still_to_come() -> None:
    solution = solved(TRADITIONAL)
    game = Game.start(TRADITIONAL, ["", ""]).enter(Category.YACHT, 50).enter(Category.ONES, 0)
    game = game.roll([6, 6, 6, 6, 6])
    expected = solution.value(game.position)
    report = analyse(game.resign(0), solution)
    seat = report.seats[0]
    assert seat.given_up == pytest.approx(expected - 50, abs=1e-9)
    assert (seat.expected, seat.points, seat.resigned) == (50, 50, game.version)
    assert seat.turns[-1].category is None
    assert report.leaders == report.adjusted_leaders == (1,)
    assert report.places == report.adjusted_places == {1: 1}


def test_nobody_leads_where_all_have_resigned() -> None:
    game = Game.start(TRADITIONAL, ["", ""]).resign(0).resign(1)
    report = analyse(game, solved(TRADITIONAL))
    assert report.is_over
    assert report.leaders == report.adjusted_leaders == ()


def test_the_standing_with_average_luck() -> None:
    report = analyse(
        parse_game((RECORDS / "four-at-a-table.yacht").read_text()), solved(TRADITIONAL)
    )
    for seat in report.seats:
        assert seat.adjusted == pytest.approx(report.start - seat.loss, abs=1e-9)
    adjusted = {seat.seat: seat.adjusted for seat in report.seats}
    assert report.adjusted_leaders == (max(adjusted, key=lambda seat: adjusted[seat]),)
    assert report.adjusted_places == {3: 1, 2: 2, 1: 3, 0: 4}
    totals = {seat.seat: seat.points for seat in report.seats}
    assert report.leaders == tuple(s for s in totals if totals[s] == max(totals.values()))


def test_the_costliest_decisions_come_first() -> None:
    report = analyse(parse_game((RECORDS / "alone.yacht").read_text()), solved(TRADITIONAL))
    (seat,) = report.seats
    losses = sorted((decision.loss for decision in seat.decisions), reverse=True)
    assert [decision.loss for decision in seat.costliest] == losses[:3]
    assert sum(costs.loss for costs in seat.kinds.values()) == pytest.approx(seat.loss)
    assert sum(seat.labels.values()) == len(seat.decisions)
    assert seat.mean_loss == pytest.approx(seat.loss / len(seat.decisions))
    assert seat.loss_per_turn == pytest.approx(seat.loss / 12)


def test_the_position_of_a_decision_can_be_reached() -> None:
    game = parse_game((RECORDS / "alone.yacht").read_text())
    for decision in analyse(game, solved(TRADITIONAL)).seats[0].decisions:
        position = Game.replay(game.events[: decision.event]).position
        assert position.dice == decision.dice
        assert position.rolls_left == decision.rolls_left
        assert decision.move in position.legal_moves()


def test_ratings_are_the_nearest_level() -> None:
    levels = known_averages(TRADITIONAL)
    assert levels is not None
    assert list(levels) == list(FOR_POINTS)
    assert like_level(0.0, levels, TRADITIONAL) == "perfect"
    assert like_level(1.2, levels, TRADITIONAL) == "skilled"
    assert like_level(100.0, levels, TRADITIONAL) == "novice"


@pytest.mark.system
@pytest.mark.parametrize("rules", [TRADITIONAL, ALL_DICE], ids=lambda rules: rules.key)
def test_the_levels_are_what_the_bots_expect(rules: RuleSet) -> None:
    assert known_averages(rules) == pytest.approx(compute_levels(rules))


@pytest.mark.soak
@pytest.mark.parametrize("key", RULE_SET_KEYS)
def test_the_levels_are_what_the_bots_expect_under_all_rules(key: str) -> None:
    rules = find_rules(key)
    assert known_averages(rules) == pytest.approx(compute_levels(rules))


def exact_chances(position: Position, move: Hold | Score) -> dict[tuple[Category, int], Fraction]:
    """Return how the turn ends after *move*, by playing out every roll with the best moves."""
    solution = solved(position.rules)
    ends: dict[tuple[Category, int], Fraction] = {}

    @cache
    def best(after: Position) -> Hold | Score:
        return solution.rank(after)[0].move

    def follow(before: Position, chosen: Hold | Score, chance: Fraction) -> None:
        if isinstance(chosen, Score):
            end = (chosen.category, before.rules.score(chosen.category, before.dice))
            ends[end] = ends.get(end, Fraction(0)) + chance
            return
        held = before.play(chosen)
        for dice, part in held.outcomes():
            after = held.roll(dice)
            follow(after, best(after), chance * part)

    follow(position, move, Fraction(1))
    return ends


@pytest.mark.parametrize(
    ("faces", "rolls_left", "move"),
    [
        ((4, 4, 2, 1, 6), 2, Hold(Dice([1, 2, 6]))),
        ((2, 3, 4, 5, 5), 1, Hold(Dice([5]))),
        ((2, 3, 4, 5, 5), 2, Score(Category.ONES)),
        ((5, 5, 5, 5, 5), 2, Hold(Dice([5, 5]))),
    ],
)
def test_facts_are_exact(faces: tuple[int, ...], rolls_left: int, move: Hold | Score) -> None:
    solution = solved(TRADITIONAL)
    card = filled(choice=20, fours=12, yacht=0).position.cards
    position = Position(TRADITIONAL, card, 0, Dice(faces), rolls_left)
    decision = judge(position, move, solution)
    assert decision is not None
    assert decision.facts is not None
    for outlook, played in ((decision.facts.chosen, move), (decision.facts.best, decision.best[0])):
        ends = exact_chances(position, played)
        for found, is_paid in ((outlook.chances, True), (outlook.zeros, False)):
            by_box: dict[Category, float] = {}
            for (box, points), chance in ends.items():
                if (points > 0) is is_paid:
                    by_box[box] = by_box.get(box, 0.0) + float(chance)
            assert found == pytest.approx(by_box, abs=1e-12)
        mean = sum(float(chance) * points for (_, points), chance in ends.items())
        assert outlook.points == pytest.approx(mean)
        total = position.card.total + outlook.points + outlook.later
        after = solution.value(position.play(played))
        assert total == pytest.approx(after, abs=1e-9)
        assert outlook.value == pytest.approx(outlook.points + outlook.later)
    gain = decision.facts.best.value - decision.facts.chosen.value
    assert gain == pytest.approx(decision.loss, abs=1e-9)
