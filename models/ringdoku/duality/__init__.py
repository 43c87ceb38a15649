"""What LP duality proves about a puzzle without search: score bounds, dead candidates, equal objectives.

Let x[c,d] ∈ {0,1} say that cell c holds d, and w_c be the weight of c. Maximise Σ w_c·d·x[c,d] subject to
Σ_d x[c,d] = 1 for every cell and Σ_{c∈u} x[c,d] = 1 for every unit u and digit d. Prices α_c and β_{u,d}, any at all,
turn the score of every solution into Σα + Σβ − Σ r[c,d] over its choices, with reduced costs
r[c,d] = α_c + Σ_{u∋c} β_{u,d} − w_c·d; where all r ≥ 0, Σα + Σβ is a bound, and no solution within it of a target can
use a candidate dearer than the difference. `relaxation` finds good prices by linear programming, `prices` makes them
exact, so nobody has to trust floating-point numbers or a solver.
"""
