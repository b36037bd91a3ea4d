# SPDX-License-Identifier: BSD-3-Clause
"""Whether a run is active: mdrun keeps a lock on its working file, RESULTS.h5.part, which the
system releases when the process ends for any reason."""
import os
import pathlib
import time

YOUNG = 0.5  # seconds during which a new file may have no lock yet and must not be locked

ABSENT, HELD, FREE, UNKNOWN = "absent", "held", "free", "unknown"


class WorkingFile:
    """ABSENT: the run ended by itself; HELD: it is running; FREE: no process of this machine holds
    it; UNKNOWN: the file system has no locks."""

    def __init__(self, results):
        self.path = pathlib.Path(f"{results}.part")
        self._abandoned = None  # tried once, so that a new run of this name finds no lock of ours

    def written(self):
        """The time of the last write, as text."""
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
                return FREE  # closing it releases the lock
        except BlockingIOError:
            return HELD
        except FileNotFoundError:
            return ABSENT
        except (OSError, ImportError):
            return UNKNOWN
