"""Reading what solvers write, one file for each family of outputs. Knows nothing of puzzles."""
