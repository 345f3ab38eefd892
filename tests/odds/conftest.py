"""Counts of the full game, shared by the tests that need them."""

import pytest

from feltwork.odds.titles.holdem_bonus.counts import HoldemBonusCounts, count_outcomes


@pytest.fixture(scope="session")
def counts() -> HoldemBonusCounts:
    return count_outcomes()
