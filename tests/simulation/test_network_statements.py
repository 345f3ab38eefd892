"""Statements of a site and of its hub, each from its own chain, are equal but for named items in transit."""

import pytest

from tests.simulation.network_statements import StatementRun
from tests.sizes import size

#: Other seeds than those of `test_vopr`.
FIRST = 1_000_000
HISTORIES = size(100, 10_000)


@pytest.mark.requirement("GEN-18")
def test_both_sides_say_the_same_but_for_items_in_transit() -> None:
    run = StatementRun()
    for seed in range(FIRST, FIRST + HISTORIES):
        run.play(seed, sites=2, minutes=2)
    assert run.differences == []
    assert run.compared == 2 * 8 * HISTORIES
    assert run.transit["sum"] > HISTORIES
    assert run.transit["settled"] > HISTORIES / 10
    assert run.transit["awards"] > 0
    assert run.awards > HISTORIES / 2
    assert run.settlements > HISTORIES
