"""Formulas as flat int32 arrays, and how Booleans encode digits, at-most-one, rules and budgets. Literals are signed
non-zero ints, numbered as in DIMACS. No module here depends on a solver."""
