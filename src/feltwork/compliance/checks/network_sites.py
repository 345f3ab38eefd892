"""Comparison of a network link's sites: same wager, paytable, version and exact chances at every table."""

from feltwork.compliance.checks.linked_games import chances_at, differences
from feltwork.compliance.floor import Floor, FloorLink, link_from_floor
from feltwork.compliance.link_odds import Uncounted
from feltwork.problem import Problem


def network_link_of(floor: Floor, link: str) -> FloorLink | None:
    """Return the floor's network link with this id, or None."""
    return next(
        (
            floor_link
            for floor_link in floor.links
            if floor_link.id == link and floor_link.network is not None
        ),
        None,
    )


def is_hub_of(floor: Floor | None, link: str) -> bool:
    """Whether the floor is that of the hub (its link names the hub as its site) or of an aggregator."""
    floor_link = network_link_of(floor, link) if floor else None
    if floor_link is None or floor_link.network is None:
        return False
    return floor_link.aggregator or floor_link.site == floor_link.network.hub


def site_problems(hub: Floor, site_floor: Floor, link: str, site: str) -> list[Problem]:
    """List what keeps a site from joining, according to the floor files of hub and site [GEN-18]."""
    where = f"link {link}, site {site}"
    hub_link, own = network_link_of(hub, link), network_link_of(site_floor, link)
    if hub_link is None or own is None:
        who = "the hub's floor file" if hub_link is None else "the floor file of the site"
        return [
            Problem(where, f"{who} has no network link of that id", "write the same link in both", "GEN-18")
        ]
    problems = []
    if own.site != site:
        what = f"its floor file calls it {own.site}"
        problems.append(
            Problem(where, what, "add it under that name, or correct the site in its floor file", "GEN-18")
        )
    new, old = link_from_floor(site_floor, own), link_from_floor(hub, hub_link)
    if new.fingerprint != old.fingerprint:
        unlike = [
            name
            for name in ("wager", "paytable", "levels", "network", "options", "executive_above")
            if getattr(new, name) != getattr(old, name)
        ]
        what = f"it has another version of the link ({', '.join(unlike) or 'other terms'})"
        problems.append(Problem(where, what, "write the link as the hub has it", "GEN-18"))
    return problems + _chances(hub, hub_link, site_floor, own, where)


def _chances(hub: Floor, hub_link: FloorLink, site_floor: Floor, own: FloorLink, where: str) -> list[Problem]:
    """Require exactly the same chance of every meter prize at the site as at the hub's table."""
    here = hub.tables_of(hub_link)[0]
    hub_chances, problems = chances_at(hub_link, here), []
    for table in site_floor.tables_of(own):
        their = chances_at(own, table)
        if isinstance(hub_chances, Uncounted) or isinstance(their, Uncounted):
            why = next(chances.why for chances in (hub_chances, their) if isinstance(chances, Uncounted))
            what = f"the chances at {table.id} cannot be compared: {why}"
        elif unlike := differences(hub_chances, their):
            what = f"{table.id} does not have the chances of the network: {'; '.join(unlike)}"
        else:
            continue
        problems.append(Problem(where, what, "link only tables with the same odds", "GEN-18"))
    return problems
