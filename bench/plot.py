"""Writes docs/growth.svg: CPU and peak memory by size, one panel each, logarithmic, for light and dark pages."""

import math

WIDTH, HEIGHT = 230, 170  # of a panel with its labels
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 30, 34
STYLE = """
  text { font: 11px system-ui, sans-serif; fill: #333 } .title { font-weight: 600 } .axis { fill: #666 }
  .grid { stroke: #ddd } .line { fill: none; stroke: #0a6ebd; stroke-width: 2 } .dot { fill: #0a6ebd }
  .linear { stroke: #999; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .axis { fill: #999 } .grid { stroke: #3a3a3a } .line { stroke: #6cb6ff } .dot { fill: #6cb6ff }
    .linear { stroke: #777 }
  }
"""


def short(value, units):
    """1500 -> 1.5 k; units: for 1, 1000 and so on."""
    for unit in units:
        if abs(value) < 999.5:
            break
        value /= 1000
    return f"{value:.3g} {unit}".strip()


COUNT, SECONDS, BYTES = ("", "k", "M", "G"), ("µs", "ms", "s"), ("B", "kB", "MB", "GB")


class Scale:
    """Maps the whole decades around the values to a range of pixels."""

    def __init__(self, values, begin, end):
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self.begin, self.end = begin, end

    def __call__(self, value):
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.begin + part * (self.end - self.begin), 1)

    def decades(self):
        return [10.0**power for power in range(self.low, self.high + 1)]


def word(x, y, text, anchor, kind):
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'


def line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def panel(left, top, title, points, units, note):
    """points: [(x, y)] in the first of `units`."""
    across = Scale([x for x, _ in points], left + LEFT, left + WIDTH - RIGHT)
    up = Scale([y for _, y in points], top + HEIGHT - BOTTOM, top + TOP)
    out = [word(left + LEFT, top + 16, title, "start", "title")]
    for x in across.decades():
        out += [line("grid", across(x), up.begin, across(x), up.end),
                word(across(x), up.begin + 15, short(x, COUNT), "middle", "axis")]
    for y in up.decades():
        out += [line("grid", across.begin, up(y), across.end, up(y)),
                word(across.begin - 5, up(y) + 4, short(y, units), "end", "axis")]
    # A line of linear growth through the last point, as far as it is inside the panel.
    end_x, end_y = points[-1]
    start_x = max(points[0][0], end_x * 10.0**up.low / end_y)
    out.append(line("linear", across(start_x), up(end_y * start_x / end_x), across(end_x), up(end_y)))
    places = [f"{across(x)},{up(y)}" for x, y in points]
    out.append(f'<polyline class="line" points="{" ".join(places)}"/>')
    out += [f'<circle class="dot" cx="{across(x)}" cy="{up(y)}" r="3"/>' for x, y in points]
    out.append(word(across.begin + 6, up.end + 15, note, "start", "note"))
    return out


def draw(axes, exponent):
    """axes: [(name, [[x, CPU seconds, peak bytes, ...]])]; exponent: a function of [(x, y)]."""
    out = []
    for number, (what, points) in enumerate(axes):
        for row, (name, column, factor, units) in enumerate((("CPU", 1, 1e6, SECONDS), ("peak memory", 2, 1, BYTES))):
            values = [(point[0], point[column] * factor) for point in points]
            out += panel(number * WIDTH, row * HEIGHT, f"{name}, {what.split(' ')[0]}", values, units,
                         f"exponent {exponent(values):.2f}")
    width, height = WIDTH * len(axes), HEIGHT * 2
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="CPU and peak memory against size">\n<style>{STYLE}</style>\n' + "\n".join(out) +
            "\n</svg>\n")
