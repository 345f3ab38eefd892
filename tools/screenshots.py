"""Takes the pictures of the screens for the documentation: a real house, a real browser, small files."""

import argparse
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import register_floor
from feltwork.site.books.migrate import migrate
from feltwork.site.progressive.sign_offs import TwoPersonRequest
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.demo import demo
from tests.browser.house import AQUARIUS, furnish, minor
from tests.browser.visitor import CHROMIUM, COOKIE, SIZES
from tests.web.conftest import serve
from tests.web.house import House

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
#: Name, who looks, at which screen, the address, and what is pressed before the picture is taken.
PICTURES: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = (
    ("home", "eve", "desk", "/", ()),
    ("sign_in", "", "tablet", "/sign-in", ()),
    ("sign", "", "wall", "/signs/five-card", ()),
    ("sign_one", "", "1080p", f"/signs/{AQUARIUS}", ()),
    ("sign_meters", "", "16:10", "/signs/dragon-1", ()),
    ("sign_marquee", "", "1080p", "/signs/sevens", ()),
    ("sign_portrait", "", "portrait", "/signs/five-card", ()),
    ("floor_plan_arrange", "sam", "desk", "/floor/arrange", ()),
    ("dealer_idle", "dana", "table", "/dealer/five-card/C1", ()),
    ("dealer_claim", "dana", "table", "/dealer/five-card/C2", ()),
    ("dealer_badge", "dana", "table", "/dealer/five-card/C2", ("[data-claim]",)),
    ("dealer_pin", "dana", "table", "/dealer/five-card/C2", ("[data-claim]", '[data-badge="B-sam"]')),
    ("dealer_small", "dana", "small table", "/dealer/five-card/C2", ()),
    ("dealer_aquarius", "dana", "table", f"/dealer/{AQUARIUS}/X1", ()),
    ("pit", "sam", "tablet", "/pit", ()),
    ("pit_phone", "sam", "phone", "/pit", ()),
    ("stopped", "sue", "tablet", "/meters/dragon-2", ()),
    ("person", "eve", "desk", "/people/B-sam", ()),
    ("people", "eve", "desk", "/people", ()),
    ("access_reviews", "ann", "desk", "/access-reviews", ()),
    ("manager", "eve", "desk", "/manager", ()),
    ("manager_phone", "eve", "phone", "/manager", ()),
)
#: The same of the demo, whose room has played for a while: who has signed in by badge, and what is pressed.
DEMO_PICTURES: tuple[tuple[str, str, str, str], ...] = (
    ("floor_plan", "B-eve", "/floor", ""),
    ("office", "B-ann", "/office", ""),
    ("auditor", "B-otto", "/audit", "button:has-text('Replay the books')"),
    ("workbench", "", "/workbench", ""),
    ("sign_house_jackpot", "", "/signs/house-sevens", ""),
    ("school", "", "/school/dealer/crazy_4?seed=921381236", ""),
)
_PLAYED_SECONDS = 40


@contextmanager
def furnished() -> Iterator[House]:
    """A house with claims at two tables, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-pictures-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder).start()
    try:
        with psycopg.connect(carried.dsn(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE pictures")
        migrate(carried.dsn("pictures"))
        for house in serve(carried, "pictures"):
            furnish(house)
            choose_layouts(house)
            house.start("sevens", "B1", (1, 2))
            house.claim("sevens", "B1", 2, "three_7s_diamonds")
            stop = {"cause": "suspended", "reason": "the sign shows another amount than the books"}
            house.done("sam", "/api/v1/links/dragon-2/stop", stop)
            house.done(
                "sam",
                "/api/v1/proposals",
                {"command": "resume", "link": "dragon-2", "reason": "it is mended"},
            )
            minor(house)
            yield house
    finally:
        carried.remove()


def choose_layouts(house: House) -> None:
    """Give two signs of the site another layout than the usual one."""
    with connect(house.dsn) as connection:
        row = connection.execute("SELECT body FROM books.floor ORDER BY number DESC LIMIT 1").fetchone()
        assert row is not None
        text = str(row[0])
        for link, layout in (("sevens", "marquee"), ("dragon-1", "meters")):
            text = text.replace(f'id = "{link}"\n', f'id = "{link}"\nsign = {{ layout = "{layout}" }}\n')
        register_floor(connection, text, TwoPersonRequest(by="ann", approved_by="eve", reason="pictures"))


def opened(browser: Browser, house: House, person: str, screen: str, path: str) -> Page:
    """A page as somebody sees it."""
    context = browser.new_context(**SIZES[screen], reduced_motion="reduce")
    if person:
        token = house.of(person).headers["Authorization"].removeprefix("Bearer ")
        context.add_cookies([{"name": COOKIE, "value": token, "url": house.url}])
    page = context.new_page()
    page.goto(f"{house.url}{path}")
    return page


def picture_of(page: Page) -> Image.Image:
    """What a page shows."""
    return Image.open(io.BytesIO(page.screenshot(animations="disabled", timeout=90_000))).convert("RGB")


def keep(name: str, page: Page) -> None:
    """Keep a picture, at most 1,600 points wide and a few dozen kilobytes."""
    picture = picture_of(page)
    picture.thumbnail((1_600, 1_600), Image.Resampling.LANCZOS)
    FOLDER.mkdir(exist_ok=True)
    picture.save(FOLDER / f"{name}.webp", quality=82, method=6)
    page.context.close()


def take_demo(browser: Browser, names: set[str]) -> None:
    """The home page of the demo with a claim that waits, and screens with something on them."""
    with demo() as url:
        home = browser.new_context(**SIZES["desk"]).new_page()
        home.goto(url)
        home.wait_for_timeout(_PLAYED_SECONDS * 1_000)
        home.click("#make-jackpot")
        home.wait_for_selector("#told .primary", timeout=60_000)
        if not names or "demo_home" in names:
            keep("demo_home", home)
        for name, badge, path, pressed in DEMO_PICTURES:
            if names and name not in names:
                continue
            page = browser.new_context(**SIZES["desk"], reduced_motion="reduce").new_page()
            if badge:
                page.goto(f"{url}/sign-in?next={path}")
                page.click(f'[data-demo-badge="{badge}"]')
                page.wait_for_url(f"{url}{path}")
            else:
                page.goto(f"{url}{path}")
            if pressed:
                page.click(pressed)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(1_500)
            keep(name, page)


def main() -> None:
    """Take them all, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    names = set(parser.parse_args().names)
    of_demo = {"demo_home", *(name for name, *_ in DEMO_PICTURES)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        if not names or names & of_demo:
            take_demo(browser, names)
        if not names or names - of_demo:
            with furnished() as house:
                take_house(browser, house, names)
        browser.close()


def take_house(browser: Browser, house: House, names: set[str]) -> None:
    """The screens of a house that is furnished for its pictures."""
    for name, person, screen, path, pressed in PICTURES:
        if names and name not in names:
            continue
        house.of("dana").put("/api/v1/links/five-card/tables/C1/sensors", json={"covered": [1, 2, 4, 5, 7]})
        page = opened(browser, house, person, screen, path)
        for what in pressed:
            page.click(what)
        page.wait_for_timeout(800)
        keep(name, page)
    if not names or names & {"sign_win", "win_page"}:
        sign = opened(browser, house, "", "wall", "/signs/five-card")
        sign.wait_for_timeout(1_000)
        award = house.get("otto", "/api/v1/links/five-card/awards")["awards"][-1]["id"]
        house.confirm("five-card", award, "sam")
        house.done("sue", f"/api/v1/links/five-card/awards/{award}/pay", {"form": "chips"})
        sign.wait_for_selector("#win:not([hidden])")
        sign.wait_for_timeout(1_200)
        keep("sign_win", sign)
        keep("win_page", opened(browser, house, "sam", "desk", f"/awards/{award}/win-page"))
    (award,) = (award["id"] for award in house.get("otto", "/api/v1/links/sevens/awards")["awards"])
    house.confirm("sevens", award, "sam", "eve")
    if not names or names & {"cage", "cage_award", "cage_phone", "pit_reversal"}:
        keep("cage", opened(browser, house, "cara", "table", "/cage"))
        keep("cage_award", opened(browser, house, "cara", "table", f"/cage/sevens/{award}"))
        keep("cage_phone", opened(browser, house, "cara", "phone", "/cage"))
        pit = opened(browser, house, "sue", "phone", "/pit")
        pit.click("[data-reverse]")
        keep("pit_reversal", pit)


if __name__ == "__main__":
    main()
