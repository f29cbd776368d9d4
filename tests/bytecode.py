"""What is compiled once for all processes of a run of the tests."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile

KEPT = "PYTHONPYCACHEPREFIX"
UNWANTED = "PYTHONDONTWRITEBYTECODE"


def keep() -> None:
    """Let workers and programs that tests start share what was compiled.

    Where the environment forbids to write bytecode, every program that is started would
    compile the package again.  The checkout stays as it is: what is compiled goes into
    a temporary folder, which is removed with the process that made it.
    """
    if UNWANTED not in os.environ or KEPT in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="graphscore-bytecode-")
    atexit.register(_remove, folder, os.getpid())
    del os.environ[UNWANTED]
    os.environ[KEPT] = folder
    sys.dont_write_bytecode, sys.pycache_prefix = False, folder


def _remove(folder: str, owner: int) -> None:
    # Children that were forked end with the same functions.
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def without_rewriting() -> None:
    """Leave the assertions of the package alone; those of tests are rewritten.

    From version 9.2 pytest rewrites whole packages that have a plugin of it where they
    are installed editably, which is slower than to compile them, and nobody ships it.
    """
    for finder in sys.meta_path:
        marked = getattr(finder, "_must_rewrite", None)
        if isinstance(marked, set) and "graphscore" in marked:
            marked.discard("graphscore")
            getattr(finder, "_marked_for_rewrite_cache", {}).clear()
