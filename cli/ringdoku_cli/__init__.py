"""The command line: reads arguments, calls one library function, shows what it returned."""
