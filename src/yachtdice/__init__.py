"""Yacht, the traditional game of five dice and twelve boxes.

The names here are the engine's; it needs nothing but Python. The rest is in packages of its own:
`yachtdice.notation` (games and positions as text), `yachtdice.dice_source` (sources of dice),
`yachtdice.solver` (perfect play).
"""

from yachtdice import rules
from yachtdice.presets import find_rules
from yachtdice.rules import *  # noqa: F403 - the engine's public names, listed there

__version__ = "0.1.0"

__all__ = ["find_rules"]
__all__ += rules.__all__
