"""The actions of dealers, pits and the hub's people in a simulated network, and its faults."""

from dataclasses import replace
from functools import partial

from feltwork.progressive import round as rounds
from feltwork.progressive.facts import Instant
from feltwork.progressive.network import hub_commands, site, site_commands, site_rounds, versions
from feltwork.progressive.network.site_books import OpenAward
from feltwork.progressive.round import TableRound
from feltwork.progressive.round_facts import RoundStarted
from feltwork.progressive.sign_offs import Badge
from feltwork.simulation.network.nodes import REQUEST, SimulatedMember
from feltwork.simulation.network.scenario import MINUTE, SECOND
from feltwork.simulation.network.world import NetworkWorld, PlayedRound

_SUPERVISOR, _EXECUTIVE = Badge("sam", "supervisor"), Badge("eve", "executive")
_SEATS = 7


def start(world: NetworkWorld) -> None:
    """Schedule everyone's first event."""
    world.after(SECOND // 7, world.hub_tick)
    world.after(2 * SECOND, lambda: _hub_people(world))
    world.after(SECOND, lambda: _faults(world))
    for member in world.sites.values():
        world.after(world.between(0, SECOND), partial(world.site_tick, member))
        world.after(world.between(0, 8 * SECOND), partial(_pit, world, member))
        for table in member.tables:
            first = world.between(2 * SECOND, 20 * SECOND)
            world.after(first, partial(_dealer, world, member, table))


def _dealer(world: NetworkWorld, member: SimulatedMember, table: str) -> None:
    """Take one action at a table: start, enter a hand, call a misdeal, or end."""
    wait = SECOND if world.calm else world.between(8 * SECOND, 32 * SECOND)
    world.after(wait, lambda: _dealer(world, member, table))
    if not member.up:
        return
    round_ = member.tables[table]
    if round_.phase == "idle":
        if not world.calm and site.takes_wagers(member.books, member.memory, member.timing, world.now):
            _start_round(world, member, round_)
    elif round_.phase == "playing":
        _play(world, member, round_)


def _start_round(world: NetworkWorld, member: SimulatedMember, round_: TableRound) -> None:
    link = member.books.state.link
    covered = [seat for seat in range(1, _SEATS + 1) if world.chance(0.6)]
    after, started = rounds.start(
        replace(round_, link=link),
        covered=covered,
        players=range(1, _SEATS + 1),
        takes_wagers=True,
        at=world.now,
    )
    member.tables[round_.table] = after
    fact = site_rounds.pass_on(member.books.state, [started], at=world.now).fact
    assert fact is not None, "a round that may start is booked"
    _note(world, member, len(started.seats), "start", started)
    world.site_acts(member, fact)


def _note(
    world: NetworkWorld,
    member: SimulatedMember,
    wagers: int,
    what: str,
    started: RoundStarted | None = None,
) -> None:
    link = member.books.state.link
    hub_version = world.hub.books.state.link.fingerprint
    world.played.append(
        PlayedRound(member.name, world.now, wagers, link.wager, link.fingerprint, hub_version, what, started)
    )


def _play(world: NetworkWorld, member: SimulatedMember, round_: TableRound) -> None:
    play, table = world.scenario.play, round_.table
    assert round_.started is not None
    free = [seat for seat in round_.seats if seat not in round_.hands]
    if not world.calm and free and not round_.dealt and world.chance(play.correction):
        _correct(world, member, round_)
    elif not world.calm and free and world.chance(play.claim):
        seat = free[int(world.rng.random() * len(free))]
        hand = "royal_flush" if world.chance(0.5) else "straight_flush"
        member.tables[table], _ = rounds.press(round_, seat=seat, hand=hand, at=world.now, by="dana")
        hub_tail = site.seen(member.books, member.memory)
        facts = site_commands.claim(
            member.books, member.tables[table], seat=seat, hub_tail=hub_tail, at=world.now, by="dana"
        )
        if world.chance(play.wrong):
            member.wrong.add(str(getattr(facts[0], "award", "")))
        world.site_acts(member, *facts)
    elif not world.calm and not round_.dealt and world.chance(play.misdeal):
        member.tables[table], _ = rounds.misdeal(round_, reason="a card short", at=world.now, by="dana")
        _note(world, member, len(round_.seats), "back")
        world.site_acts(
            member, site_rounds.misdeal(member.books.state, round_.started, at=world.now, by="sam")
        )
    else:
        member.tables[table], _ = rounds.end(round_, at=world.now)


def _correct(world: NetworkWorld, member: SimulatedMember, round_: TableRound) -> None:
    """Add or remove a seat before the first card."""
    assert round_.started is not None
    seat = 1 + int(world.rng.random() * _SEATS)
    add = seat not in round_.seats
    member.tables[round_.table] = rounds.correct(round_, seat=seat, wagered=add)
    act = site_rounds.add_seat if add else site_rounds.return_seat
    fact = act(member.books.state, round_.started, seat=seat, at=world.now, by="dana")
    _note(world, member, 1, "seat" if add else "back")
    world.site_acts(member, fact)


def _pit(world: NetworkWorld, member: SimulatedMember) -> None:
    """Check the open awards once: sign, clear, pay; and occasionally settle."""
    world.after(SECOND if world.calm else world.between(2 * SECOND, 12 * SECOND), lambda: _pit(world, member))
    for award in tuple(member.books.open.values()):
        if not member.up:
            return
        if world.calm or world.chance(world.scenario.play.haste):
            _handle(world, member, award)
    if not member.up or not member.books.joined:
        return
    play, books = world.scenario.play, member.books
    due = world.chance(play.settle / 6) or member.leaving or bool(books.state.stops.get("hub"))
    if books.settling is None and books.owes and (due or world.calm) and not books.open:
        world.site_acts(member, site_commands.settle(books, REQUEST, amount=books.owes, at=world.now))
    elif not member.leaving and not world.calm and world.chance(play.leave / 10):
        member.leaving = True
        end = site.seen(member.books, member.memory)
        world.site_acts(member, site_commands.ask_to_leave(member.books, REQUEST, hub=end, at=world.now))


def _handle(world: NetworkWorld, member: SimulatedMember, award: OpenAward) -> None:
    _, table, _, _, _ = award.id.split(":")
    round_ = member.tables[table]
    wrong = award.id in member.wrong or award.id in member.memory.refused
    if award.stage in ("claimed", "granted") and wrong:
        fact = site_commands.clear(
            member.books, award=award.id, reason="not the hand", at=world.now, by="sam"
        )
        member.tables[table] = rounds.take_out(round_, seats=[award.seat])
        world.site_acts(member, fact)
    elif award.stage == "granted":
        badges = (_SUPERVISOR, _EXECUTIVE) if award.amount > round_.link.executive_above else (_SUPERVISOR,)
        world.site_acts(
            member,
            site_commands.sign_off(
                member.books, award=award.id, badges=badges, amount=award.amount, at=world.now
            ),
        )
    elif award.stage == "confirmed":
        if award.seat in round_.claims:
            member.tables[table] = rounds.confirm(round_, seats=[award.seat])
        world.site_acts(
            member, site_commands.pay(member.books, award=award.id, form="check", at=world.now, by="cara")
        )


# --- the hub's people ---


def _hub_people(world: NetworkWorld) -> None:
    world.after(SECOND if world.calm else world.between(SECOND, 6 * SECOND), lambda: _hub_people(world))
    node = world.hub
    for site_name in tuple(node.memory.announced):
        if not node.up:
            return
        announced, member = node.memory.announced[site_name], node.books.members[site_name]
        if announced.number == member.settlements + 1:
            world.hub_acts(hub_commands.receive_settlement(node.books, announced, REQUEST, at=world.now))
    terms = node.books.state.link.network
    for award, grant in tuple(node.books.grants.items()):
        if not node.up:
            return
        amount = node.books.state.awards[award].amount
        if terms and terms.needs_countersign(amount) and node.books.countersigned.get(award) != grant.number:
            world.hub_acts(hub_commands.countersign(node.books, award=award, executive="max", at=world.now))
    if node.up:
        _rolled_back(world)
    if node.up:
        _change(world)
    if node.up:
        _departures(world)


def _rolled_back(world: NetworkWorld) -> None:
    """Review books that seemed to have rolled back, and let the site or the hub continue."""
    node, cause = world.hub, "rolled_back"
    if cause in node.books.state.stops:
        seen_tail = node.books.tail
        world.hub_acts(
            hub_commands.reopen_hub(
                node.books, REQUEST, seen_tail=seen_tail, history=node.journal, at=world.now
            )
        )
    for known in node.books.active:
        if node.up and cause in known.stops:
            end = world.sites[known.site].books.tail
            world.hub_acts(
                hub_commands.readmit_site(node.books, REQUEST, site=known.site, end=end, at=world.now)
            )


def _change(world: NetworkWorld) -> None:
    """Propose a version, drop it, or proceed without sites that are not ready after a minute."""
    node, play = world.hub, world.scenario.play
    if node.books.change is None:
        again = node.books.state.versions.get(node.dropped)
        now = node.books.state.link.fingerprint
        others = [link for link in world.scenario.versions if link.fingerprint != now]
        new = again or others[int(world.rng.random() * len(others))]
        if not world.calm and new in others and world.chance(0.5 if again else play.change / 20):
            node.proposed_at, node.dropped = world.now, ""
            world.hub_acts(*versions.propose(node.books, new, REQUEST, at=world.now))
        return
    unsettled = any(award.status in ("claimed", "confirmed") for award in node.books.state.awards.values())
    if not world.calm and world.chance(play.drop / 10):
        node.dropped = node.books.change.version if world.chance(0.7) else ""
        world.hub_acts(*versions.drop(node.books, REQUEST, at=world.now))
    elif world.now - node.proposed_at > MINUTE and not unsettled and world.chance(play.proceed / 5):
        sites = versions.not_ready(node.books)
        world.hub_acts(*versions.proceed_without(node.books, sites, REQUEST, at=world.now))


def _departures(world: NetworkWorld) -> None:
    """Release sites that are ready to leave, and let them rejoin."""
    node = world.hub
    for member in world.sites.values():
        ready = member.leaving and member.up and member.idle and not member.books.open
        if not node.up or not ready:
            continue
        known = node.books.members[member.name]
        if not member.books.joined:
            if node.books.change is None and node.books.state.link == member.books.state.link:
                world.admit(member)
                member.leaving = False
        elif not known.left and not known.owes and not member.books.owes and not member.books.settling:
            last = member.books.sum(member.books.hub)
            if last.passed == known.sum.passed and not node.books.has_open_award(member.name):
                world.hub_acts(
                    hub_commands.release(node.books, REQUEST, site=member.name, last=last, at=world.now)
                )


# --- faults ---


def _faults(world: NetworkWorld) -> None:
    """Every five seconds, possibly cut a site off or crash a process."""
    if world.calm:
        for member in world.sites.values():
            member.cut = False
        return
    world.after(5 * SECOND, lambda: _faults(world))
    faults = world.scenario.faults
    if world.hub.up and world.chance(faults.hub_crash / 12):
        world.crash_hub()
    for member in world.sites.values():
        if not member.cut and world.chance(faults.cut / 12):
            member.cut = True
            length: Instant = world.between(2 * SECOND, 90 * SECOND)
            world.after(length, partial(_mend, member))
        if member.up and world.chance(faults.site_crash / 12):
            world.crash_site(member)
        if faults.rolled_back and world.chance(faults.rolled_back / 12):
            _forge(world, member.name)


def _forge(world: NetworkWorld, site_name: str) -> None:
    """Deliver a sum that contradicts the booked sum, or from a site that has seen another chain."""
    end, known = world.hub.books.tail, world.hub.books.members[site_name].sum
    other = replace(known, hash="f" * 64)
    if world.chance(0.3):
        other = replace(known, seen=end.number + 5, seen_hash="e" * 64)
    world.hub_receives(other)


def _mend(member: SimulatedMember) -> None:
    member.cut = False
