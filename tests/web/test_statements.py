"""How many statements, transactions and locks a press, a confirmation and a payment take."""

import pytest

from feltwork.site.books.awards import awards
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from tests.support.statements import counted
from tests.web.house import PIN, House


@pytest.mark.requirement("LT-02")
def test_a_press_at_a_screen_takes_twelve_statements_and_one_lock(house: House) -> None:
    link = house.open("pressed")
    house.start(link, "A1")
    with counted() as taken:
        pressed = house.done("dana", f"/api/v1/links/{link}/tables/A1/hand", {"seat": 1, "hand": "four_aces"})
    assert pressed["award"]
    assert len(taken.texts) <= 12, taken.texts
    assert (taken.locks, taken.commits) == (1, 1)


def test_a_confirmation_and_a_payment_lock_their_link_once(house: House) -> None:
    link = house.open("counted")
    house.start(link, "T8")
    award = house.claim(link, "T8", cards="As Ah Ad Ac 2c")
    amount = house.get("dana", f"/api/v1/links/{link}/awards/{award}")["amount"]
    badges = tuple(awards.ShownBadge(badge=f"B-{person}", pin=PIN) for person in ("sam", "eve"))
    confirm, policy = awards.Confirm(badges=badges, amount=amount), Policy(record_required=False)
    with connect(house.dsn) as connection:
        dana, cara = (
            Operation(
                connection=connection, actor=Actor(id=who, name=who, role=role, place=""), policy=policy
            )
            for who, role in (("dana", "dealer"), ("cara", "cage"))
        )
        with counted() as confirmed:
            awards.confirm(dana, link, award, confirm)
        with counted() as paid:
            awards.pay(cara, link, award, awards.Pay(form="check"))
    assert (len(confirmed.texts) <= 14, confirmed.locks) == (True, 1), confirmed.texts
    assert (len(paid.texts) <= 8, paid.locks) == (True, 1), paid.texts
