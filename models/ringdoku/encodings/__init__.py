"""How Booleans stand for digits, and how at-most-one is written. Emits clauses into a sink; knows no solver."""
