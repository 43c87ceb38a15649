"""Pictures of puzzles with the marks of named constraints, as SVG and as text for terminals."""

PICTURES = ("svg", "png", "pdf")
"""The formats of pictures, which are also the endings of file names."""
