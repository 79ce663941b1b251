"""Compute what the computer's levels score on average, and write it where people read it.

The pages need them at once and computing them takes minutes, so that those of the levels that play
for points are kept in src/yachtdice/averages.json; `make averages` writes it, and tests hold it to
`bot_expected`.
"""

import json
from pathlib import Path

from yachtdice.bots import FOR_POINTS, bot_expected
from yachtdice.presets import RULE_SET_KEYS, find_rules
from yachtdice.solutions import Solutions

FILE = Path(__file__).resolve().parent.parent / "src/yachtdice/averages.json"

if __name__ == "__main__":
    found, solutions = {}, Solutions()
    for key in RULE_SET_KEYS:
        rules = find_rules(key)
        print(key)
        averages = {level: round(bot_expected(level, rules, solutions), 9) for level in FOR_POINTS}
        found[rules.fingerprint] = {"rules": key, "averages": averages}
    FILE.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
