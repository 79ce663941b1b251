"""Yacht for two solved exactly: what every position is worth when both play to win.

    from yachtdice import TRADITIONAL, Position, parse_dice
    from yachtdice.solver.duel import Duel

    duel = Duel(TRADITIONAL)
    position = Position.start(TRADITIONAL, seats=2).roll(parse_dice("4-4-2-1-6"))
    print(duel.win_odds(position), duel.rank(position).choices[0])

- `Duel(rules, table=None)` or `open_duel(rules, folder)`: `chances(position)`, everybody's chance
  to win as `Odds` (`kind`, `seats`); `rank(position)`, every legal move as a `Ranking` (`kind`,
  `choices`); `turn(position)`, the arrays of a `DuelTurn`. `kind` says whether they are exact;
- `breakdown(duel, game)`: luck and losses of a game in winning chances, and the curve,
  a `Breakdown`;
- `build_table(path, rules)` solves a whole game and returns its `DuelTable`, `plan_table(rules)`
  says what that takes, `table_path(rules, folder)` where `open_duel` looks for it.

Needs NumPy (the extra `solver`). Numba (the extra `duel`) builds tables, and solves the last eight
rounds on demand instead of the last six.
"""

from yachtdice.solver.duel.breakdown import Breakdown, Part, Swing, breakdown
from yachtdice.solver.duel.build import Plan, Stage, build_table, plan_table
from yachtdice.solver.duel.duel import Duel, Odds, Ranking, open_duel, table_path
from yachtdice.solver.duel.errors import DuelError, DuelReason, SpaceError
from yachtdice.solver.duel.table import DuelTable
from yachtdice.solver.duel.view import DuelTurn, Kind

__all__ = [
    "Breakdown",
    "Duel",
    "DuelError",
    "DuelReason",
    "DuelTable",
    "DuelTurn",
    "Kind",
    "Odds",
    "Part",
    "Plan",
    "Ranking",
    "SpaceError",
    "Stage",
    "Swing",
    "breakdown",
    "build_table",
    "open_duel",
    "plan_table",
    "table_path",
]
