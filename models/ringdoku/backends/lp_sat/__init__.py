"""LP + SAT, the optimiser: a bound by linear programming, then a SAT solver asked whether it is reached."""
