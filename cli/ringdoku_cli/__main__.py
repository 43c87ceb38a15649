"""Where the console script and `python -m ringdoku_cli` start.

Nothing is imported outside `main` that Python has not loaded by itself: Ctrl-C in an import there would be a traceback.
"""

import os
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    code = 130
    try:
        # the OpenBLAS of numpy, which nothing here uses, would take memory for a thread on each core
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from importlib import import_module

        from ringdoku_cli.exits import heed_signals, outcome

        heed_signals()
        # loading the commands can be interrupted and can run out of memory
        code = outcome(lambda: import_module("ringdoku_cli.app").main())
    except KeyboardInterrupt:
        pass
    finally:
        import gc
        import signal

        # the end of the interpreter would look through all that was loaded, which takes as long as many an answer
        gc.freeze()
        # while the interpreter ends, Ctrl-C could only print a traceback, and the alarm that raises it later only kill
        for number in {signal.SIGINT, getattr(signal, "SIGALRM", signal.SIGINT)}:
            signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


if __name__ == "__main__":
    main()
