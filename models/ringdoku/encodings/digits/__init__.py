"""How Booleans stand for a cell's digit, one file each: `encode`, `variables` and `clauses` for k candidates."""
