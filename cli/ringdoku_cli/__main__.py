"""Entry point of the console script and of `python -m ringdoku_cli`.

Only `main` imports what Python has not loaded yet: Ctrl-C in an import outside it would print a traceback.
"""

import os
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    code = 130
    try:
        # numpy's OpenBLAS, which nothing here uses, would reserve memory for one thread per core
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from importlib import import_module

        from ringdoku_cli.exits import exit_code_of, install_signal_handlers

        install_signal_handlers()
        # loading the commands can be interrupted and can run out of memory
        code = exit_code_of(lambda: import_module("ringdoku_cli.app").main())
    except KeyboardInterrupt:
        pass
    finally:
        import gc
        import signal

        # keeps the last garbage collection from visiting every loaded object, which takes as long as many an answer
        gc.freeze()
        # during shutdown, Ctrl-C would print a traceback, and the alarm of `_interrupt_later` would kill
        for number in {signal.SIGINT, getattr(signal, "SIGALRM", signal.SIGINT)}:
            signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


if __name__ == "__main__":
    main()
