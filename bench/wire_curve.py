"""Cost against load: so many tables on so many links, and the chart of docs/operating."""

import json
from pathlib import Path
from typing import Any

import altair
from wire_box import a_box
from wire_measures import end_to_end, latency

HERE = Path(__file__).parent


def curve(*, quick: bool) -> list[dict[str, Any]]:
    """Wagers a second, processor time and p99 for so many tables on so many links; and the chart of them."""
    rounds, seconds = (10_000, 3) if quick else (30_000, 6)
    points = []
    for links_ in (1, 4, 16):
        with a_box(links_=links_) as box:
            box.keep()
            end_to_end(box, tables=100, rounds=3_000, first=1, prefix="W")
            for tables in (1, 10, 100, 1_000):
                prefix = f"T{tables}-"
                flat = end_to_end(box, tables=tables, rounds=rounds, first=1, prefix=prefix)
                paced = latency(box, tables=tables, first=rounds + 1, seconds=seconds, prefix=prefix)
                each = flat["cpu_microseconds_per_wager"]
                points.append(
                    {
                        "links": links_,
                        "tables": tables,
                        "wagers_per_second": flat["wagers_per_second"],
                        "cpu_microseconds_per_wager": round(sum(each.values()), 2),
                        "parts": each,
                        "p50_ms": paced["p50_ms"],
                        "p99_ms": paced["p99_ms"],
                    }
                )
    folder = HERE.parent / "docs" / "operating"
    folder.mkdir(exist_ok=True)
    (folder / "wire_curve.json").write_text(json.dumps(points, indent=1) + "\n", encoding="utf-8")
    draw(points, folder / "wire_curve.svg")
    return points


def draw(points: list[dict[str, Any]], target: Path) -> None:
    """Three small charts over the number of tables, a line for each number of links."""
    rows = [
        {**point, "links": f"{point['links']} links" if point["links"] > 1 else "1 link"} for point in points
    ]
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("tables:Q", title="tables", scale=altair.Scale(type="log")),
        color=altair.Color("links:N", title=None, sort=["1 link", "4 links", "16 links"]),
        shape=altair.Shape("links:N", title=None, sort=["1 link", "4 links", "16 links"]),
    )
    parts = (
        ("wagers_per_second", "wagers a second, flat out"),
        ("cpu_microseconds_per_wager", "processor time per wager, µs"),
        ("p99_ms", "START GAME to meter, p99 in ms"),
    )
    charts = [
        base.mark_line(point=True)
        .encode(y=altair.Y(f"{name}:Q", title=title, scale=altair.Scale(zero=True)))
        .properties(width=230, height=190)
        for name, title in parts
    ]
    altair.hconcat(*charts).save(str(target))
