"""Network links in a floor file: their terms, what they must be, and where they are refused."""

import pytest

from feltwork.compliance.floor import link_from_floor
from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.progressive.network.terms import NetworkTerms
from tests.compliance.floors import findings, small

ELSEWHERE = ('"wa_cardroom"', '"generic"')
TERMS = """
lock_at = "claim"
hub = "network-one"
site = "north"
options = { several_winners = "seat_order", fixed_pays_from = "tray" }
"""
NETWORK = ('lock_at = "confirm"', TERMS)


def refusals(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    return [
        (finding.requirement, finding.what)
        for finding in findings(small(*changes))
        if finding.severity == "refused"
    ]


def test_a_link_names_its_hub_and_its_site() -> None:
    more = (*NETWORK[:1], TERMS + 'several_sites = "shown"\ncountersign_above = "100000.00"\n')
    floor = small(ELSEWHERE, more)
    (link,) = floor.links
    assert link.site == "north"
    terms = NetworkTerms(hub="network-one", several_sites="shown", countersign_above=100_000 * DOLLAR)
    assert link_from_floor(floor, link).network == terms
    assert refusals(ELSEWHERE, NETWORK) == []


def test_two_sites_have_the_same_version_and_a_link_without_a_hub_the_one_it_had() -> None:
    north, south = small(ELSEWHERE, NETWORK), small(ELSEWHERE, NETWORK, ('"north"', '"south"'))
    alone = small(ELSEWHERE, ("confirm", "claim"))
    versions = [link_from_floor(floor, floor.links[0]).fingerprint for floor in (north, south, alone)]
    assert versions[0] == versions[1] != versions[2]
    assert link_from_floor(alone, alone.links[0]).network is None


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (('"claim"', '"confirm"'), "lock_at"),
        (('"tray"', '"meter"'), "fixed_pays_from"),
    ],
)
def test_a_network_link_locks_at_the_claim_and_pays_in_seat_order(change: tuple[str, str], key: str) -> None:
    messages = [what for requirement, what in refusals(ELSEWHERE, NETWORK, change) if requirement == "GEN-18"]
    assert len(messages) == 1
    assert "network link" in messages[0], key


def test_a_card_room_in_washington_may_not_have_one() -> None:
    (message,) = [what for requirement, what in refusals(NETWORK) if requirement == "WA-10"]
    assert "shared with other sites" in message


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (('hub = "network-one"\n', ""), "it is for links with a hub"),
        (('"north"', '"north side"'), "is no name of a site"),
        (('"north"', '"a-name-of-17-chars"'), "is no name of a site"),
        (('site = "north"\n', ""), "site is missing"),
    ],
)
def test_what_it_needs_is_asked_for(change: tuple[str, str], what: str) -> None:
    with pytest.raises(ProblemsError) as refusal:
        small(ELSEWHERE, NETWORK, change)
    assert [problem for problem in refusal.value.problems if what in problem.what]


def test_an_aggregator_is_named_and_is_not_the_hub() -> None:
    west = ('site = "north"', 'site = "west"\naggregator = true')
    assert small(ELSEWHERE, NETWORK, west).links[0].aggregator
    assert small(ELSEWHERE, NETWORK, ('"north"', '"north@west"')).links[0].site == "north@west"
    for site, message in (
        ('site = "network-one"\naggregator = true', "this is the hub itself"),
        ('site = "a@b@c"', "no name of a site"),
        ('site = "north@a-long-name"', "no name of a site"),
    ):
        with pytest.raises(ProblemsError, match=message):
            small(ELSEWHERE, NETWORK, ('site = "north"', site))
