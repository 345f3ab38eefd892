"""A crawler: every page that anybody can reach by links, on a site with a link in every state."""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx
import pytest
from fastapi.routing import APIRoute

from feltwork.problem import Problem
from feltwork.site.books.connection import connect
from feltwork.site.books.tables.parked import keep_messages
from feltwork.site.compliance.requirements import REQUIREMENTS
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web import screens
from tests.sizes import NIGHTLY
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House
from tests.web.test_states import STATES, internal

#: The visitor and people of roles that see different pages, each with the pages they open by address.
PEOPLE: dict[str, tuple[str, ...]] = {
    "": (
        "/signs/tables/D1",
        "/workbench/compare",
        "/workbench/depth",
        "/school/dealer/crazy_4",
        "/school/player/crazy_4",
    ),
    "dana": ("/school/exercises/1",),
    "sam": (),
    "cara": (),
    "ivy": (),
    "ann": (),
    "otto": ("/office/proposals",),
}
_HTML = {"Accept": "text/html"}
_LINK = re.compile(r"""(?:href|hx-get)=["']([^"'#]+)""")
_CODE = re.compile(r"\b[A-Z]{2,3}-\d{2}\b")
#: Parameters that show another example of the same page.
_SAME_PAGE = ("seed", "next", "day", "after")
#: Every link of this site is on every table, whose page has them all: one is enough, and test_states has the
#: others. So is one game of the school: others count their odds for a minute.
_EXAMPLE = re.compile(r"^(/dealer|/signs/tables|/school/dealer|/school/player)/.+$")
#: And every link and course at night, otherwise one of each with all its pages.
_ONE_OF_EACH = re.compile(r"^(/office/links|/audit/links|/meters|/school/courses)/[^/]+")
#: Files and streams, which are no pages, and the way back from a sign-in provider.
_NO_PAGE = re.compile(r"\.(pdf|svg|toml|csv|xlsx)$|/live$|/bundle$|/certificate$|/return$")


@pytest.fixture(scope="module")
def room(server: EmbeddedPostgres) -> Iterator[House]:
    """A site with a link in every state, one link that is not open yet, and a message that is parked."""
    for house in serve(server, new_books(server, "web_crawl")):
        for state, bring in STATES.items():
            bring(house, house.open(f"state-{state}"))
        house.register("state-planned")
        problem = Problem("", "nobody is signed on at the table", "sign on at the table", "GL-10")
        house.done("dana", "/api/v1/training/exercises", {"course": "crazy_4"})
        with connect(house.dsn) as connection:
            keep_messages(connection, [("crawl:1", "felt.state-planned.A1.round", b"junk", problem)])
        yield house


class _Unlinked(HTMLParser):
    """Rule codes that a page shows and does not link to their explanation."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._within: list[str] = []
        self.codes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("a", "script", "style", "title"):
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._within:
            self._within.remove(tag)

    def handle_data(self, data: str) -> None:
        if not self._within:
            self.codes |= REQUIREMENTS.keys() & set(_CODE.findall(data))


class Crawler:
    """Follows every link of every page as one person."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._seen: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
        self.paths: set[str] = set()
        self.wrong: list[str] = []

    def crawl(self, *start: str) -> None:
        """Visit everything that can be reached from some addresses."""
        waiting = list(start)
        while waiting:
            address = waiting.pop()
            at = urlsplit(address)
            chosen = tuple(pair for pair in parse_qsl(at.query) if pair[0] not in _SAME_PAGE)
            example = _EXAMPLE.sub(r"\1/*", at.path)
            page = (example if NIGHTLY else _ONE_OF_EACH.sub(r"\1/*", example), chosen)
            if page in self._seen or at.path.startswith("/static/") or _NO_PAGE.search(at.path):
                continue
            self._seen.add(page)
            waiting += self._visit(address)

    def _visit(self, address: str) -> list[str]:
        answer = self._client.get(address, headers=_HTML, follow_redirects=True)
        if answer.status_code != 200:
            self.wrong.append(f"{address}: {answer.status_code}")
        if not answer.headers["content-type"].startswith("text/html"):
            return []
        self.paths.add(answer.url.path)
        hands = not address.startswith(("/workbench", "/verdicts", "/school"))
        self.wrong += [f"{address} shows {text!r}" for text in internal(answer.text, hands=hands)]
        if not address.startswith("/rules/") and _CODE.search(answer.text):
            self.wrong += [f"{address} shows {code} without a link" for code in _Unlinked(answer.text).codes]
        links = (urljoin(address, unescape(link)) for link in _LINK.findall(answer.text))
        return [link for link in links if link.startswith("/")]


@pytest.fixture(scope="module")
def crawlers(room: House) -> dict[str, Crawler]:
    """Everything that a visitor and people of some roles can reach; the other roles see no other pages."""
    crawlers = {person: Crawler(room.of(person) if person else room.nobody) for person in PEOPLE}
    for person, crawler in crawlers.items():
        crawler.crawl("/", *PEOPLE[person])
    return crawlers


@pytest.mark.requirement("WA-30")
@pytest.mark.parametrize("person", PEOPLE)
def test_nothing_internal_is_shown_and_every_link_may_be_followed(
    crawlers: dict[str, Crawler], person: str
) -> None:
    assert crawlers[person].wrong == []


def test_every_page_is_reached_by_somebody(crawlers: dict[str, Crawler]) -> None:
    reached = {path for crawler in crawlers.values() for path in crawler.paths}
    pages = [
        route
        for router in screens.routers()
        for route in router.routes
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not _NO_PAGE.search(route.path)
    ]
    assert len(pages) > 25
    unseen = [route.path for route in pages if not any(route.path_regex.match(path) for path in reached)]
    assert unseen == []
