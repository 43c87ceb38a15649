"""`python -m ringdoku_cli` is `ringdoku`."""

from ringdoku_cli.app import main

main()
