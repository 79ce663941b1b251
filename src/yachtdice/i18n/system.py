"""Why the operating system refused something, in the language in force.

The system itself says it in the language that it was installed in, if in any but English.
"""

from __future__ import annotations

import errno

from yachtdice.i18n.messages import mark, pgettext

_REASONS = {
    # Translators: why the system refused something; it comes after a colon or before a full stop.
    errno.ENOENT: mark("system", "there is no such file or folder"),
    errno.EACCES: mark("system", "permission is denied"),
    errno.EPERM: mark("system", "permission is denied"),
    errno.EROFS: mark("system", "nothing can be written there"),
    errno.EEXIST: mark("system", "it exists already"),
    errno.EISDIR: mark("system", "it is a folder"),
    errno.ENOTDIR: mark("system", "a part of the path is no folder"),
    errno.ENAMETOOLONG: mark("system", "the name is too long"),
    errno.ENOSPC: mark("system", "the disk is full"),
    errno.EDQUOT: mark("system", "the disk is full"),
    errno.EIO: mark("system", "the disk cannot be read or written"),
    errno.EMFILE: mark("system", "too many files are open"),
    errno.ENFILE: mark("system", "too many files are open"),
    errno.EADDRINUSE: mark("system", "the address is in use"),
    errno.EADDRNOTAVAIL: mark("system", "this computer has no such address"),
}


def system_reason(error: BaseException) -> str:
    """Return why *error* was raised; what is none of the system's usual reasons, as it says it."""
    number = getattr(error, "errno", None)
    if isinstance(error, OSError) and number in _REASONS:
        return pgettext(*_REASONS[number])
    if isinstance(error, UnicodeDecodeError):
        return pgettext("system", "it is no text in UTF-8")
    return getattr(error, "strerror", None) or str(error)
