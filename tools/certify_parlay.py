"""Derives the House Money parlay certificate anew, in exact fractions; a few minutes."""

import json
import sys
from pathlib import Path

from feltwork.odds.titles import blackjack
from feltwork.odds.titles.blackjack.parlay import CERTIFICATE, certify
from feltwork.odds.titles.blackjack.rules import Rules
from feltwork.titles import registry


def main() -> int:
    paytable = registry.paytable("blackjack", "house_money", "1")
    certificates = [certify(Rules(decks=6, soft_17=soft_17), paytable) for soft_17 in ("stand", "hit")]
    file = Path(blackjack.__path__[0]) / CERTIFICATE
    file.write_text(json.dumps(certificates, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(
        "".join(f"{certificate['soft_17']}: {certificate['house_edge']}\n" for certificate in certificates)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
