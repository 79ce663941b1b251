"""What a box pays, in words: the English text is read back and must pay what the scorer pays."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import find, given

from tests.strategies import scorers
from yachtdice import DICE, FACES, Dice, FullHouse, OfAKind, Scorer, roll_outcomes
from yachtdice.i18n import ScorerWords, describe_scorer, languages, use_language
from yachtdice.presets import find_rules
from yachtdice.rules.scorers import SCORERS

ROLLS = [dice for dice, _ in roll_outcomes(DICE)]

Condition = Callable[[Dice], bool]
Payment = Callable[[Dice], int]


@dataclass(frozen=True)
class Alike:
    """At least so many dice of one face; "their face" then is one of `faces`."""

    count: int

    def __call__(self, dice: Dice) -> bool:
        return bool(self.faces(dice))

    def faces(self, dice: Dice) -> list[int]:
        return [face for face in FACES if dice.counts[face - 1] >= self.count]


def row(first: int, last: int) -> Condition:
    return lambda dice: set(range(first, last + 1)) <= set(dice.faces)


def any_row(length: int) -> Condition:
    rows = [row(first, first + length - 1) for first in range(1, 8 - length)]
    return lambda dice: any(condition(dice) for condition in rows)


def three_and_two(dice: Dice) -> bool:
    return sorted(dice.counts)[-2:] == [2, 3]


def three_and_two_or_five(dice: Dice) -> bool:
    return three_and_two(dice) or 5 in dice.counts


CONDITIONS: dict[str, Callable[..., Condition]] = {
    r"all five alike": lambda: Alike(5),
    r"(\d) or more alike": Alike,
    r"(\d) alike": Alike,
    r"three alike and two of another face": lambda: three_and_two,
    r"three and two alike": lambda: three_and_two,
    r"three alike and two alike, or five alike": lambda: three_and_two_or_five,
    r"three and two, or five alike": lambda: three_and_two_or_five,
    r"(\d) faces in a row": any_row,
    r"(\d) in a row": any_row,
    r"every face from (\d) to (\d)": row,
    r"(\d)(?:-\d)*-(\d)": row,
}


def only(faces: list[int]) -> int:
    (face,) = faces
    return face


def payment(text: str, condition: Condition | None) -> Payment:
    """Return what *text* says that dice pay which meet *condition*."""
    if text in {"all dice, added up", "adds all dice"}:
        return lambda dice: dice.total
    if found := re.fullmatch(r"(?:the dice that show|counts every) (\d)(?:, added up)?", text):
        face = int(found[1])
        return lambda dice: sum(shown for shown in dice if shown == face)
    if found := re.fullmatch(r"(\d+)", text):
        points = int(found[1])
        return lambda _: points
    assert isinstance(condition, Alike)
    alike = condition
    found = re.fullmatch(r"(\d) (times their|times the highest such|× the) face", text)
    assert found, text
    count = int(found[1])
    if found[2] == "times their":
        # The sentence has to be clear: no roll may have two faces that it can mean.
        return lambda dice: count * only(alike.faces(dice))
    return lambda dice: count * max(alike.faces(dice))


def read(text: str) -> Payment:
    """Return what dice pay according to *text*, a sentence or a hint."""
    found = re.fullmatch(r"(.*?)(?:, and (\d+) more| \+ (\d+))?", text)
    assert found
    extra = int(found[2] or found[3] or 0)
    before, colon, after = found[1].partition(": ")
    if not colon:
        pays = payment(before, None)
        return lambda dice: pays(dice) + extra
    conditions = [
        make(*map(int, match.groups()))
        for pattern, make in CONDITIONS.items()
        if (match := re.fullmatch(pattern, before))
    ]
    (condition,) = conditions
    pays = payment(after, condition)
    return lambda dice: pays(dice) + extra if condition(dice) else 0


@given(scorers)
def test_sentence_and_hint_pay_what_the_scorer_pays_for_every_roll(scorer: Scorer) -> None:
    words = describe_scorer(scorer)
    paid = [scorer.points(dice) for dice in ROLLS]
    assert [read(words.sentence)(dice) for dice in ROLLS] == paid
    assert [read(words.hint)(dice) for dice in ROLLS] == paid


@pytest.mark.parametrize("key", ["console", "knizia"])
def test_a_full_house_says_that_five_alike_score_too(key: str) -> None:
    scorer = next(s for s in find_rules(key).scorers.values() if isinstance(s, FullHouse))
    assert describe_scorer(scorer) == ScorerWords(
        "three alike and two alike, or five alike: all dice, added up",
        "three and two, or five alike: adds all dice",
        "3+2",
    )


def test_points_on_top_are_in_every_form() -> None:
    assert describe_scorer(OfAKind(4, "sum", extra=20)) == ScorerWords(
        "4 or more alike: all dice, added up, and 20 more", "4 alike: adds all dice + 20", "4×"
    )
    assert describe_scorer(OfAKind(5, 50, extra=20)) == ScorerWords(
        "all five alike: 70", "5 alike: 70", "5×"
    )


@pytest.mark.parametrize("scorer", SCORERS.values(), ids=SCORERS)
def test_every_scorer_has_words_of_its_own_and_is_tested_here(scorer: type[Scorer]) -> None:
    todo = f"register the words of {scorer.__name__} in yachtdice.i18n.boxes"
    assert scorer in describe_scorer.registry, todo
    assert isinstance(find(scorers, lambda drawn: isinstance(drawn, scorer)), scorer)


def test_a_scorer_without_words_is_an_error() -> None:
    class Pair:
        pass

    with pytest.raises(TypeError, match=r"Pair has no words: register them in yachtdice\.i18n"):
        describe_scorer(Pair())


@given(scorers)
def test_every_language_gives_the_same_numbers(scorer: Scorer) -> None:
    def numbers(text: str) -> list[str]:
        return sorted(re.findall(r"\d+", text))

    english = describe_scorer(scorer)
    for language in languages():
        with use_language(language):
            words = describe_scorer(scorer)
        assert words.symbol == english.symbol
        assert numbers(words.sentence) == numbers(english.sentence)
        assert numbers(words.hint) == numbers(english.hint)
