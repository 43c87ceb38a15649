"""Pictures of puzzles: what a named constraint's marks look like, as SVG and in a terminal's characters."""
