"""The plots of the page, by Bokeh, which Dask's dashboard requires anyway."""

from __future__ import annotations

import json
from typing import Any

from bokeh.embed import json_item
from bokeh.models import BasicTicker, ColumnDataSource, HoverTool, NumeralTickFormatter
from bokeh.palettes import viridis
from bokeh.plotting import figure

from wheelcheck.fleet._queries import Answers

GOOD, BAD, OTHER, PACKED = "#2f855a", "#c53030", "#a0aec0", "#2b6cb0"
SEVERITIES = {"error": BAD, "warning": "#c05621", "note": "#3182ce"}
ROW = 24  # pixels of a bar
# No panning or zooming: the plots contain few figures. A window narrower than min_width scrolls.
LOOK: dict[str, Any] = {"sizing_mode": "stretch_width", "min_width": 560, "toolbar_location": None, "tools": ""}


def plots(answers: Answers) -> dict[str, str]:
    """The input of BokehJS as JSON, by the id of its element in the page. Elements without data are left out."""
    drawn = {
        "tags": _tags(answers),
        "floors": _floors(answers),
        "rules": _rules(answers),
        "leaks": _leaks(answers),
        "heaviest": _heaviest(answers),
    }
    return {name: json.dumps(json_item(plot, name)) for name, plot in drawn.items() if plot is not None}


def legends(answers: Answers) -> dict[str, list[tuple[str, str]]]:
    """Colours and names of the legend of a plot. The page writes the legend, because Bokeh does not wrap it."""
    levels = _levels(answers)
    return {
        "tags": [(GOOD, "compatible"), (BAD, "incompatible"), (OTHER, "other")],
        "floors": [(colour, f"glibc {level}") for colour, level in zip(_palette(levels), levels)],
        "rules": [(colour, severity) for severity, colour in SEVERITIES.items()],
        "heaviest": [(PACKED, "the wheel"), (OTHER, "unpacked")],
    }


def _bars(labels: list[str], **more: Any) -> Any:
    """An empty plot with one bar for each label, the first at the top."""
    plot = figure(
        y_range=labels[::-1],
        height=ROW * len(labels) + 60,
        **LOOK,
        **more,
    )
    plot.x_range.start = 0
    plot.xaxis.ticker = BasicTicker(min_interval=1, num_minor_ticks=0)
    plot.ygrid.visible = False
    plot.xaxis.formatter = NumeralTickFormatter(format="0,0")
    plot.outline_line_color = None
    return plot


def _tags(answers: Answers) -> Any | None:
    if not answers.tags:
        return None
    tags, kept, broken, others = (list(column) for column in zip(*answers.tags))
    source = ColumnDataSource({"tag": tags, "compatible": kept, "incompatible": broken, "other": others})
    plot = _bars(tags, x_axis_label="wheels that claim it")
    names = ["compatible", "incompatible", "other"]
    plot.hbar_stack(names, y="tag", height=0.75, color=[GOOD, BAD, OTHER], source=source)
    plot.add_tools(HoverTool(tooltips=[("", "@tag"), *((name, f"@{name}") for name in names)]))
    return plot


def _floors(answers: Answers) -> Any | None:
    if not answers.floors:
        return None
    periods = sorted({period for period, _, _ in answers.floors})
    levels = _levels(answers)
    counts = {(period, level): wheels for period, level, wheels in answers.floors}
    sums = {period: sum(counts.get((period, level), 0) for level in levels) for period in periods}
    shares = {f"glibc {level}": [counts.get((one, level), 0) / sums[one] for one in periods] for level in levels}
    plot = figure(x_range=periods, height=320, y_axis_label="wheels", **LOOK)
    source = ColumnDataSource({"period": periods, "all": [sums[one] for one in periods], **shares})
    names = list(shares)
    plot.vbar_stack(
        names,
        x="period",
        width=0.85,
        color=_palette(levels),
        source=source,
    )
    plot.add_tools(HoverTool(tooltips=[("", "@period"), ("wheels", "@all"), ("", "$name: @$name{0%}")]))
    plot.y_range.start, plot.y_range.end = 0, 1
    plot.yaxis.formatter = NumeralTickFormatter(format="0%")
    plot.xgrid.visible = False
    return plot


def _levels(answers: Answers) -> list[str]:
    return sorted({level for _, level, _ in answers.floors}, key=lambda level: [int(part) for part in level.split(".")])


def _palette(levels: list[str]) -> list[str]:
    return list(viridis(max(len(levels), 3)))[: len(levels)]


def _rules(answers: Answers) -> Any | None:
    if not answers.rules:
        return None
    codes, names, severities, wheels, projects, findings = (list(column) for column in zip(*answers.rules))
    labels = [f"{code} {name}" for code, name in zip(codes, names)]
    source = ColumnDataSource(
        {
            "rule": labels,
            "severity": severities,
            "wheels": wheels,
            "projects": projects,
            "findings": findings,
            "colour": [SEVERITIES[severity] for severity in severities],
        }
    )
    plot = _bars(labels, x_axis_label="wheels with a finding")
    plot.hbar(y="rule", right="wheels", height=0.75, color="colour", source=source)
    shown = ("severity", "wheels", "projects", "findings")
    plot.add_tools(HoverTool(tooltips=[("", "@rule"), *((name, f"@{name}") for name in shown)]))
    return plot


def _leaks(answers: Answers) -> Any | None:
    if not answers.leaks:
        return None
    names, wheels, projects = (list(column) for column in zip(*answers.leaks))
    plot = _bars(names, x_axis_label="projects that export it")
    source = ColumnDataSource({"name": names, "wheels": wheels, "projects": projects})
    plot.hbar(y="name", right="projects", height=0.75, color="#6b46c1", source=source)
    plot.add_tools(HoverTool(tooltips=[("", "@name"), ("projects", "@projects"), ("wheels", "@wheels")]))
    return plot


def _heaviest(answers: Answers) -> Any | None:
    if not answers.heaviest:
        return None
    labels = [f"{place}. {_short(row[0])}" for place, row in enumerate(answers.heaviest, 1)]
    source = ColumnDataSource(
        {
            "label": labels,
            "file": [row[0] for row in answers.heaviest],
            "packed": [row[1] / 1e6 for row in answers.heaviest],
            "unpacked": [row[2] / 1e6 for row in answers.heaviest],
        }
    )
    plot = _bars(labels, x_axis_label="MB (10^6 bytes)")
    plot.hbar(y="label", right="unpacked", height=0.75, color=OTHER, source=source)
    plot.hbar(y="label", right="packed", height=0.4, color=PACKED, source=source)
    plot.add_tools(HoverTool(tooltips=[("", "@file"), ("MB", "@packed{0.0}"), ("unpacked", "@unpacked{0.0}")]))
    return plot


def _short(file: str) -> str:
    """Name and version, for a file name that is longer than its bar."""
    return "-".join(file.split("-")[:2])[:40]
