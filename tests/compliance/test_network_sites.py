"""Sites of a network link are compared with the hub: version, name, and exact chances as fractions."""

from dataclasses import replace

import pytest

from feltwork.compliance.checks.network_sites import is_hub_of, site_problems
from feltwork.compliance.floor import Floor
from feltwork.progressive.network.terms import NetworkTerms
from tests.compliance.floors import example


def network(table: str, site: str) -> Floor:
    """The example of two tables with other decks, with the link on one of them."""
    floor = example("unlawful/different_odds")
    (link,) = floor.links
    meters = tuple(replace(meter, unreasonable=1) for meter in link.meters)
    network_link = replace(link, tables=(table,), network=NetworkTerms(hub="h"), site=site, meters=meters)
    return replace(floor, links=(network_link,))


@pytest.mark.requirement("GEN-18")
def test_a_table_with_other_decks_does_not_have_the_chances_of_the_network() -> None:
    first, second = example("unlawful/different_odds").links[0].tables
    hub = network(first, "h")
    link = hub.links[0].id
    assert site_problems(hub, network(first, "a"), link, "a") == []
    (problem,) = site_problems(hub, network(second, "a"), link, "a")
    assert "three_7s_diamonds comes one in 250,666 and one in 212717.143" in problem.what
    (problem,) = site_problems(hub, network(first, "b"), link, "a")
    assert "calls it b" in problem.what
    (problem,) = site_problems(hub, example("unlawful/different_odds"), link, "a")
    assert "no network link of that id" in problem.what


def test_a_hub_is_its_own_site() -> None:
    first, _ = example("unlawful/different_odds").links[0].tables
    hub, site = network(first, "h"), network(first, "a")
    assert [is_hub_of(floor, hub.links[0].id) for floor in (hub, site, None)] == [True, False, False]
