"""What LP duality proves about a puzzle without search: score bounds, dead candidates, equal objectives.

Let x[c,d] ∈ {0,1} mean that cell c holds d, and let the gain g[c,d] be what that adds to the score: weight·d mostly.
Maximise Σ g[c,d]·x[c,d] subject to Σ_d x[c,d] = 1 for every cell and Σ_{c∈u} x[c,d] = 1 for every unit u and digit d.
For any prices α_c and β_{u,d}, the score of a solution is Σα + Σβ − Σ r[c,d] over its candidates, with the reduced
costs r[c,d] = α_c + Σ_{u∋c} β_{u,d} − g[c,d]. If all r ≥ 0, then Σα + Σβ is a bound, and a solution that reaches a
target uses no candidate whose reduced cost is above bound − target. `relaxation` finds good prices by linear
programming, and `prices` makes them exact, so the bound depends on neither floating-point numbers nor a solver.
"""
