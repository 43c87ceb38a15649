"""Pictures of puzzles with the marks of named constraints, as SVG and as text for terminals."""
