"""Yacht, the traditional game of five dice and twelve boxes.

The names here are the engine's; it needs nothing but Python. The rest is in rooms of its own:
`yachtdice.notation` (games as text), `yachtdice.chance` (dice), `yachtdice.solver` (perfect play).
"""

from yachtdice.rules import *  # noqa: F403 - the engine's public names, listed there
from yachtdice.rules import __all__ as __all__

__version__ = "0.1.0"
