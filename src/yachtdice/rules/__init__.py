"""The engine: immutable values, without random numbers, storage or input and output."""

from yachtdice.rules.category import CATEGORIES, UPPER_CATEGORIES, Category
from yachtdice.rules.dice import (
    DICE,
    FACES,
    KEEPS,
    Dice,
    format_dice,
    parse_dice,
    parse_faces,
    roll_outcomes,
)
from yachtdice.rules.errors import (
    DiceError,
    IllegalMoveError,
    IllegalMoveReason,
    NotationError,
    NotationReason,
    RuleSetError,
    SetupError,
    SetupReason,
    YachtError,
)
from yachtdice.rules.events import (
    CategoryScored,
    DiceHeld,
    DiceRolled,
    Event,
    GameStarted,
    PlayerResigned,
    ScoreCorrected,
    TurnEntered,
)
from yachtdice.rules.game import Game
from yachtdice.rules.moves import MOVES, Hold, Move, Score
from yachtdice.rules.position import MAX_SEATS, Position
from yachtdice.rules.rulefile import format_rules, parse_rules
from yachtdice.rules.ruleset import ALL_DICE, TRADITIONAL, RuleSet, UpperBonus
from yachtdice.rules.scorecard import Scorecard
from yachtdice.rules.scorers import FaceSum, FullHouse, OfAKind, Pays, Scorer, Straight, Total

__all__ = [
    "ALL_DICE",
    "CATEGORIES",
    "DICE",
    "FACES",
    "KEEPS",
    "MAX_SEATS",
    "MOVES",
    "TRADITIONAL",
    "UPPER_CATEGORIES",
    "Category",
    "CategoryScored",
    "Dice",
    "DiceError",
    "DiceHeld",
    "DiceRolled",
    "Event",
    "FaceSum",
    "FullHouse",
    "Game",
    "GameStarted",
    "Hold",
    "IllegalMoveError",
    "IllegalMoveReason",
    "Move",
    "NotationError",
    "NotationReason",
    "OfAKind",
    "Pays",
    "PlayerResigned",
    "Position",
    "RuleSet",
    "RuleSetError",
    "Score",
    "ScoreCorrected",
    "Scorecard",
    "Scorer",
    "SetupError",
    "SetupReason",
    "Straight",
    "Total",
    "TurnEntered",
    "UpperBonus",
    "YachtError",
    "format_dice",
    "format_rules",
    "parse_dice",
    "parse_faces",
    "parse_rules",
    "roll_outcomes",
]
