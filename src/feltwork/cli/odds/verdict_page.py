"""The verdicts as one page that stands alone: counts, charts and the whole table, nothing fetched."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from html import escape

from feltwork.odds.verify import Verdict, points_off

COLORS = {"agrees": "#1a7f4b", "disputed": "#b3261e", "contradicts itself": "#7b3fa0", "stated": "#6b6b6b"}
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1c1c1c}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{padding:.35rem .6rem;text-align:left;
border-bottom:1px solid #ddd;vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}
.w{font-weight:600;white-space:nowrap}svg{max-width:100%}
"""
WIDTH, BAR = 720, 26


def verdict_page(verdicts: Sequence[Verdict]) -> str:
    """The page as HTML."""
    rows = "\n".join(_row(verdict) for verdict in verdicts)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Feltwork: the letters' figures, verified</title>
<style>{STYLE}</style></head><body>
<h1>The letters' figures, verified</h1>
<p>Every figure that the five approval letters print, beside the exact value that follows from the rules.</p>
{_counts_chart(verdicts)}
<h2>How far off the disputed percentages are</h2>
{_differences_chart(verdicts)}
<h2>All figures</h2>
<table><thead><tr><th>figure</th><th>where</th><th>printed</th><th>ours</th><th>verdict</th><th>why</th></tr></thead>
<tbody>
{rows}
</tbody></table></body></html>
"""


def _row(verdict: Verdict) -> str:
    value = verdict.ours.value if verdict.ours else None
    ours = verdict.printed.written(value) if isinstance(value, Fraction) else ""
    color = COLORS[verdict.word]
    cells = (
        f"<td>{escape(verdict.printed.id)}</td><td>{escape(verdict.printed.cites)}</td>"
        f'<td class="n">{escape(verdict.printed.text)}</td><td class="n">{ours}</td>'
        f'<td class="w" style="color:{color}">{verdict.word}</td><td>{escape(verdict.why)}</td>'
    )
    return f"<tr>{cells}</tr>"


def _counts_chart(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(verdict.word for verdict in verdicts)
    most = max(counts.values())
    bars = []
    for place, (word, count) in enumerate(counts.most_common()):
        length = round(count * (WIDTH - 260) / most)
        y = place * BAR
        bars.append(
            f'<text x="150" y="{y + 17}" text-anchor="end">{word}</text>'
            f'<rect x="160" y="{y + 4}" width="{length}" height="{BAR - 8}" fill="{COLORS[word]}"/>'
            f'<text x="{168 + length}" y="{y + 17}">{count}</text>'
        )
    return _svg("How many printed figures agree", len(counts) * BAR, "".join(bars))


def _differences_chart(verdicts: Sequence[Verdict]) -> str:
    """Printed less ours in percentage points, a bar to the right where the letter prints too much."""
    off = [(printed, float(points)) for printed, points in points_off(verdicts)]
    most = max((abs(points) for _, points in off), default=1.0)
    middle = WIDTH * 0.66
    bars = []
    for place, (printed, points) in enumerate(off):
        length = abs(points) / most * WIDTH * 0.24
        y, x = place * BAR, middle if points >= 0 else middle - length
        bars.append(
            f'<text x="{WIDTH * 0.4:.0f}" y="{y + 17}" text-anchor="end" font-size="12">'
            f"{escape(printed.id.partition('?')[0])}</text>"
            f'<rect x="{x:.1f}" y="{y + 5}" width="{max(length, 1):.1f}" height="{BAR - 10}" '
            f'fill="{COLORS["disputed"]}"/>'
            f'<text x="{WIDTH - 4}" y="{y + 17}" text-anchor="end" font-size="12">{points:+.2f}</text>'
        )
    return _svg("Printed less ours, in percentage points", len(off) * BAR, "".join(bars))


def _svg(title: str, height: int, body: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )
