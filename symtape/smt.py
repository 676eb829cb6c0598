"""Z3, loaded when it is first used: `symtape list` and `--help` do not pay for it."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import z3
else:

    def _load_on_first_use(name: str):
        if name in sys.modules:
            return sys.modules[name]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            raise ImportError(f"symtape needs the Python package {name}: pip install z3-solver")
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    z3 = _load_on_first_use("z3")

__all__ = ["z3"]
