"""Where the console script and `python -m ringdoku_cli` start: to be stopped while they load is no reason for a
traceback."""

import sys

from ringdoku_cli.stopping import heed_signals, ignore_interrupts, stopped_code


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        heed_signals()
        from ringdoku_cli.app import main as run

        run()
    except BaseException as error:
        code = stopped_code(error)
        if code is None:
            raise
        sys.exit(code)
    finally:
        ignore_interrupts()


if __name__ == "__main__":
    main()
