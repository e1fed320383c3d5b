#!/usr/bin/env python3
"""Renders many cases in one process: oracle.py's answers, without a child process.

Reads JSON lines on stdin and answers each with a JSON line on stdout, in order. A case over the time limit is
interrupted where Python code runs; what C code cannot be interrupted in is left to whoever started this process.
"""
import json
import os
import resource
import signal
import sys

import oracle

TIME_LIMIT = float(os.environ.get("BATCH_TIME_LIMIT", "1"))
MEMORY_LIMIT = int(os.environ.get("BATCH_MEMORY_MB", "600")) << 20


class TimeLimit(BaseException):
    """Not an Exception, so that nothing in a render catches it."""


def _interrupt(_signal, _frame):
    raise TimeLimit


def limit_memory():
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_LIMIT, used + MEMORY_LIMIT))


def answer(ctu, case, seconds=TIME_LIMIT):
    """What oracle.run_case gives, or the limit that the case ran into."""
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return oracle.run_case(ctu, case)
    except TimeLimit:
        return {"ok": False, "error": "time limit", "type": "TimeLimit", "phase": "render"}
    except MemoryError:
        return {"ok": False, "error": "", "type": "MemoryError", "phase": "render"}
    except BaseException as error:  # noqa: BLE001
        return oracle._error(error, "render")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main():
    ctu = oracle._setup()
    if os.environ.get("BATCH_EXACT_POWERS"):
        import exact_powers  # noqa: F401
    limit_memory()
    for line in sys.stdin:
        case = json.loads(line)
        print(oracle.dump({"id": case.get("id"), **answer(ctu, case)}), flush=True)


if __name__ == "__main__":
    main()
