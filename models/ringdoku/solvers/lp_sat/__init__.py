"""LP + SAT, the optimiser: linear programming proves a bound, then a SAT solver decides whether a solution reaches
it."""
