"""Bugs to inject into the halves of a network link: each must be found by the simulator."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from feltwork.progressive.facts import Released, Voided
from feltwork.progressive.meter_locks import released
from feltwork.progressive.network import aggregator, hub, hub_books, hub_replies, site, sums
from feltwork.progressive.network import facts as f
from feltwork.progressive.network import messages as m
from feltwork.simulation.network import world

Patch = pytest.MonkeyPatch


def no_deduplication_of_claims(patch: Patch) -> None:
    """A claim that comes again is claimed and locked again, under a name of its own."""
    original = hub._claim

    def again(books: Any, member: Any, claim: m.ClaimUp, history: Any, at: int) -> Any:
        if claim.award in books.state.awards and books.state.awards[claim.award].status == "claimed":
            claim = replace(claim, award=f"{claim.award}{len(books.state.awards)}")
        return original(books, member, claim, history, at)

    patch.setattr(hub, "_claim", again)


def no_relock(patch: Patch) -> None:
    """A voided claim goes back alone; those behind it keep what they had."""

    def void(books: Any, message: m.VoidUp, at: int) -> Any:
        award = books.state.awards.get(message.award)
        if award is None or award.status != "claimed":
            return original(books, message, at)
        voided = Voided(link=message.link, at=at, award=award.id, reason=message.reason, by=message.by)
        back: Released = released(books.state, award, at)
        return back, voided

    original = hub._void
    patch.setattr(hub, "_void", void)


def a_sum_counts_twice(patch: Patch) -> None:
    """Every hundredth window books the growth since the sum before last."""
    original, older = hub_books._summed, {}  # type: ignore[var-annotated]

    def summed(books: Any, fact: f.Summed, rows: Any) -> Any:
        after = original(books, fact, rows)
        if fact.at % 7 == 0 and rows:
            site_name = rows[0].site
            member = after.members[site_name]
            before = older.get(site_name, books.members[site_name].sum)
            after = replace(after, members={**after.members, site_name: replace(member, sum=before)})
        older.update({row.site: books.members[row.site].sum for row in rows})
        return after

    patch.setattr(hub_books, "_summed", summed)


def no_resend(patch: Patch) -> None:
    """A step is sent once; the sum is still sent regularly."""
    original = site.outgoing

    def outgoing(books: Any, memory: Any, timing: Any, at: int, *, idle: bool) -> Any:
        known = memory.sent
        memory, sent = original(books, memory, timing, at, idle=idle)
        return memory, tuple(
            message
            for message in sent
            if isinstance(message, m.SiteSum)
            or not any(
                key.startswith(getattr(message, "award", "settled")) for key in known if key in memory.sent
            )
        )

    patch.setattr(site, "outgoing", outgoing)


def an_answer_only_the_first_time(patch: Patch) -> None:
    """The hub answers when it books, and not what is read from its books."""
    original = hub_replies.replies

    def replies(before: Any, after: Any, at: int, **about: Any) -> Any:
        if before is after:
            about["message"] = None
        return original(before, after, at, **about)

    patch.setattr(world, "replies", replies)


def late_sums_are_believed(patch: Patch) -> None:
    """A sum is newer whenever it is another one."""
    verdict = "newer"
    patch.setattr(hub, "judge", lambda old, new: "known" if old.entry == new.entry else verdict)


def no_withdrawal(patch: Patch) -> None:
    """A changed grant is added to the old one."""
    original = site._grant

    def grant(books: Any, new: m.GrantDown, at: int) -> Any:
        return tuple(fact for fact in original(books, new, at) if isinstance(fact, f.Granted))

    patch.setitem(site._ANSWERS, m.GrantDown, grant)


def a_lock_without_the_own_round(patch: Patch) -> None:
    """The hub locks before it books the sum that comes with the claim."""
    original = hub._claim

    def claim(books: Any, member: Any, message: m.ClaimUp, history: Any, at: int) -> Any:
        return original(books, member, replace(message, sum=member.sum), history, at)

    patch.setattr(hub, "_claim", claim)


def silence_is_contact(patch: Patch) -> None:
    """A site plays on without snapshots."""
    patch.setattr(site, "tick", lambda _books, memory, _timing, _at: site.SiteStep(memory=memory))
    original = site.takes_wagers

    def takes_wagers(books: Any, memory: Any, timing: Any, _at: int) -> bool:
        return original(books, memory, timing, memory.heard_at)

    patch.setattr(site, "takes_wagers", takes_wagers)


def any_grant_can_be_confirmed(patch: Patch) -> None:
    """The hub confirms what is locked now, whatever the site's people have seen."""
    original = hub._confirm

    def confirm(books: Any, message: m.ConfirmUp, at: int) -> Any:
        award, grant = books.state.awards.get(message.award), books.grants.get(message.award)
        if award is not None and grant is not None:
            message = replace(message, grant=grant.number, amount=award.amount)
        return original(books, message, at)

    patch.setattr(hub, "_confirm", confirm)


def a_cleared_claim_may_still_arrive(patch: Patch) -> None:
    """The hub forgets a claim that was cleared before it came."""
    original = hub_books._STEPS
    forgotten = {**original, f.Barred: lambda books, _fact, _tail: books}
    patch.setattr(hub_books, "_STEPS", forgotten)
    answer = hub_replies._answer_award

    def answered(books: Any, message: Any) -> Any:
        if isinstance(message, m.VoidUp) and message.award not in books.state.awards:
            end = hub_replies._from(books, message.site)
            return (m.VoidedDown(**end, award=message.award),)
        return answer(books, message)

    patch.setattr(hub_replies, "_answer_award", answered)


def ready_while_playing(patch: Patch) -> None:
    """A site says that it is ready while a round is open, and changes its version in the middle."""
    patch.setattr(site, "_can_change", lambda _books, idle: True)


def paid_in_memory_only(patch: Patch) -> None:
    """The outbox is a list in memory: what was not sent before a crash is never sent."""
    original = site._message_of

    def message_of(books: Any, memory: Any, award: Any) -> Any:
        made_here = memory.started <= books.state.awards[award.id].claimed_at
        return original(books, memory, award) if made_here else None

    patch.setattr(site, "_message_of", message_of)


def the_sign_does_not_count(patch: Patch) -> None:
    """With ``shown``, the least amount is taken from the meter as it is."""
    original = hub._least

    def least(books: Any, claim: m.ClaimUp, history: Any) -> Any:
        return original(books, replace(claim, shown=books.tail.number), history)

    patch.setattr(hub, "_least", least)


def returned_wagers_stay(patch: Patch) -> None:
    """The hub does not give back what sites have returned from its reserve."""
    original = sums.summed

    def summed(*about: Any) -> Any:
        fact = original(*about)
        return replace(fact, from_reserve={}, from_overflow={})

    patch.setattr(hub, "summed", summed)


def rejoin_without_the_sum(patch: Patch) -> None:
    """A site plays again with the first snapshot, whether the hub has booked its sum or not."""
    original = site._rejoin

    def rejoin(books: Any, memory: Any, at: int) -> Any:
        about = {"link": "N1", "site": books.site, "entry": 0, "hash": "", "passed": 0}
        booked = m.BookedDown(
            **about, booked_entry=books.tail.number, booked_hash=books.tail.hash, stops=(), left=False
        )
        return original(books, replace(memory, booked=booked), at)

    patch.setattr(site, "_rejoin", rejoin)


MUTANTS: Mapping[str, Callable[[Patch], None]] = {
    mutant.__name__: mutant
    for mutant in (
        no_deduplication_of_claims,
        no_relock,
        a_sum_counts_twice,
        no_resend,
        an_answer_only_the_first_time,
        late_sums_are_believed,
        no_withdrawal,
        a_lock_without_the_own_round,
        silence_is_contact,
        any_grant_can_be_confirmed,
        a_cleared_claim_may_still_arrive,
        ready_while_playing,
        paid_in_memory_only,
        the_sign_does_not_count,
        returned_wagers_stay,
        rejoin_without_the_sum,
    )
}


# --- in an aggregator ---


def a_claim_goes_up_before_its_sum(patch: Patch) -> None:
    """The aggregator passes a claim on with the sum that it has booked."""
    receive, relay = aggregator.receive_up, aggregator.relay_up

    def receive_up(books: Any, memory: Any, message: Any, at: int) -> Any:
        if isinstance(message, m.ClaimUp):
            return aggregator.AggregatorStep(memory=memory)
        return receive(books, memory, message, at)

    def relay_up(books: Any, memory: Any, message: Any) -> Any:
        if isinstance(message, m.ClaimUp):
            message = replace(message, sum=books.below.members[message.site].sum)
        return relay(books, memory, message)

    patch.setattr(aggregator, "receive_up", receive_up)
    patch.setattr(aggregator, "relay_up", relay_up)


def a_credit_every_time(patch: Patch) -> None:
    """A payment is a credit as often as the hub says that it is booked."""
    original = aggregator.receive_down

    def receive_down(books: Any, memory: Any, message: Any, at: int, **more: Any) -> Any:
        return original(replace(books, credited=frozenset()), memory, message, at, **more)

    patch.setattr(aggregator, "receive_down", receive_down)


def no_credit(patch: Patch) -> None:
    """The answer goes down, and the site's credit is forgotten."""

    def receive_down(books: Any, memory: Any, message: Any, at: int, **more: Any) -> Any:
        if isinstance(message, m.HandedOverDown):
            return aggregator.AggregatorStep(memory=memory)
        return original(books, memory, message, at, **more)

    original = aggregator.receive_down
    patch.setattr(aggregator, "receive_down", receive_down)


def ready_without_the_others(patch: Patch) -> None:
    """An aggregator is ready with the first of its sites."""
    original = aggregator._ready

    def ready(books: Any, memory: Any) -> Any:
        everybody = dict.fromkeys(books.below.members, max(memory.ready.values()))
        return original(books, replace(memory, ready=everybody))

    patch.setattr(aggregator, "_ready", ready)


def answers_go_to_the_first_site(patch: Patch) -> None:
    """What the hub says about an award goes to another site."""
    original = aggregator.relay_down

    def relay_down(books: Any, memory: Any, message: Any) -> Any:
        first = min(books.below.members)
        return tuple(
            replace(downlink, site=first) if downlink.site else downlink
            for downlink in original(books, memory, message)
        )

    patch.setattr(aggregator, "relay_down", relay_down)


TREE_MUTANTS: Mapping[str, Callable[[Patch], None]] = {
    mutant.__name__: mutant
    for mutant in (
        a_claim_goes_up_before_its_sum,
        a_credit_every_time,
        no_credit,
        ready_without_the_others,
        answers_go_to_the_first_site,
    )
}
