"""What the public functions do: answer questions about puzzles, and check the answers."""
