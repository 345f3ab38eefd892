"""Badges: the people who must sign a hit, and the awards that form one hit."""

from collections.abc import Collection, Iterable

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Sentence
from feltwork.site.progressive.button_pays import MeterPay
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import Badge
from feltwork.site.progressive.state import SETTLED, Award, LinkState


def hits(state: LinkState, awards: Collection[str]) -> list[list[str]]:
    """Group the awards of a round by hit: all awards of one prize are one hit, even if shared [LT-03, LT-08].

    Awards that J-POT logs together are also one hit.
    """
    awards_by_hit: dict[str, list[str]] = {}
    for name in awards:
        awards_by_hit.setdefault(hit_of(state.link, state.awards[name]), []).append(name)
    return list(awards_by_hit.values())


def hit_of(link: Link, award: Award) -> str:
    """Return the key that an award shares with those confirmed, voided or reversed together with it.

    The key is J-POT, the hand whose prize is divided, or the level that pays each in full.
    """
    if link.lock_at == "run":
        return "J-POT"
    if link.title.divides_shares or link.options["several_winners"] == "split":
        return award.hand
    return link.level_paying(award.hand) if link.shares_prizes else award.id


def hit_with(state: LinkState, award: Award) -> list[Award]:
    """Return the awards of an award's hit: claims with a claim, settled awards with one that is settled."""
    together = next((group for group in (("claimed",), SETTLED) if award.status in group), ())
    place = (award.table, award.round, hit_of(state.link, award))
    return [
        other
        for other in state.awards.values()
        if other.status in together and (other.table, other.round, hit_of(state.link, other)) == place
    ] or [award]


def verify_cards_entered(link: Link, hit: Collection[Award]) -> None:
    """Raise if cards of a hit above the executive level have not been entered [LT-02]."""
    whole = sum(award.amount for award in hit)
    for award in hit:
        if not award.cards and needs_executive(link, level=award.level, amount=whole):
            where = f"{link.id}, award {award.id} of {money.dollars(whole)}"
            remedy = "enter the winning cards from the table or from surveillance first"
            what = Sentence(
                "the cards of seat %(seat)s are not entered, and its win needs an executive", seat=award.seat
            )
            raise refuse(where, what, remedy, "LT-02")


def verify_badges(
    link: Link, claims: Collection[Award], pays: Collection[MeterPay], badges: Collection[Badge]
) -> None:
    """Raise unless the required people have shown badges, and none of them entered the win [LT-03, WA-30]."""
    total = sum(pay.amount for pay in pays)
    where = f"{link.id}, award {', '.join(claim.id for claim in claims)} of {money.dollars(total)}"
    people = [badge.person for badge in badges]
    if not badges:
        raise refuse(where, "no badge was shown", "ask a supervisor to confirm", "LT-03")
    if len(set(people)) != len(people):
        raise refuse(where, "the same person's badge was shown twice", "ask a second person", "LT-03")
    entered = {claim.claimed_by for claim in claims} & set(people)
    if entered:
        raise refuse(
            where,
            Sentence("%(person)s entered the win", person=entered.pop()),
            "ask someone else to confirm it",
            "WA-30",
        )
    if any(needs_executive(link, level=pay.level, amount=total) for pay in pays):
        over = Sentence(
            "it is above %(amount)s, or of a level that needs an executive",
            amount=money.dollars(link.executive_above),
        )
        if executive_among(badges) is None:
            raise refuse(where, over, "ask an executive to confirm", "LT-03")
        if len(people) < 2 and not link.executive_alone:
            raise refuse(
                where,
                Sentence("%(why)s: two people must sign", why=over),
                "ask a supervisor to confirm as well",
                "LT-03",
            )
    if len(people) > (1 if executive_among(badges) is None else 2):
        remedy = "use one supervisor badge, plus an executive badge where the amount requires it"
        raise refuse(where, Sentence("%(count)s badges were shown", count=len(people)), remedy, "LT-03")


def needs_executive(link: Link, *, level: str, amount: Micros) -> bool:
    """Whether a hit needs an executive's badge because of its total amount or its level [LT-03]."""
    return amount > link.executive_above or level in link.executive_levels


def executive_among(badges: Iterable[Badge]) -> str | None:
    """Return the executive who has shown a badge, if any."""
    return next((badge.person for badge in badges if badge.role == "executive"), None)
