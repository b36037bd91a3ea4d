# SPDX-License-Identifier: BSD-3-Clause
"""Runs steps with time limits, one after the other, and records their results."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import time


class Wrong(Exception):
    """A result is not what it should be."""


class Missing(Exception):
    """A program is not installed."""


class Step:
    """A command with its time limit in seconds, or a function `act` that keeps to the limit itself.
    `input` is copied into a folder of the step; `after` returns a short description of the
    result."""

    def __init__(self, name, limit, command=None, act=None, says="", env=None, input=None,
                 after=None, on_gpu=True):
        self.name, self.limit, self.command, self.act, self.says = name, limit, command, act, says
        self.env, self.input, self.after, self.on_gpu = env or {}, input, after, on_gpu

    def __str__(self):
        words = [f"{k}={v}" for k, v in self.env.items()] + [str(w) for w in self.command or []]
        return f"{self.name:24} {self.limit:4.0f} s  {' '.join(words) or self.says}"


class Session:
    """Runs steps one after the other, even if some fail, and records the result of each."""

    def __init__(self, out, work, limit):
        self.out, self.work, self.deadline = out, work, time.monotonic() + limit
        self.rows, self.tables, self.gpu, self.complete = [], [], None, False
        out.mkdir(parents=True, exist_ok=True)
        self.results = open(out / "results.jsonl", "w")

    def left(self):
        return self.deadline - time.monotonic()

    def write(self, **line):
        """Writes a line of results and syncs it to disk."""
        self.results.write(json.dumps(line) + "\n")
        self.results.flush()
        os.fsync(self.results.fileno())

    def do(self, step):
        """Runs a step; returns whether it succeeded."""
        start, said = time.monotonic(), ""
        try:
            if self.left() < 5:
                status = "no time"
            else:
                status, said = "ok", (step.act or self.start)(step)
        except subprocess.TimeoutExpired as late:
            status, said = "too long", f"stopped after {late.timeout:.0f} s"
        except Missing as program:
            status, said = "missing", f"{program} is not here"
        except Exception as error:  # no failure may prevent the other steps
            name = "" if isinstance(error, Wrong) else f"{type(error).__name__}: "
            status, said = "FAILED", f"{name}{error}"
        if status == "FAILED" and self.gpu is False and step.on_gpu:
            status = "no GPU"
        self.report(status, step.name, time.monotonic() - start, said)
        return status == "ok"

    def report(self, status, name, seconds, said):
        self.rows.append(f"{status:9} {name:24} {seconds:6.1f} s  {said}".rstrip())
        self.write(step=name, status=status, seconds=round(seconds, 2), said=said)
        print(self.rows[-1], flush=True)

    @contextlib.contextmanager
    def process(self, step, **streams):
        """A process of a step, killed at the end with all its children; one that a driver blocks is
        not waited for."""
        folder = self.work
        if step.input:
            folder = self.work / step.name
            folder.mkdir()
            shutil.copy(step.input, folder / "run.toml")
        command = [str(word) for word in step.command]
        if not shutil.which(command[0]):
            raise Missing(command[0])
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=folder,
                                   env=dict(os.environ, **step.env), start_new_session=True,
                                   **streams)
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)

    def start(self, step):
        path = self.work / f"{step.name}.log"
        with open(path, "wb") as log, self.process(step, stdout=log, stderr=log) as process:
            status = process.wait(min(step.limit, self.left()))
        if status != 0:
            raise Wrong(f"status {status}: {last_words(path)}")
        return step.after() if step.after else ""

    def finish(self):
        """Writes the table and the logs; returns the exit status."""
        seen = {row[:9].strip() for row in self.rows}
        wrong = seen & {"FAILED", "too long"}
        end, words = (4, "no GPU that can be used was found") if self.gpu is False else (
            (1, "something is wrong") if wrong else
            (0, "all was done and is right") if self.complete and seen <= {"ok"} else
            (3, "nothing is wrong, but not all was done"))
        # Runs that succeeded and that a later row compares need no rows of their own.
        rows = [row for row in self.rows if not re.match("ok +(cpu|cuda|again)-", row)]
        text = "\n".join([*rows, *(line for table in self.tables for line in table()), words, ""])
        self.write(end=end, said=words)
        (self.out / "report.txt").write_text(text)
        with tarfile.open(self.out / "logs.tar.gz", "w:gz") as tar:
            for file in sorted(self.work.rglob("*")):
                if file.suffix in (".log", ".json"):
                    tar.add(file, file.relative_to(self.work))
        print(f"\n{text}", end="", flush=True)
        return end


def last_words(log):
    """The most informative line of a log."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    # Messages of this project read "problem (why); what to do".
    telling = [line for line in lines if re.search(r"\); |error|fail", line, re.I)
               and not re.match("assertions:|test cases:", line)]
    return (telling or lines or ["nothing was said"])[-1][:200]
