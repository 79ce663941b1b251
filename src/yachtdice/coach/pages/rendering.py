"""The environment of the coach's templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeAlias

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from yachtdice.rules import FACES

Die: TypeAlias = tuple[int, bool | None]
"""A face, and whether it was kept; None where that is not shown."""

_DICE = re.compile(r"\b[1-6](?:-[1-6])+\b")
_WHOLE = r'<span class="coach-whole">\g<0></span>'


def render(template: str, /, **context: object) -> str:
    """Return a template of `templates/` filled with *context*."""
    return _environment().get_template(template).render(context)


@cache
def _environment() -> Environment:
    """Return the environment of all templates: escaping and strict."""
    environment = Environment(
        loader=PackageLoader("yachtdice.coach.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["prose"] = prose
    environment.filters["dice"] = _dice_filter(environment)
    return environment


def _dice_filter(environment: Environment) -> Callable[[Iterable[Die]], Markup]:
    """Return a filter that makes pictures of dice; each of the few different ones is made once."""
    template = environment.get_template("_die.html")
    pictures = {
        (face, is_kept): template.render(face=face, is_kept=is_kept)
        for face in FACES
        for is_kept in (None, False, True)
    }

    def dice(faces: Iterable[Die]) -> Markup:
        return Markup("".join([pictures[die] for die in faces]))  # noqa: S704 - from the template

    return dice


def prose(sentence: str) -> Markup:
    """Return an escaped sentence in which lines do not break within dice."""
    return Markup(_DICE.sub(_WHOLE, str(escape(sentence))))  # noqa: S704 - escaped just here
