"""Where the console script and `python -m ringdoku_cli` start.

Loading the commands can be interrupted and can run out of memory: both get an exit code here, and neither a traceback.
"""

import os
import sys

from ringdoku_cli.exits import Exit
from ringdoku_cli.stopping import heed_signals, ignore_interrupts, lacks_memory, stopped_code


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        # the OpenBLAS of numpy, which nothing here uses, would take memory for a thread on each core
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        heed_signals()
        from ringdoku_cli.app import main as run

        run()
    except Exception as error:
        sys.exit(_code_of(error))
    except KeyboardInterrupt as error:
        sys.exit(stopped_code(error))
    finally:
        ignore_interrupts()


def _code_of(error: Exception) -> int:
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
