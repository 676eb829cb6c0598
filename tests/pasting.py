"""Run a counterexample's line as a reader would: paste it into Python."""

from __future__ import annotations

import contextlib
import io


def paste(line: str) -> str:
    """What the line prints. The line is symtape's own output, made from a Z3 model."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(line, "<counterexample>", "exec"), {})
    return printed.getvalue()
