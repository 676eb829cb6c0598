"""What stands inside a page instead of beside it: its style sheet, its scripts, and the policy that admits these, by
what they hash to, and nothing else. A page is then whole when it is copied alone."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def source(name: str) -> str:
    """A file of this folder that is put into a page as it is."""
    return (Path(__file__).parent / name).read_text("utf-8")


def inlined(style: str, *scripts: str) -> dict[str, Any]:
    """What the head of a page needs; the template must not escape it. Raises `ValueError` where a text would end its
    own element."""
    for text, end in ((style, "</style"), *((script, "</script") for script in scripts)):
        if end in text.lower():
            raise ValueError(f"{end} inside what is inlined")
    return {"style": style, "scripts": scripts, "policy": _policy(style, scripts)}


def _policy(style: str, scripts: Sequence[str]) -> str:
    allowed = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", f"style-src {_hash(style)}"]
    # a picture says in an attribute how far it may shrink, and where it opens
    allowed.append("style-src-attr 'unsafe-inline'")
    if scripts:
        allowed.append(f"script-src {' '.join(map(_hash, scripts))}")
    return "; ".join(allowed)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
