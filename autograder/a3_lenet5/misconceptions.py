"""x"""

from __future__ import annotations

MISCONCEPTIONS = ()
