"""What is asked of puzzles, and its checked answers."""
