# SPDX-License-Identifier: BSD-3-Clause
"""Runs measure_gpu and reads its lines as they come, even if it fails."""
import contextlib
import json
import os
import select
import subprocess
import time

from gpu_check.session import Step, Wrong, last_words


def read_lines(stream, seconds):
    """Lines as they come; raises TimeoutExpired if none has come within `seconds()` seconds."""
    rest = b""
    while True:
        limit = seconds()
        if not select.select([stream], [], [], max(0.0, limit))[0]:
            raise subprocess.TimeoutExpired("", max(0.0, limit))
        some = os.read(stream.fileno(), 65536)
        if not some:
            return
        *lines, rest = (rest + some).split(b"\n")
        yield from lines


class Measurement:
    """measure_gpu, restarted after a case in which it fails or hangs."""
    CASE = 45  # seconds, at most

    def __init__(self, session, program):
        self.session, self.program = session, program
        self.results, self.bad = [], []

    def take_place(self, step):
        self.session.tables.append(self.table)
        self.end = time.monotonic() + min(step.limit, self.session.left())
        first = 0
        while first is not None and self.end - time.monotonic() > 2:
            first = self.go_on(step, first)
        if self.bad:
            raise Wrong(f"{'; '.join(self.bad)}; {len(self.results)} results")
        return f"{len(self.results)} results"

    def go_on(self, step, first):
        """Runs from case `first` on; returns the case after one that failed, or None."""
        self.number, self.name, self.error, self.begun = None, "", "", time.monotonic()
        seconds = self.end - self.begun - 1
        part = Step(step.name, seconds, [self.program, f"{seconds:.0f}", first])
        path = self.session.work / f"{step.name}.log"
        try:
            with open(path, "ab") as log, \
                    self.session.process(part, stdout=subprocess.PIPE, stderr=log) as process:
                for line in read_lines(process.stdout, self.patience):
                    self.take(line)
                status = process.wait(5)
                said = self.error or f"status {status}: {last_words(path)}"
        except subprocess.TimeoutExpired:
            status, said = None, f"more than {self.CASE} s"
        if status == 0 or self.end - time.monotonic() < 0.5:
            return None
        if self.number is None:
            raise Wrong(said)
        self.bad.append(f"{self.name}: {said}")
        return self.number + 1

    def patience(self):
        return min(self.end, self.begun + self.CASE) - time.monotonic()

    def take(self, text):
        with contextlib.suppress(ValueError):
            line = json.loads(text)
            if "begin" in line:
                self.number, self.name, self.begun = line["begin"], line["case"], time.monotonic()
            elif "failed" in line:
                self.error = line["error"]
            self.session.write(measured=self.name, **line)
            if "n" in line:
                self.results.append(line)
            if line.get("good") is False:
                self.bad.append(f"{self.name}: not right")

    def table(self):
        """Times of the forms in use, by the way in which steps are launched."""
        rows = {}
        for line in self.results:
            if line.get("form") == "staged":
                what = f"{line['dimension']}D {line['precision']:6} skin {line['skin']}"
                rows.setdefault((what, line["n"]), {})[line["by"]] = line["us_per_step"]
        if rows:
            yield "us per step: launches, graphs, one kernel; ns per particle and step by the best"
        for (what, n), times in rows.items():
            ways = "".join(f"{times.get(by, float('nan')):11.2f}"
                           for by in ("launches", "graphs", "one kernel"))
            yield f"{what} {n:9}{ways}{min(times.values()) * 1e3 / n:10.4f}"
