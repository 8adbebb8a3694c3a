# SPDX-License-Identifier: GPL-2.0-or-later
"""What all tables of the benches share: a text and a plot under doc/bench.

  from table import Table
  t = Table("lookup", "Lookup in a directory of 1,000,000 names")
  t.note("One text under the title; what was measured and how.")
  t.columns("", "ns a lookup", "of stock")
  t.row("e2dx", [812.0, 799.5, ...], "1/880")   # a list: mean ± deviation
  t.section("two threads")                       # a line between rows
  t.bars("Lookup of a random name", "ns", ["1 thread", "2 threads"],
         [("e2dx", [[...], [...]]), ("stock", [[...], None])], log=True)
  t.write()       # NAME.txt and NAME.svg in $BENCH_OUT or SOURCE/doc/bench

A cell is a text, a number, None ("-"), or a list of samples.  Plots are drawn
by gnuplot (Debian: gnuplot-nox); without it only the text is written.
"""
import os
import shutil
import statistics
import subprocess
import textwrap
import time

WIDTH = 100
# Okabe and Ito's colours: told apart by people who are colour-blind, too.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00",
           "#999999", "#000000", "#F0E442")

POINTS = (7, 5, 9, 13, 11, 6, 4, 8, 10)	# filled ones first


def source():
    return os.environ.get("E2DX_SRC") or os.path.dirname(
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def runs(default=10):
    return int(os.environ.get("BENCH_RUNS") or default)


def mean(samples):
    return statistics.fmean(samples)


def deviation(samples):
    """Sample standard deviation; 0 where there is one sample."""
    return statistics.stdev(samples) if len(samples) > 1 else 0.0


def wrap(text):
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)


def ratio(a, b):
    """How many times the mean of b goes into that of a, as a text."""
    r = mean(a) / mean(b)
    return f"{r:.0f}" if r >= 20 else f"{r:.1f}" if r >= 3 else f"{r:.2f}"


def number(value, digits=None):
    if digits is None:
        size = abs(value)
        digits = 0 if size >= 100 or value == int(value) else \
            1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:,.{digits}f}"


def spread(samples):
    """Mean ± sample standard deviation, as many digits as make sense."""
    m, d = mean(samples), deviation(samples)
    if len(samples) < 2:
        return number(m)
    digits = 0 if d >= 10 or m >= 1000 else 1 if d >= 1 or m >= 100 else \
        2 if d >= 0.1 or m >= 10 else 3
    return f"{m:,.{digits}f} ± {d:,.{digits}f}"


def cell(value):
    if value is None:
        return "-"
    if isinstance(value, (list, tuple)):
        return spread(value)
    return value if isinstance(value, str) else number(value)


# ---- where it was measured

def said(*command):
    try:
        p = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, check=False)
    except OSError:
        return ""
    return p.stdout.strip() if p.returncode == 0 else ""


def cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            key, _, value = line.partition(":")
            if key.strip() in ("model name", "Model", "CPU part"):
                return value.strip()
    return "unknown"


def family():
    """Tells apart the CPUs that name themselves alike."""
    want = ("cpu family", "model")
    found = {}
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            key, _, value = line.partition(":")
            found.setdefault(key.strip(), value.strip())
    return ", ".join(f"{k} {found[k]}" for k in want if k in found)


def commit():
    """Of the source tree.  What the benches write does not make it dirty."""
    name = said("git", "-C", source(), "describe", "--always", "--tags")
    if not name or not os.path.exists(os.path.join(source(), ".git")):
        return "unknown"
    dirty = said("git", "-C", source(), "status", "--porcelain", "-uno",
                 "--", ".", ":!doc/bench")
    return name + (" (dirty)" if dirty else "")


def stock():
    first = said("/sbin/mke2fs", "-V").splitlines()
    return "e2fsprogs " + first[0].split()[1] if first else "unknown"


def header():
    u = os.uname()
    where = cpu() + (f" ({family()})" if family() else "")
    return [
        ("CPU", where),
        ("Processors", f"{os.cpu_count()}, load {os.getloadavg()[0]:.2f} "
                       "before the first run"),
        ("Kernel", f"{u.sysname} {u.release} {u.machine}"),
        ("Commit", commit()),
        ("Stock", stock()),
        ("Date", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())),
    ]


# ---- plots

def quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


def point(samples):
    if samples is None:
        return "NaN NaN"
    if not isinstance(samples, (list, tuple)):
        samples = [samples]
    return f"{mean(samples):.9g} {deviation(samples):.9g}"


def scales(which):
    return [f"set logscale {which}"] if which else []


def axis(log):
    return ["set format y \"%'.10g\"",
            "set yrange [*:*]" if log else "set yrange [0:*]"]


class Bars:
    """Groups of bars, one of each series in a group, with error bars."""

    def __init__(self, title, ylabel, groups, series, log):
        self.title, self.ylabel, self.log = title, ylabel, log
        self.groups, self.series = groups, series

    def floor(self):
        """Bars have to stand on something on a logarithmic axis."""
        low = min(mean(s if isinstance(s, (list, tuple)) else [s])
                  for _, cells in self.series for s in cells if s)
        power = 1e-9
        while power * 10 <= low / 2:
            power *= 10
        return power

    def script(self, n):
        data = [f"$bars{n} << END"]
        for i, group in enumerate(self.groups):
            cells = " ".join(point(c[i]) for _, c in self.series)
            data.append(f'"{group}" {cells}')
        plots = [f"$bars{n} using {2 * i + 2}:{2 * i + 3}:xtic(1) "
                 f"title {quoted(name)} lt {i + 1}"
                 for i, (name, _) in enumerate(self.series)]
        return data + ["END",
            "unset logscale", *scales("y" if self.log else ""), *axis(self.log),
            *([f"set yrange [{self.floor():g}:*]"] if self.log else []),
            "set xrange [-0.6:%g]" % (len(self.groups) - 0.4),
            "set style data histograms",
            "set style histogram errorbars gap 1.5 lw 1.5",
            "set style fill solid 0.9 noborder",
            "set xtics autofreq", "set format x '%s'", "unset xlabel",
            f"set ylabel {quoted(self.ylabel)}",
            f"set title {quoted(self.title)} font ',17'", "plot " + ", ".join(plots)]


class Lines:
    """Lines over a number, with error bars."""

    def __init__(self, title, xlabel, ylabel, series, log):
        self.title, self.xlabel, self.ylabel = title, xlabel, ylabel
        self.series, self.log = series, log

    def places(self):
        return sorted({x for _, points in self.series for x, _ in points})

    def tics(self):
        """Where something was measured, and nowhere else."""
        return ", ".join(f"'{x:,}' {x}" for x in self.places())

    def width(self):
        low, high = self.places()[0], self.places()[-1]
        if "x" in self.log:
            edge = (high / low) ** 0.04
            return f"set xrange [{low / edge}:{high * edge}]"
        edge = (high - low) * 0.04
        return f"set xrange [{low - edge}:{high + edge}]"

    def script(self, n):
        data, plots = [], []
        for i, (name, points) in enumerate(self.series):
            data += [f"$line{n}_{i} << END"]
            data += [f"{x} {point(y)}" for x, y in points if y] + ["END"]
            plots.append(f"$line{n}_{i} using 1:2:3 with yerrorlines "
                         f"title {quoted(name)} lt {i + 1} lw 2 pt {POINTS[i]}")
        return data + [
            "unset logscale", *scales(self.log), *axis("y" in self.log),
            self.width(), "set format x '%.10g'",
            f"set xtics ({self.tics()})",
            f"set xlabel {quoted(self.xlabel)}",
            f"set ylabel {quoted(self.ylabel)}",
            f"set title {quoted(self.title)} font ',17'", "plot " + ", ".join(plots)]


def plot_script(panels, path, foot):
    height = 60 + 420 * len(panels)
    script = [
        f"set terminal svg size 900,{height} dynamic "
        "font 'DejaVu Sans,Helvetica,sans-serif,15' background '#ffffff'",
        f"set output {quoted(path)}", "set encoding utf8"]
    script += [f"set linetype {i + 1} lc rgb '{c}'"
               for i, c in enumerate(COLOURS)]
    script += ["set grid ytics lc rgb '#cccccc' lw 0.8", "set border 3",
               "set tics nomirror out", "set xtics scale 0.5 font ',14'",
               "set errorbars 0.7 lc rgb '#222222' lw 1.5",
               "set key outside right top Left reverse samplen 1.5 spacing 1.2",
               "set decimalsign '.'",
               f"set label 1 {quoted(foot)} at screen 0.012,{14 / height:.4f} "
               "font ',11' textcolor rgb '#555555' noenhanced",
               "set termoption noenhanced",
               f"set multiplot layout {len(panels)},1 "
               f"margins char 14,char 23,char 5,char 3 "
               "spacing 0,char 7"]
    for i, panel in enumerate(panels):
        script += panel.script(i)
    return script + ["unset multiplot"]


class Table:
    def __init__(self, name, title):
        self.name, self.title = name, title
        self.header = header()	# before the measurements: its load is theirs
        self.notes, self.titles, self.rows, self.panels = [], [], [], []
        self.after = []

    def note(self, text):
        self.notes.append(text)

    def remark(self, text):
        """A text below the rows: what they say."""
        self.after.append(text)

    def columns(self, *titles):
        self.titles = list(titles)

    def row(self, name, *cells):
        self.rows.append([name] + [cell(c) for c in cells])

    def section(self, text):
        self.rows.append(text)

    def bars(self, title, ylabel, groups, series, log=False):
        """series: [(name, [samples of each group])]; None: not measured."""
        self.panels.append(Bars(title, ylabel, groups, series, log))

    def lines(self, title, xlabel, ylabel, series, log=""):
        """series: [(name, [(x, samples)])]; log: "", "x", "y" or "xy"."""
        self.panels.append(Lines(title, xlabel, ylabel, series, log))

    def _line(self, cells, widths):
        first = cells[0].ljust(widths[0])
        return ("  " + first + "".join(
            "  " + c.rjust(w) for c, w in zip(cells[1:], widths[1:]))).rstrip()

    def text(self):
        out = [self.title, "=" * len(self.title), ""]
        out += [f"{key + ':':12} {value}" for key, value in self.header]
        for note in self.notes:
            out += [""] + wrap(note)
        cells = [r for r in self.rows if isinstance(r, list)]
        widths = [max(len(r[i]) for r in cells + [self.titles] if i < len(r))
                  for i in range(len(self.titles))]
        out += ["", self._line(self.titles, widths),
                "  " + "-" * (sum(widths) + 2 * len(widths) - 2)]
        for r in self.rows:
            out += [self._line(r, widths)] if isinstance(r, list) else ["", r]
        for remark in self.after:
            out += [""] + wrap(remark)
        return "\n".join(out) + "\n"

    def plot(self, path):
        if not shutil.which("gnuplot"):
            print("plot skipped: no gnuplot (Debian: gnuplot-nox)")
            return
        h = dict(self.header)
        foot = f"{h['CPU']}, {h['Kernel']}, commit {h['Commit']}, {h['Date']}"
        subprocess.run(["gnuplot"], check=True, text=True, input="\n".join(
            plot_script(self.panels, path, foot)) + "\n")

    def write(self):
        where = os.environ.get("BENCH_OUT") or os.path.join(
            source(), "doc", "bench")
        os.makedirs(where, exist_ok=True)
        path = os.path.join(where, self.name)
        text = self.text()
        with open(path + ".txt", "w", encoding="utf-8") as f:
            f.write(text)
        print(text)
        if self.panels:
            self.plot(path + ".svg")
