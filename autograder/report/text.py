"""How shares and foreign text are written, the same in every report."""

from __future__ import annotations

import unicodedata

BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def printable(text: str, keep: str = "\t\n") -> str:
    """``text`` with U+FFFD for control characters (other than ``keep``), bidirectional controls and lone surrogates.

    Names come from file systems and messages from submissions: as they are, some cannot be encoded, and some make
    ``exe.png`` out of ``gnp.exe``.
    """
    return "".join(
        "\ufffd" if (unicodedata.category(c) in ("Cc", "Cs") and c not in keep) or c in BIDI_CONTROLS else c
        for c in text
    )
