"""Formulas as flat int32 arrays. Literals are signed non-zero ints, numbered as in DIMACS."""

from ringdoku.cnf.formula import ClauseSink, Cnf, VarPool

__all__ = ["ClauseSink", "Cnf", "VarPool"]
