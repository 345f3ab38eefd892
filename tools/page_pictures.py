"""Takes a picture of every page in every language, at the size of its usual screen, into build/pictures.

Sheets of several pages side by side are in build/pictures/sheets. A page that has no picture is an error.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from fastapi.routing import APIRoute
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, FloatRect, sync_playwright

from feltwork.books.connection import connect
from feltwork.books.records.alarms import raise_alarm
from feltwork.books.rounds.parked import keep_messages
from feltwork.operations.reports.reports import REPORTS
from feltwork.problem import Problem
from feltwork.web import screens
from feltwork.web.rendering import catalog
from tests.browser.house import AQUARIUS, POSTED, minor
from tests.browser.visitor import CHROMIUM, COOKIE, SIZES
from tests.web.house import House
from tools.screenshots import furnished

FOLDER = Path("build/pictures")
#: Who looks, on which screen, and at which addresses; ``{paid}`` and others are examples of the house.
PAGES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("", "1080p", ("/signs/five-card", "/signs/sevens", f"/signs/{POSTED}", "/signs/dragon-2")),
    ("", "1080p", (f"/signs/{AQUARIUS}", "/signs/tables/C2")),
    ("", "desk", ("/", "/sign-in/office", "/signs", "/verdicts", "/rules/WA-24", "/nowhere")),
    ("", "tablet", ("/sign-in", "/school", "/school/courses/crazy_4", "/school/courses/misdeal")),
    ("", "desk", ("/school/dealer/crazy_4?seed=11", "/school/dealer/misdeal?seed=5")),
    ("", "desk", ("/school/player/crazy_4?seed=7", "/workbench", "/workbench/advise")),
    ("", "desk", ("/workbench/compare",)),
    ("dana", "table", ("/", "/me", "/dealer", "/dealer/five-card/C1", "/dealer/five-card/C2")),
    ("dana", "table", (f"/dealer/{AQUARIUS}/X1", "/dealer/dragon-1/M1", "/school", "/school/exercises/1")),
    ("sam", "tablet", ("/", "/pit", "/pit/parked", "/meters/five-card", "/meters/dragon-2")),
    ("sam", "tablet", ("/awards/{paid}/win-page?link=five-card", "/floor/arrange", "/school/trainees")),
    ("cara", "table", ("/cage", "/cage/sevens/{confirmed}", "/cage/five-card/{paid}")),
    ("eve", "phone", ("/manager", "/pit", "/floor", "/office/proposals")),
    ("eve", "desk", ("/", "/floor", "/manager", "/people", "/people/B-sam", "/service-accounts")),
    ("ivy", "desk", ("/people", "/service-accounts")),
    ("ann", "desk", ("/access-reviews", "/office", "/office/proposals", "/office/days", "/office/charts")),
    ("ann", "desk", ("/office/links/five-card", "/office/links/dragon-2", "/office/links/sevens/count")),
    ("otto", "desk", ("/audit", "/audit/verdict", "/audit/awards", "/audit/links/five-card")),
    ("otto", "desk", ("/audit/awards/five-card/{paid}", "/audit/rounds/C2/1", "/office", "/access-reviews")),
    ("otto", "desk", tuple(f"/office/reports/{name}?day=ALL&link=five-card" for name in REPORTS)),
)
#: Files, streams and parts of the workbench, which are no pages; and the way back from a sign-in provider.
_NO_PAGE = re.compile(
    r"\.(pdf|svg|toml|csv|xlsx)$|/live$|/bundle$|/certificate$|/return$|^/workbench/(goal|depth|figures)$"
)
_TALLEST = 2_400
_SHEET, _LABEL = (1_240, 1_240), 18


@contextmanager
def furnished_house() -> Iterator[tuple[House, dict[str, str]]]:
    """A house with something on every page, and its examples."""
    with furnished() as house:
        paid = house.get("otto", "/api/v1/links/five-card/awards")["awards"][-1]["id"]
        house.confirm("five-card", paid, "sam")
        house.done("sue", f"/api/v1/links/five-card/awards/{paid}/pay", {"form": "chips"})
        house.end("five-card", "C2")
        (confirmed,) = (award["id"] for award in house.get("otto", "/api/v1/links/sevens/awards")["awards"])
        house.confirm("sevens", confirmed, "sam", "eve")
        minor(house, "C2", 5)
        house.done("cara", "/api/v1/drawer/counts", {"counted": 20_000_000_000})
        house.service_token("kiosk-1", "floor:read")
        about = {"adjustment": "ADJ-7", "pool": "meter", "level": "mega", "evidence": "memo 7"}
        why = {"reason": "A sensor counted a chip twice", "lawful_reason": "MALFUNCTION_CORRECTION"}
        moved = {"command": "adjust", "link": "sevens", "change": -5_000_000}
        house.done("ann", "/api/v1/proposals", {**about, **why, **moved})
        house.done("dana", "/api/v1/training/exercises", {"course": "crazy_4"})
        broken = {"link": "dragon-2", "what": "The sign shows another amount than the books."}
        house.done("sam", "/api/v1/incidents", broken)
        problem = Problem("", "nobody is signed on at the table", "sign on at the table", "GL-10")
        with connect(house.dsn) as connection:
            keep_messages(connection, [("pictures:1", "felt.sevens.B2.round", b"junk", problem)])
            what = "5 failed sign-ins with the badge of Sam; the badge is locked there"
            raise_alarm(connection, "badge locked", "pit 1", {"what": what}, by="sign-in")
        yield house, {"paid": paid, "confirmed": confirmed}


def unpictured(paths: Sequence[str]) -> list[str]:
    """The pages of the service that are not among these."""
    addresses = [path.partition("?")[0] for path in paths]
    return [
        route.path
        for router in screens.routers()
        for route in router.routes
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not _NO_PAGE.search(route.path)
        if not any(route.path_regex.match(path) for path in addresses)
    ]


def take(
    browser: Browser, house: House, language: str, path_part: str, known: Mapping[str, str]
) -> Iterator[Path]:
    """Pictures of every page in one language."""
    for person, screen, paths in PAGES:
        context = browser.new_context(**SIZES[screen], reduced_motion="reduce")
        cookies = {"feltwork_language": language}
        if person:
            cookies[COOKIE] = house.of(person).headers["Authorization"].removeprefix("Bearer ")
        context.add_cookies(
            [{"name": name, "value": value, "url": house.url} for name, value in cookies.items()]
        )
        page = context.new_page()
        for template in paths:
            path = template.format(**known)
            if path_part not in path:
                continue
            covered = {"covered": [1, 2, 4, 5, 7]}
            house.of("dana").put("/api/v1/links/five-card/tables/C1/sensors", json=covered)
            # The first verdict of a process is computed, and a busy machine takes its time.
            page.goto(f"{house.url}{path}", timeout=240_000)
            page.wait_for_timeout(1_500 if path == "/workbench" else 300)
            stem = re.sub(r"[^a-z0-9]+", "_", path.partition("?day")[0].lower()).strip("_") or "home"
            file = FOLDER / language / f"{stem}-{person or 'visitor'}-{screen.replace(' ', '_')}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            # A report of every round is longer than a picture can be.
            height = min(_TALLEST, page.evaluate("document.documentElement.scrollHeight"))
            clip: FloatRect = {"x": 0, "y": 0, "width": SIZES[screen]["viewport"]["width"], "height": height}
            page.screenshot(path=file, full_page=True, clip=clip, animations="disabled", timeout=90_000)
            yield file
        context.close()


def sheets(pictures: Sequence[Path], language: str) -> None:
    """Join the pictures in two columns, each with its name above."""
    folder = FOLDER / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    sheet, number, tops = Image.new("RGB", _SHEET, "#808080"), 1, [0, 0]
    for file in pictures:
        picture = Image.open(file).convert("RGB")
        width = min(_SHEET[0] // 2 - 4, picture.width * 6 // 10)
        picture = picture.resize((width, picture.height * width // picture.width), Image.Resampling.LANCZOS)
        column = tops.index(min(tops))
        if tops[column] and tops[column] + picture.height + _LABEL > _SHEET[1]:
            sheet.save(folder / f"{language}-{number:02}.png")
            sheet, number, tops, column = Image.new("RGB", _SHEET, "#808080"), number + 1, [0, 0], 0
        left, top = column * (_SHEET[0] // 2 + 4), tops[column]
        ImageDraw.Draw(sheet).text((left + 4, top + 3), file.stem, fill="#ffff00")
        sheet.paste(picture, (left, top + _LABEL))
        tops[column] = top + _LABEL + picture.height
    sheet.save(folder / f"{language}-{number:02}.png")


def main() -> None:
    """Take them in every language, or some; a part of an address selects pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wanted", nargs="?", default="", help="a part of the addresses")
    parser.add_argument(
        "--language", action="append", choices=[language.id for language in catalog.languages()]
    )
    options = parser.parse_args()
    with furnished_house() as (house, known), sync_playwright() as playwright:
        missing = unpictured([path.format(**known) for *_, paths in PAGES for path in paths])
        if missing:
            sys.exit(f"no picture of: {', '.join(missing)}")
        browser = playwright.chromium.launch(**CHROMIUM)
        for language in options.language or [language.id for language in catalog.languages()]:
            pictures = list(take(browser, house, language, options.wanted, known))
            sheets(pictures, language)
            print(f"{language}: {len(pictures)} pictures")
        browser.close()


if __name__ == "__main__":
    main()
