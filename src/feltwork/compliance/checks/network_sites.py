"""Sites of a network link compared: the same wager, paytable, version and exact chances at every table."""

from feltwork.compliance.checks.linked_games import chances_at, differences
from feltwork.compliance.floor import Floor, FloorLink, link_from_floor
from feltwork.compliance.link_odds import Uncounted
from feltwork.problem import Problem


def network_link_of(floor: Floor, link: str) -> FloorLink | None:
    """The network link of a floor with this id; none where the floor has no such link."""
    return next((one for one in floor.links if one.id == link and one.network is not None), None)


def is_hub_of(floor: Floor | None, link: str) -> bool:
    """Whether a floor is the one of the hub: its link names the hub as its own site, or of an aggregator."""
    found = network_link_of(floor, link) if floor else None
    if found is None or found.network is None:
        return False
    return found.aggregator or found.site == found.network.hub


def site_problems(hub: Floor, theirs: Floor, link: str, site: str) -> list[Problem]:
    """What keeps a site from joining, by the floor files of the hub and of the site [GEN-18]."""
    where = f"link {link}, site {site}"
    ours, own = network_link_of(hub, link), network_link_of(theirs, link)
    if ours is None or own is None:
        who = "the hub's floor file" if ours is None else "the floor file of the site"
        return [
            Problem(where, f"{who} has no network link of that id", "write the same link in both", "GEN-18")
        ]
    problems = []
    if own.site != site:
        what = f"its floor file calls it {own.site}"
        problems.append(Problem(where, what, "let it join under that name, or change its file", "GEN-18"))
    new, old = link_from_floor(theirs, own), link_from_floor(hub, ours)
    if new.fingerprint != old.fingerprint:
        unlike = [
            name
            for name in ("wager", "paytable", "levels", "network", "options", "executive_above")
            if getattr(new, name) != getattr(old, name)
        ]
        what = f"it has another version of the link ({', '.join(unlike) or 'other terms'})"
        problems.append(Problem(where, what, "write the link as the hub has it", "GEN-18"))
    return problems + _chances(hub, ours, theirs, own, where)


def _chances(hub: Floor, ours: FloorLink, theirs: Floor, own: FloorLink, where: str) -> list[Problem]:
    """Every prize of a meter must be exactly as likely at the site as at the hub's table, as fractions."""
    here = hub.tables_of(ours)[0]
    mine, problems = chances_at(ours, here), []
    for table in theirs.tables_of(own):
        their = chances_at(own, table)
        if isinstance(mine, Uncounted) or isinstance(their, Uncounted):
            why = next(one.why for one in (mine, their) if isinstance(one, Uncounted))
            what = f"the chances at {table.id} cannot be compared: {why}"
        elif unlike := differences(mine, their):
            what = f"{table.id} does not have the chances of the network: {'; '.join(unlike)}"
        else:
            continue
        problems.append(Problem(where, what, "link only tables with the same odds", "GEN-18"))
    return problems
