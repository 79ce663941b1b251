"""Dice that a test can replace while a server uses them."""

from yachtdice.dice_source import DiceSource, SystemDice


class ReplaceableDice:
    """A source of dice that asks another one."""

    def __init__(self) -> None:
        self.source: DiceSource = SystemDice()

    def roll(self, count: int) -> tuple[int, ...]:
        return self.source.roll(count)
