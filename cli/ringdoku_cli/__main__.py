"""Where the console script and `python -m ringdoku_cli` start.

Loading the commands can be interrupted and can run out of memory: both get an exit code here, and neither a traceback.
Nothing is imported outside `main` that Python has not loaded by itself: Ctrl-C in an import there would be a traceback.
"""

import os
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        # the OpenBLAS of numpy, which nothing here uses, would take memory for a thread on each core
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from ringdoku_cli.exits import heed_signals

        heed_signals()
        from ringdoku_cli.app import main as run

        run()
    except (Exception, KeyboardInterrupt) as error:
        sys.exit(_code_of(error))
    finally:
        _ignore_interrupts()


def _ignore_interrupts() -> None:
    """Once the run is over, Ctrl-C could only print a traceback while the interpreter ends."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _code_of(error: BaseException) -> int:
    _ignore_interrupts()
    from ringdoku_cli.exits import Exit, lacks_memory, stopped_code

    code = stopped_code(error)
    if code is not None:
        return code
    if lacks_memory(error):
        # without the modules that print messages: they may not be loaded
        os.write(2, b"ringdoku: error: out of memory\n")
        return Exit.UNKNOWN
    sys.excepthook(type(error), error, error.__traceback__)
    return Exit.BUG


if __name__ == "__main__":
    main()
