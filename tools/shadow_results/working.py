# SPDX-License-Identifier: BSD-3-Clause
"""Whether a run is at work: mdrun keeps a lock on its working file, RESULTS.h5.part, which the system
takes back when the process is gone, however it ended."""
import os
import pathlib
import time

YOUNG = 0.5  # seconds in which a new file may have no lock yet, and must not be disturbed

ABSENT, HELD, FREE, UNKNOWN = "absent", "held", "free", "unknown"


class WorkingFile:
    """ABSENT: the run ended by itself; HELD: it goes on; FREE: no process of this machine has it;
    UNKNOWN: the file system has no locks."""

    def __init__(self, results):
        self.path = pathlib.Path(f"{results}.part")
        self._abandoned = None  # asked once, so that a new run of this name finds no lock of ours

    def written(self):
        """When, as people read it."""
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(os.stat(self.path).st_mtime))

    def state(self):
        try:
            status = os.stat(self.path)
        except OSError:
            return ABSENT
        identity = status.st_ino, status.st_mtime_ns
        if identity == self._abandoned:
            return FREE
        if time.time() - status.st_mtime < YOUNG:
            return HELD
        found = self._ask()
        if found == FREE:
            self._abandoned = identity
        return found

    def _ask(self):
        try:
            import fcntl
            with open(self.path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return FREE  # closing it gives the lock back
        except BlockingIOError:
            return HELD
        except FileNotFoundError:
            return ABSENT
        except (OSError, ImportError):
            return UNKNOWN
