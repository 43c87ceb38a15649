"""How Booleans encode digits, and how at-most-one is encoded. Clauses go to a sink; no module here depends on a
solver."""
