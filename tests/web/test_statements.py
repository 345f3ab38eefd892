"""How many statements, transactions and locks a press, a confirmation and a payment take."""

import pytest

from feltwork.site.books.awards import awards
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from tests.support.statements import counted
from tests.web.house import PIN, House


@pytest.mark.requirement("LT-02")
def test_a_press_at_a_screen_takes_twelve_statements_and_one_lock(house: House) -> None:
    link = house.open("counted")
    house.start(link, "A1")
    with counted() as taken:
        pressed = house.done("dana", f"/api/v1/links/{link}/tables/A1/hand", {"seat": 1, "hand": "four_aces"})
    assert pressed["award"]
    assert len(taken.texts) <= 12, taken.texts
    assert (taken.locks, taken.commits) == (1, 1)


def test_a_confirmation_and_a_payment_lock_the_link_once(house: House) -> None:
    link = house.open("counted")
    house.start(link, "T8")
    award = house.claim(link, "T8", cards="As Ah Ad Ac 2c")
    amount = house.get("dana", f"/api/v1/links/{link}/awards/{award}")["amount"]
    badges = tuple(awards.ShownBadge(badge=f"B-{person}", pin=PIN) for person in ("sam", "eve"))
    policy = Policy(key_required=False, record_required=False)
    with connect(house.dsn) as connection:
        for person, role, most in (("dana", "dealer", 18), ("cara", "cage", 14)):
            actor = Actor(id=person, name=person, role=role, place="pit 1")
            op = Operation(connection=connection, actor=actor, policy=policy, key=role, name=role)
            with counted() as taken:
                if role == "dealer":
                    awards.confirm(op, link, award, awards.Confirm(badges=badges, amount=amount, also=()))
                else:
                    awards.pay(op, link, award, awards.Pay(form="check"))
            assert len(taken.texts) <= most, taken.texts
            assert taken.locks == 1
