"""Errors of the operating system, in the active language.

The system itself describes them in one language, that of its locale or English.
"""

from __future__ import annotations

import errno

from yachtdice.files import system_message
from yachtdice.i18n.messages import pgettext, pgettext_noop

_REASONS = {
    # Translators: why the system refused something; it comes after a colon or before a full stop.
    errno.ENOENT: pgettext_noop("system", "there is no such file or folder"),
    errno.EACCES: pgettext_noop("system", "permission is denied"),
    errno.EPERM: pgettext_noop("system", "permission is denied"),
    errno.EROFS: pgettext_noop("system", "nothing can be written there"),
    errno.EEXIST: pgettext_noop("system", "it exists already"),
    errno.EISDIR: pgettext_noop("system", "it is a folder"),
    errno.ENOTDIR: pgettext_noop("system", "a part of the path is no folder"),
    errno.ENAMETOOLONG: pgettext_noop("system", "the name is too long"),
    errno.ENOSPC: pgettext_noop("system", "the disk is full"),
    errno.EDQUOT: pgettext_noop("system", "the disk is full"),
    errno.EIO: pgettext_noop("system", "the disk cannot be read or written"),
    errno.EMFILE: pgettext_noop("system", "too many files are open"),
    errno.ENFILE: pgettext_noop("system", "too many files are open"),
    errno.EADDRINUSE: pgettext_noop("system", "the address is in use"),
    errno.EADDRNOTAVAIL: pgettext_noop("system", "this computer has no such address"),
}


def system_reason(error: BaseException) -> str:
    """Return why *error* was raised; if it is none of the usual reasons, in the system's words."""
    number = getattr(error, "errno", None)
    if isinstance(error, OSError) and number in _REASONS:
        return pgettext(*_REASONS[number])
    if isinstance(error, UnicodeDecodeError):
        return pgettext("system", "it is no text in UTF-8")
    return system_message(error)
