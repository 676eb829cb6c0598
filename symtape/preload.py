"""Imported by the process that workers are forked from: what each of them would otherwise load by itself."""

from symtape.discover import discover
from symtape.smt import z3

z3.main_ctx()
discover()
