"""The tables of docs/performance.md, made from the measurements of run.py and growth.py."""

from measure import geometric_mean, median, ratio
from page import megabytes, seconds, table, times

NONE = "–"
MEMORY = 256e6  # bytes: the limit for a run


def label(file, others):
    """Name and version, with the platform if two wheels have the same name and version."""
    short = " ".join(file.split("-")[:2])
    same = [other for other in others if " ".join(other.split("-")[:2]) == short]
    return short if len(same) == 1 else f"{short} ({file.removesuffix('.whl').split('-')[-1].split('.')[0]})"


def shown(one):
    """12.3 (11.9): the median of the ratios, and the ratio of the fastest runs; * if runs were not paired."""
    return f"{times(one.median)} ({times(one.least)}){'' if one.paired else '*'}"


def peak(samples):
    return max(one.rss for one in samples)


def of_group(results, group):
    """(label, entry, samples) of each wheel with results of the group, large ones first, then by name."""
    wheels = results["wheels"]
    found = [(label(file, wheels), entry, entry[group]["samples"]) for file, entry in wheels.items() if group in entry]
    return sorted(found, key=lambda one: (not one[1]["large"], one[0].lower()))


def summary(name, ratios, columns):
    """A row with the geometric mean and the worst value of each list of ratios; columns: the positions of the lists."""
    mean = [f"**{name}**"] + [""] * (columns[-1])
    for column, of in zip(columns, ratios, strict=True):
        if of:
            mean[column] = f"**{times(geometric_mean(of) if name == 'geometric mean' else max(of))}**"
    return mean


def floor_ratios(results):
    """Wheel -> ratio, for the default run and for --no-record-hashes."""
    found = of_group(results, "floor")
    return ({name: ratio(s["checked"], s["floor"]) for name, _, s in found},
            {name: ratio(s["checked_elf"], s["floor_elf"]) for name, _, s in found if "checked_elf" in s})


def code_ratios(results, above="checked_elf", below="floor_code"):
    """Wheel -> ratio of --no-record-hashes to the floor that also inflates the Python code that such a run reads."""
    return {name: ratio(s[above], s[below]) for name, _, s in of_group(results, "floor") if "floor_code" in s}


def floor_table(results):
    every, elf = floor_ratios(results)
    code, added = code_ratios(results), code_ratios(results, "floor_code", "floor_elf")
    rows = []
    for name, _, s in of_group(results, "floor"):
        row = [name, seconds(median(s["floor"], "cpu")), seconds(median(s["checked"], "cpu")), shown(every[name])]
        row += [seconds(median(s["floor_elf"], "cpu")), seconds(median(s["checked_elf"], "cpu")), shown(elf[name])] \
            if name in elf else [NONE] * 3
        rows.append([*row, *([seconds(median(s["floor_code"], "cpu")), shown(code[name]), shown(added[name])]
                             if name in code else [NONE] * 3)])
    rows += [summary(name, [medians(every), medians(elf), medians(code), medians(added)], [3, 6, 8, 9])
             for name in ("geometric mean", "worst")]
    return table(["wheel", "floor", "wheelcheck", "ratio", "floor, ELF only", "`--no-record-hashes`", "ratio",
                  "floor, Python too", "ratio", "of the two floors"], rows)


def auditwheel_ratios(results):
    """Wheel -> ratio of auditwheel's CPU time, for those with a result of auditwheel."""
    return {name: ratio(s["auditwheel"], s["checked"], paired=entry["auditwheel"]["paired"])
            for name, entry, s in of_group(results, "auditwheel") if not any(one.exit for one in s["auditwheel"])}


def auditwheel_table(results):
    ratios = auditwheel_ratios(results)
    rows = []
    for name, entry, s in of_group(results, "auditwheel"):
        wall = ratio(s["auditwheel"], s["checked"], "wall", entry["auditwheel"]["paired"])
        rows.append([name, seconds(median(s["auditwheel"], "cpu")), seconds(median(s["checked"], "cpu")),
                     shown(ratios[name]) if name in ratios else "no answer", shown(wall) if name in ratios else NONE,
                     megabytes(median(s["auditwheel"], "rss")), megabytes(median(s["checked"], "rss"))])
    for name, take in (("geometric mean", geometric_mean), ("least", min)):
        if ratios:
            rows.append([f"**{name}**", "", "", f"**{times(take(medians(ratios)))}**", "", "", ""])
    return table(["wheel", "auditwheel", "wheelcheck", "CPU, times less", "wall, times less", "peak of auditwheel",
                  "of wheelcheck"], rows)


def memory_table(results):
    rows = []
    for name, entry, s in of_group(results, "floor"):
        rows.append([name, megabytes(entry["strings"] or 0), megabytes(peak(s["checked"])), megabytes(peak(s["two"])),
                     seconds(median(s["checked"], "wall")), seconds(median(s["two"], "wall"))])
    return table(["wheel", "names of symbols", "peak, one thread", "two threads", "wall time, one thread",
                  "two threads"], rows)


def start_table(results):
    rows = []
    for name, _, s in of_group(results, "start"):
        words = {"version": "`wheelcheck --version`", "all": f"`wheelcheck`, {name}",
                 "checked": "the same with `--no-record-hashes`", "auditwheel": f"`auditwheel show`, {name}"}
        for key, what in words.items():
            if key == "checked" and not results.get("skips_hashes"):
                continue
            less = shown(ratio(s["auditwheel"], s[key])) if key in ("checked", "all") else NONE
            rows.append([what, seconds(median(s[key], "cpu")), seconds(min(one.cpu for one in s[key])),
                         seconds(median(s[key], "wall")), megabytes(median(s[key], "rss")), less])
    return table(["", "CPU", "least", "wall", "peak", "times less than auditwheel"], rows)


class Goals:
    """Rows of the table that compares goals with measurements."""

    def __init__(self):
        self.rows = []

    def add(self, what, values, limit, show=times, take=max, at_least=False):
        """values: one for each wheel. take: selects the decisive one."""
        values = list(values)
        if not values:
            self.rows.append([what, "not measured", "", ""])
            return
        value = take(values)
        met = value >= limit if at_least else value <= limit
        self.rows.append([what, show(value), str(len(values)), "yes" if met else "**no**"])


def medians(ratios):
    return [one.median for one in ratios.values()]


def goal_table(results, growth):
    goals = Goals()
    whole, _ = floor_ratios(results)
    goals.add("CPU over the floor: geometric mean at most 1.25", medians(whole), 1.25, take=geometric_mean)
    goals.add("the same, worst at most 1.45", medians(whole), 1.45)
    goals.add("CPU over the floor with Python, `--no-record-hashes`: geometric mean at most 1.45",
              medians(code_ratios(results)), 1.45, take=geometric_mean)
    goals.add("CPU of markupsafe at most 4 ms", [median(s["checked"], "cpu") for _, _, s in of_group(results, "start")],
              4e-3, seconds)
    goals.add("peak memory with two threads, worst at most 256 MB",
              [peak(s["two"]) for _, _, s in of_group(results, "floor")], MEMORY, megabytes)
    if "giant_rss" in growth:
        goals.add("peak memory of a made wheel with an ELF member of 4 GB, at most 256 MB", [growth["giant_rss"]], MEMORY,
                  megabytes)
    if "exponents" in growth:
        goals.add("exponent of growth, CPU and memory, worst of the axes at most 1.1", growth["exponents"].values(), 1.1)
    return table(["goal", "measured", "wheels or axes", "met"], goals.rows)


def blocks(results, growth):
    """{name: lines} for page.put. What was not measured has no block, so the page keeps its old one."""
    made = {}
    for group, of in {"floor": {"floor": floor_table, "memory": memory_table},
                      "auditwheel": {"auditwheel": auditwheel_table}, "start": {"start": start_table}}.items():
        if of_group(results, group):
            made.update({name: render(results) for name, render in of.items()})
    rounds = [len(next(iter(s.values()))) for group in ("floor", "auditwheel") for _, _, s in of_group(results, group)]
    made["machine"] = [f"{results['machine']}; {min(rounds)} to {max(rounds)} rounds."] if rounds else []
    made["goals"] = goal_table(results, growth)
    return made
