"""Deduction without search: candidates, and those that each primitive excludes."""
