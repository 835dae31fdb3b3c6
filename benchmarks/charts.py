"""Draw bar charts, dot charts and line charts as small SVG files.

The same values give the same bytes. There is no background, and every colour has enough
contrast on white and on black.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import floor
from xml.sax.saxutils import escape, quoteattr

from tables import share

WIDTH, HEIGHT, MARGIN, TOP = 720, 230, 60, 62
"""Four lengths in pixels.

They are the width of a chart, the height of the plot area of a line chart, the margin
beside the plot area, and the space above the plot area.
"""
LANE, GAP = 14, 12
"""In pixels: the height of the lane of a bar or dot, and the gap between two rows."""
LETTER, LABEL, LIFT = 6.6, 13, 8
"""In pixels: the mean width of a letter, the height of a label, and how far a label is
above its point.
"""
TEXT = "#6e7781"
"""The colour of texts and thin lines."""
COLOURS = ("#1f83c6", "#d55e00", "#009e73", "#b65ba0")
"""The colours of four series."""
SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "M-4-4h8v8h-8z",
    "M0-5L5 4H-5z",
    "M0-5L5 0L0 5L-5 0z",
)
"""The SVG paths of the markers of four series: a circle, a square, a triangle, a
diamond."""

Form = Callable[[float], str]
"""A function that writes a value as a label."""


Series = Mapping[str, Sequence[float | None]]
"""The values of up to four data series, by the name of the series.

A series has a value for each row or step of a chart, None if it is missing.
"""


def percent(value: float) -> str:
    """Return a share in percent, without decimals."""
    return f"{100 * value:.0f} %"


def scale_from(values: Sequence[float]) -> float:
    """Return the value at which a scale of shares begins: about a tenth below the least
    share.

    A scale that would begin below one half begins at 0.
    """
    low = floor(10 * min(values, default=0) - 0.5) / 10
    return low if low >= 0.5 else 0


def shares(title: str, labels: Sequence[str], series: Series) -> str:
    """Draw rows of shares as SVG, on a scale that begins below the least share."""
    low = scale_from([value or 0 for values in series.values() for value in values])
    return rows(title, labels, series, low)


def rows(
    title: str,
    labels: Sequence[str],
    series: Series,
    low: float = 0,
    high: float = 1,
    form: Form = share,
) -> str:
    """Draw a chart as SVG, with a row for each label.

    A row shows the values of up to four series below each other. Values are bars if the
    scale begins at 0, and dots otherwise.
    """
    left, right = 20 + LETTER * max(map(len, labels), default=0), WIDTH - MARGIN
    step = LANE * len(series) + GAP
    bottom = TOP + step * len(labels)

    def x_of(value: float) -> float:
        return left + _extent(value, low, high, right - left)

    def marks() -> Iterator[str]:
        for tick in _ticks(low, high):
            yield _line(x_of(tick), TOP - 4, x_of(tick), bottom - GAP / 2)
            yield _text(x_of(tick), bottom + 10, form(tick), "middle")
        for row, label in enumerate(labels):
            top = TOP + row * step
            yield _text(left - 8, top + LANE * len(series) / 2 + 4, label, "end")
            for lane, values in enumerate(series.values()):
                if (value := values[row]) is not None:
                    x, y = x_of(value), top + (lane + 0.5) * LANE
                    thick = 1.5 if low else LANE - 4
                    yield _line(left, y, x, y, COLOURS[lane], thick)
                    yield _marker(lane, x, y) if low else ""
                    yield _text(x + 8, y + 4, form(value))

    return _svg(title, bottom + 20, series, marks())


def lines(
    title: str,
    steps: Sequence[str],
    series: Series,
    low: float = 0,
    high: float = 1,
    form: Form = share,
) -> str:
    """Draw a chart as SVG, with a line for each of up to four series.

    `steps` are the labels of the x axis, from the left.
    """
    left, right, bottom = MARGIN, WIDTH - MARGIN, TOP + HEIGHT
    xs = [left + (right - left) * (n + 0.5) / len(steps) for n in range(len(steps))]

    def y_of(value: float) -> float:
        return bottom - _extent(value, low, high, HEIGHT)

    def marks() -> Iterator[str]:
        for tick in _ticks(low, high):
            yield _line(left, y_of(tick), right, y_of(tick))
            yield _text(left - 8, y_of(tick) + 4, form(tick), "end")
        for lane, values in enumerate(series.values()):
            pairs = zip(xs, values, strict=True)
            points = [(x, y_of(value)) for x, value in pairs if value is not None]
            for begin, end in pairwise(points):
                yield _line(*begin, *end, COLOURS[lane], 2)
            yield from (_marker(lane, *point) for point in points)
        columns = zip(*series.values(), strict=True)
        for x, label, column in zip(xs, steps, columns, strict=True):
            yield _text(x, bottom + 36, label, "middle")
            shown = {n: value for n, value in enumerate(column) if value is not None}
            for n, y in _label_heights({n: y_of(v) for n, v in shown.items()}):
                yield _text(x, y, form(shown[n]), "middle", COLOURS[n])

    return _svg(title, bottom + 46, series, marks())


def _extent(value: float, low: float, high: float, length: float) -> float:
    """Return the distance in pixels of a value from the start of a scale.

    `length` is that of the whole scale. Values beyond the scale are put at its ends.
    """
    return length * (min(max(value, low), high) - low) / (high - low)


def _ticks(low: float, high: float) -> list[float]:
    """Return the six values at which a scale has ticks."""
    return [low + (high - low) * n / 5 for n in range(6)]


def _label_heights(points: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    """Yield the key of each point, and the height at which its label is written.

    The points are on one vertical line, and `points` has their y coordinates by key. A
    label is above its point, or below if another point is close above. Heights are y
    coordinates in pixels from the top.
    """
    point = label = float("-inf")
    for key in sorted(points, key=lambda key: (points[key], key)):
        is_free = points[key] - point >= 2 * LABEL
        point = points[key]
        label = point - LIFT if is_free else max(point + LIFT, label) + LABEL - 3
        yield key, label


# --- the pieces -----------------------------------------------------------------


def _svg(title: str, height: float, series: Series, marks: Iterator[str]) -> str:
    """Return a chart as SVG: a title, a legend, and the SVG elements `marks`.

    A chart with a single series has no legend.
    """
    x, legend = 20.0, [_text(20, 18, title, weight="bold")]
    for lane, name in enumerate(series if len(series) > 1 else ()):
        legend += [_marker(lane, x, 38), _text(x + 10, 42, name)]
        x += 30 + LETTER * len(name)
    svg_tag = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" role="img" '
        f'aria-label={quoteattr(title)} font-family="system-ui, sans-serif" '
        'font-size="12">'
    )
    return "\n".join([svg_tag, *legend, *filter(None, marks), "</svg>\n"])


def _text(
    x: float,
    y: float,
    text: str,
    anchor: str = "start",
    colour: str = TEXT,
    weight: str = "normal",
) -> str:
    """Return a text element of SVG."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )


def _line(
    x: float, y: float, x2: float, y2: float, colour: str = TEXT, width: float = 0.3
) -> str:
    """Return a straight line of SVG, from (x, y) to (x2, y2)."""
    return (
        f'<path d="M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}"/>'
    )


def _marker(lane: int, x: float, y: float) -> str:
    """Return the SVG path of a marker at a point.

    `lane` is the number of the series, which determines shape and colour.
    """
    transform = f'transform="translate({x:.1f} {y:.1f})"'
    return f'<path d="{SHAPES[lane]}" {transform} fill="{COLOURS[lane]}"/>'
