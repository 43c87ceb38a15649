"""Puzzle → model, one target a file."""
