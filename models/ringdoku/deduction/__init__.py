"""Deduction without search: candidates, singles, and the candidates that each primitive excludes."""
