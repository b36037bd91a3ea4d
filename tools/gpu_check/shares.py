# SPDX-License-Identifier: BSD-3-Clause
"""Runs the unit tests in as many processes as the machine has cores."""
import os
import subprocess
import time

from gpu_check.session import Wrong, last_words

#: Options with which the two versions of Catch print test names only.
NAMES = (["--list-test-names-only"], ["--list-tests", "--verbosity", "quiet"])


CORES = os.cpu_count() or 1


class Shares:
    def __init__(self, session):
        self.session = session

    def take_place(self, step):
        end = time.monotonic() + min(step.limit, self.session.left())
        names = self.names(step)
        running = [self.start(step, k, names[k::CORES])
                   for k in range(min(CORES, len(names)))]
        late = [k for k, process in enumerate(running) if not ended(process, end)]
        for process in running:
            process.kill()
        wrong = [f"share {k}: {last_words(self.log(step, k))}"
                 for k, process in enumerate(running) if k not in late and process.wait() != 0]
        wrong += [f"share {k}: not done in time" for k in late]
        if wrong:
            raise Wrong("; ".join(wrong))
        return f"{len(names)} tests"

    def log(self, step, k):
        return self.session.work / f"{step.name}-{k}.log"

    def names(self, step):
        for words in NAMES:
            said = subprocess.run([*step.command, *words], text=True, stdout=subprocess.PIPE,
                                  env=dict(os.environ, **step.env)).stdout
            names = [line for line in said.splitlines() if line.strip()]
            if names:
                return names
        raise Wrong(f"{step.command[0]} names no tests")

    def start(self, step, k, names):
        wanted = self.session.work / f"{step.name}-{k}.txt"
        # A comma would end a name.
        wanted.write_text("".join(name.replace(",", "\\,") + "\n" for name in names))
        with open(self.log(step, k), "wb") as log:
            return subprocess.Popen([*step.command, "-d", "yes", "--input-file", wanted],
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.session.work,
                                    env=dict(os.environ, **step.env), start_new_session=True)


def ended(process, end):
    try:
        process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True
