"""One command a file; `ringdoku_cli.app.COMMANDS` is their table."""
