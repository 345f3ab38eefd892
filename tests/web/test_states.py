"""Whatever state a link is in, everything that tells of it answers."""

import re
from html import unescape

import pytest

from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.links import lifecycle
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.compliance.roles import COMMANDS
from feltwork.titles import registry
from tests.progressive.room import asked
from tests.web.house import TABLES, House

_SOON = 2**53
_DAY = 24 * 3_600 * 10**6
#: Who reads what of a link, as JSON; the pages are asked for as people see them too.
_READINGS = (
    ("dana", "/api/v1/links/{link}"),
    ("dana", "/api/v1/links/{link}/tables/{table}"),
    ("dana", "/api/v1/links/{link}/awards"),
    ("otto", "/api/v1/reports/links/{link}/journal"),
    ("otto", "/api/v1/reports/links/{link}/submission"),
)
_PAGES = (
    ("dana", "/dealer/{link}/{table}"),
    ("dana", "/signs/{link}"),
    ("sam", "/pit"),
    ("cara", "/cage"),
    ("sam", "/floor"),
    ("eve", "/manager"),
    ("sam", "/meters/{link}"),
    ("ann", "/office"),
    ("ann", "/office/links/{link}"),
    ("otto", "/audit"),
    ("otto", "/audit/links/{link}"),
)
#: The same of an award.
_AWARD_PAGES = (
    ("sam", "/awards/{award}/win-page?link={link}"),
    ("otto", "/audit/awards/{link}/{award}"),
    ("otto", "/audit/rounds/{table}/1"),
    ("cara", "/cage/{link}/{award}"),
)


#: Rows of the jackpots' paytables: people read the approved name of a hand, such as Four Aces.
_ROWS = {
    row.hand
    for jackpot in registry.jackpots()
    for table in registry.library(jackpot.name).values()
    for row in table.rows
}
_ROW = "|".join(sorted(hand.replace("_", "[_-]") for hand in _ROWS if "_" in hand))
#: What only programs read: amounts in millionths, awards by their id (unless it is the number of a slip),
#: validator text, another time zone, rows of a paytable.
_INTERNAL = re.compile(
    r"\b(?!0+\b)\d{9,}\b|(?<!\$)\b\d{1,3}(?:,\d{3}){3,}\b(?!\.)|(?<!Slip )\b[A-Z]+\d+:\d+:\d+\b|\bUTC\b"
    rf"|\bNone\b(?![ .])|Input should|Field required|String should|openapi"
    rf"|\b(?:{'|'.join(name for name in COMMANDS if '_' in name)})\b"
)
_HANDS = re.compile(rf"\b(?:{_ROW})\b|(?i:four aces)(?<!Four Aces)")
#: Scripts, tags, and hashes: half of one may have no letter.
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1>|<code[^>]*>(?:[0-9a-f]|<wbr>|…)+</code>|<[^>]*>", re.DOTALL)


def internal(page: str, *, hands: bool = True) -> list[str]:
    """What a page shows to people although only programs read it, with ``hands`` rows of a paytable, too."""
    text = " ".join(unescape(_UNSEEN.sub(" ", page)).split())
    return _INTERNAL.findall(text) + (_HANDS.findall(text) if hands else [])


def _stop(house: House, link: str, cause: str) -> None:
    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": cause, "reason": f"{cause} by order"})


def _suspended(house: House, link: str) -> None:
    _stop(house, link, "suspended")


def _seized(house: House, link: str) -> None:
    _stop(house, link, "seized")


def _short(house: House, link: str) -> None:
    house.done("ann", f"/api/v1/links/{link}/count", {"bank_balance": 1})


def _stopped_for_all(house: House, link: str) -> None:
    for stopped in (_short, _suspended, _seized):
        stopped(house, link)


def _leaving(house: House, link: str) -> None:
    house.register(f"{link}-next")
    leaving = {"remove_at": _SOON, "notice_days": 30, "target": f"{link}-next"}
    house.two("ann", "eve", command="plan_removal", link=link, **leaving)


def _removed(house: House, link: str) -> None:
    house.register(f"{link}-next")
    with connect(house.dsn) as connection:
        now = read_meters(connection, link).now
        target, then = f"{link}-next", now + 11 * _DAY
        lifecycle.plan_removal(connection, link, asked(), remove_at=then, notice_days=10, target=target)
        lifecycle.remove(connection, link, asked(), at=now + 12 * _DAY)


def _capped(house: House, link: str) -> None:
    cap = {"level": "jackpot", "cap": 20_000 * DOLLAR, "rule": "at_least"}
    house.two("ann", "eve", command="set_cap", link=link, **cap)


def _in_play(house: House, link: str) -> None:
    house.start(link, _table(link))


def _claimed(house: House, link: str) -> str:
    _in_play(house, link)
    return house.claim(link, _table(link))


def _confirmed(house: House, link: str) -> str:
    award = _claimed(house, link)
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    return award


def _paid(house: House, link: str) -> str:
    award = _confirmed(house, link)
    house.record(link, award)
    house.done("cara", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"})
    return award


def _voided(house: House, link: str) -> None:
    house.void("sue", link, _claimed(house, link), "wrong hand pressed")


def _as_it_is(house: House, link: str) -> None:
    """A link that nothing has happened to."""


STATES = {
    "open": _as_it_is,
    "in-play": _in_play,
    "claimed": _claimed,
    "confirmed": _confirmed,
    "paid": _paid,
    "voided": _voided,
    "suspended": _suspended,
    "seized": _seized,
    "short": _short,
    "stopped-for-all": _stopped_for_all,
    "leaving": _leaving,
    "removed": _removed,
    "capped": _capped,
}


def _table(link: str) -> str:
    """The table of a link alone: a table that plays one link's round plays no other's."""
    return TABLES[list(STATES).index(link.removeprefix("state-"))]


def _told_everywhere(house: House, link: str, table: str, award: str = "") -> None:
    about = {"link": link, "level": "jackpot", "table": table, "round": "1", "award": award or "A-none"}
    pages = (*_PAGES, *(_AWARD_PAGES if award else ()))
    for person, path in (*_READINGS, *pages):
        house.get(person, path.format(**about))
    for person, path in pages:
        page = house.of(person).get(path.format(**about), headers={"Accept": "text/html"})
        assert page.status_code == 200, (path, page.text)
        assert not internal(page.text), (path, internal(page.text))
    for name in REPORTS:
        report = house.of("otto").get(f"/api/v1/reports/{name}", params=about)
        assert report.status_code == 200, (name, report.text)


@pytest.mark.parametrize(
    "text",
    [
        *("1000500000", "T1:4:2", "12:00 UTC", "Input should be a valid integer", "None"),
        *("royal_flush", "royal-flush", "Four aces", "10,000,720,000", "open_link"),
    ],
)
def test_what_only_programs_read_is_seen(text: str) -> None:
    assert internal(text)
    assert not internal(f'<p data-x="{text}">$1,000.50 at 5:00 PM PST, Four Aces</p>')


@pytest.mark.parametrize("state", STATES)
def test_everything_tells_of_a_link_in_every_state(house: House, state: str) -> None:
    link = house.open(f"state-{state}")
    award = STATES[state](house, link)
    # The cage has an award once it is confirmed; before that it is in the pit.
    _told_everywhere(house, link, _table(link), award if award and state != "claimed" else "")


def test_everything_tells_of_a_link_that_is_planned(house: House) -> None:
    house.register("state-planned")
    _told_everywhere(house, "state-planned", TABLES[-1])


def test_a_stopped_link_says_why_and_since_when(house: House) -> None:
    link = house.open("state-why")
    before = house.get("dana", f"/api/v1/links/{link}")
    assert (before["takes_wagers"], before["stops"]) == (True, {})
    _stopped_for_all(house, link)
    after = house.get("dana", f"/api/v1/links/{link}")
    assert after["takes_wagers"] is False
    assert after["stops"].keys() == {"shortfall", "suspended", "seized"}
    assert all(before["at"] < since <= after["at"] for since in after["stops"].values())
