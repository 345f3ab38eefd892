"""Counts everything that shipped titles are priced with and writes it into the package; takes minutes."""

import os
import shutil
import sys

from feltwork.cli.odds.certify import shipped
from feltwork.odds import count_cache
from feltwork.odds.report import base_report, bet_reports
from feltwork.odds.strategy import player
from feltwork.odds.title_odds import odds_of
from feltwork.titles import registry
from feltwork.titles.sample_round import open_round
from tools import ship_reports


def main() -> int:
    target = count_cache.SHIPPED
    shutil.rmtree(target, ignore_errors=True)
    os.environ["FELTWORK_CACHE"] = str(target)
    for paytable in shipped():
        bet_reports(paytable, {})
    for title in registry.own_names():
        if odds_of(title).base_game:
            base_report(title, {})
        if odds_of(title).player:
            opened = open_round(registry.game(title), 1)
            player(title, opened.paytables, opened.options)
    ship_reports.main()
    sys.stdout.write("".join(f"{file.name} {file.stat().st_size:,}\n" for file in sorted(target.iterdir())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
