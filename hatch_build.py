"""Compile the message catalogues when the package is built or installed from a checkout."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface[Any]):
    """Writes a .mo beside each .po; the wheel takes both along."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile every catalogue; only complete, checked messages go into it."""
        locales = Path(self.root, "src/yachtdice/i18n/locale")
        for path in sorted(locales.glob("*/LC_MESSAGES/*.po")):
            with path.open("rb") as file:
                catalogue = read_po(file, locale=path.parent.parent.name)
            with path.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
