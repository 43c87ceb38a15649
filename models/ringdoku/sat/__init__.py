"""Formulas as flat int32 arrays, and how Booleans encode digits, at-most-one, rules and budgets. Literals are signed
non-zero ints, numbered as in DIMACS. Clauses go to a sink; no module here depends on a solver."""

from ringdoku.sat.formula import ClauseSink, Cnf, VarPool

__all__ = ["ClauseSink", "Cnf", "VarPool"]
