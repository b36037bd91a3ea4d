# SPDX-License-Identifier: BSD-3-Clause
"""Results of bench/run.py as Markdown, and the documents that show them."""
import json
import pathlib
import re
import statistics
import textwrap

root = pathlib.Path(__file__).resolve().parent.parent
documents = ["README.md", "bench/README.md"]


class TableError(Exception):
    pass


def by_measurement(result):
    """(case, cores) -> {contestant: row}, in the order of the result."""
    found = {}
    for row in result["rows"]:
        found.setdefault((row["case"], row["cores"]), {})[row["contestant"]] = row
    return found


def contestants(result):
    """Shadow first, then the peers in their order."""
    names = list(dict.fromkeys(row["contestant"] for row in result["rows"]))
    return sorted(names, key=lambda name: not name.startswith("Shadow"))


def times_faster(row, others):
    """The speed-up over the fastest of the others: the median over the rounds of the ratio within
    each."""
    if not others:
        return None
    best = min(others, key=lambda r: r["ns_per_particle_step"])
    return statistics.median(b / a for a, b in zip(row["all"], best["all"]))


def peers(rows, beginning=""):
    return [r for name, r in rows.items() if name.startswith(beginning) and "Shadow" not in name]


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def grid(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def every_row(result):
    """One line for each contestant, with the spread."""
    rows = []
    for (case, cores), found in by_measurement(result).items():
        rows += [[case, cores, name, f"{r['ns_per_particle_step']:.1f} ({r['least']:.1f} to "
                  f"{r['most']:.1f})", number(times_faster(r, peers(found, "LAMMPS")), 2),
                  f"{r['peak_mib']:.0f}"] for name, r in found.items()]
    return grid(["case", "cores", "engine", "ns per particle-step (least to most)", "x LAMMPS",
                 "peak MiB"], rows)


def throughput(result):
    """One line for each case: ns per particle-step."""
    names = contestants(result)
    ours = "Shadow mixed" if "Shadow mixed" in names else names[0]
    header = ["case", "cores", *names, f"{ours}: times faster than LAMMPS", "than the fastest peer"]
    rows = []
    for (case, cores), found in by_measurement(result).items():
        times = [number(found[n]["ns_per_particle_step"], 0) if n in found else "-" for n in names]
        ratios = [number(times_faster(found[ours], peers(found, b)) if ours in found else None, 1)
                  for b in ("LAMMPS", "")]
        rows.append([case, cores, *times, *ratios])
    if not any(name.split()[0] not in ("Shadow", "LAMMPS") for name in names):
        header, rows = header[:-1], [row[:-1] for row in rows]
    machine = result["machine"]
    rounds = max(len(row["all"]) for row in result["rows"])
    caption = (f"Nanoseconds per particle and step, medians of {rounds} interleaved rounds, "
               f"{result['date'][:10]}, commit {result['commit']}, {machine['cpu']}, "
               f"{machine['cores']} cores, {machine['system']}, {result['compiler']}.")
    return f"{textwrap.fill(caption, 100)}\n\n{grid(header, rows)}"


def memory(result):
    """One line for each case: peak memory."""
    names = contestants(result)
    rows = [[case, cores, *(number(found[n]["peak_mib"], 0) if n in found else "-" for n in names)]
            for (case, cores), found in by_measurement(result).items()]
    return "Peak memory, MiB.\n\n" + grid(["case", "cores", *names], rows)


makers = {"throughput": throughput, "memory": memory}
place = re.compile(r"<!-- (\w+): (\w+) of (\S+) -->\n.*?<!-- end of \1 -->", re.S)


def of_group(result, group):
    """The result with the rows of one group of cases only; old ones have no other than main."""
    return {**result, "rows": [r for r in result["rows"] if r.get("group", "main") == group]}


def rewrite(text, source=None, folder=root):
    """The text with each table between its two marks rewritten, from the result that the first mark
    names or from `source`, if that has such cases."""
    def table(found):
        kind, group, own = found.groups()
        if kind not in makers:
            raise TableError(f"no table '{kind}' (there are {', '.join(makers)}); mend the mark")
        for path in filter(None, (source, own)):
            result = of_group(json.loads((folder / path).read_text()), group)
            if result["rows"]:
                return (f"<!-- {kind}: {group} of {path} -->\n{makers[kind](result)}\n\n"
                        f"<!-- end of {kind} -->")
        raise TableError(f"no case of group {group} in {path}; name another file in the mark")

    text, count = place.subn(table, text)
    if not count:
        raise TableError("no mark '<!-- throughput: main of FILE.json -->' with its end; add them")
    return text


def write_documents(source=None, folder=root):
    """Rewrites all documents; returns those that changed."""
    texts = {folder / name: (folder / name).read_text() for name in documents}
    made = {path: rewrite(text, source, folder) for path, text in texts.items()}
    changed = [path for path in texts if made[path] != texts[path]]
    for path in changed:
        path.write_text(made[path])
    return changed
