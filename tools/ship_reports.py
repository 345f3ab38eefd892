"""Computes the reports of released paytables and base games, and writes them into the package; seconds."""

import json
import sys

from feltwork.cli.odds.certify import shipped
from feltwork.odds import count_cache
from feltwork.odds.figures import shipped_reports
from feltwork.odds.report import FigureReport, base_report, bet_reports
from feltwork.odds.strategy import player
from feltwork.odds.title_odds import odds_of
from feltwork.titles import registry
from feltwork.titles.sample_round import open_round


def reports() -> dict[str, list[FigureReport]]:
    """What is shipped, by title: the base game, then every paytable on each side."""
    reports_by_title = {
        title: [base_report(title, {})] if odds_of(title).base_game else [] for title in registry.own_names()
    }
    for paytable in shipped():
        reports_by_title[paytable.title] += bet_reports(paytable, {})
    return reports_by_title


def text() -> str:
    """The file, one line per title."""
    titles = {
        title: shipped_reports.written(title, title_reports) for title, title_reports in reports().items()
    }
    lines = ",\n".join(f"{json.dumps(title)}: {json.dumps(entry)}" for title, entry in titles.items())
    return f"{{\n{lines}\n}}\n"


def imports() -> str:
    """What the modules of shipped counts import, so that nobody has to parse them."""
    reached = {" ".join(of): count_cache.reached_by(of) for of in sorted(count_cache.asked)}
    return json.dumps(reached, indent=0) + "\n"


def main() -> int:
    file = count_cache.SHIPPED / count_cache.IMPORTS
    file.unlink(missing_ok=True)
    for title in registry.own_names():
        if odds_of(title).player:
            opened = open_round(registry.game(title), 1)
            player(title, opened.paytables, opened.options)
    shipped_reports.FILE.write_text(text(), encoding="utf-8")
    file.write_text(imports(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
