"""A parked message in the browser: the pit asks to post it again, accounting approves, and the alarm ends."""

import time

import pytest
from playwright.sync_api import expect

from feltwork.money import DOLLAR
from feltwork.problem import Problem
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.people.credentials import token_hash
from feltwork.site.books.tables.parked import keep_messages
from feltwork.site.books.watch.alarms import raise_alarm
from feltwork.site.compliance.floor import link_from_floor
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import RoundStarted, encode
from tests.browser.conftest import Visit
from tests.browser.visitor import fits
from tests.web.house import House

SIGN_ON = b"""
INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)
VALUES (%s, 'dana', 'dealer', 'B1', clock_timestamp() + interval '8 hours')
"""


@pytest.mark.requirement("GL-12", "GEN-19")
def test_two_people_post_a_parked_message_and_dismiss_another(house: House, visit: Visit) -> None:
    with connect(house.dsn) as connection:
        floor = floor_in_force(connection)
        link = next(link for link in floor.links if link.id == "sevens")
        start = RoundStarted(
            link="sevens",
            at=time.time_ns() // 1_000,
            table="B1",
            round=1,
            step=0,
            sign_on="late@B1",
            wager=DOLLAR,
            seats=(1, 4),
            version=link_from_floor(floor, link).fingerprint,
        )
        problem = Problem("", "nobody is signed on at the table", "sign on, and press again", "GL-10")
        subject = subject_of(start)
        keep_messages(connection, [("b:1", subject, encode(start), problem), ("b:2", subject, b"?", problem)])
        details = {"what": problem.what, "remedy": problem.remedy}
        raise_alarm(connection, "parked message", subject, details, by="test")
        connection.execute(SIGN_ON, (token_hash("late@B1"),))
    pit = visit("/pit", person="sam", screen="tablet")
    alarm = pit.locator('[data-alarm="parked message"]', has_text="table B1")
    alarm.get_by_role("link", name="Parked messages").click()
    message = pit.locator("[data-parked]", has_text="round 1")
    expect(message).to_contain_text("Nobody is signed on at the table.")
    expect(message).to_contain_text("seats 1, 4")
    fits(pit)
    message.get_by_label("Reason").fill("Dana's badge was registered late")
    message.get_by_role("button", name="Propose").click()
    expect(message).to_contain_text("someone else must approve")
    junk = pit.locator("[data-parked]", has_text="unreadable")
    expect(junk.locator("option")).to_have_count(1)  # it can only be dismissed
    junk.get_by_label("Reason").fill("the controller was replaced")
    junk.get_by_role("button", name="Propose").click()
    expect(junk).to_contain_text("someone else must approve")

    before = house.get("ann", "/api/v1/links/sevens")["meters"]
    office = visit("/office", person="ann", screen="desk")
    office.locator("main").get_by_role("link", name="Parked messages").click()
    expect(office.locator("[data-parked]")).to_have_count(2)
    for left in (1, 0):
        office.get_by_role("button", name="Approve").first.click()
        expect(office.locator("[data-parked]")).to_have_count(left)
    expect(office.get_by_text("No parked messages.")).to_be_visible()
    assert house.get("ann", "/api/v1/links/sevens")["meters"] != before
    pit.goto("/pit")
    expect(pit.locator("h1").first).to_be_visible()
    expect(alarm).to_have_count(0)
