"""Run a counterexample's line as a reader would: paste it into a Python of its own."""

from __future__ import annotations

import subprocess
import sys

_NO_SOLVER = "; import sys; sys.exit('the solver was loaded' if 'z3.z3core' in sys.modules else 0)"


def paste(line: str) -> str:
    """What the line prints. Fails if it raises, or if it needs the solver."""
    ran = subprocess.run([sys.executable, "-c", line + _NO_SOLVER], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise AssertionError(f"{line}\n{ran.stderr}")
    return ran.stdout
