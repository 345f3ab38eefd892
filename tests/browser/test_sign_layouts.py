"""The layouts of a sign: on every display the highest meter is the largest, inside the safe area."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.house import FLOOR
from tests.browser.visitor import Tabs, serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

DISPLAYS = {"1080p": (1920, 1080), "4K": (3840, 2160), "16:10": (1920, 1200), "portrait": (1080, 1920)}
#: Each layout on a link of the example.
LAYOUTS = {"five-card": "meters", "sevens": "marquee", "dragon-1": "paytable"}
_SIZES = "[...document.querySelectorAll('.amount')].map(one => parseFloat(getComputedStyle(one).fontSize))"
#: What reaches beyond the frame of a sign or over its neighbor.
_OVERLAPS = """() => {
  const box = one => one.getBoundingClientRect();
  const parts = [...document.querySelectorAll('.frame > *')].filter(one => one.offsetParent);
  const texts = parts.flatMap(part => [...part.querySelectorAll('h1, h2, p, li, th, td')]
    .filter(one => one.offsetParent && one.textContent.trim())
    .map(one => [part, one]));
  const wrong = ([part, one]) => {
    const [inner, outer] = [box(one), box(part)];
    return inner.bottom > outer.bottom + 2 || inner.right > outer.right + 2 || inner.left < outer.left - 2;
  };
  return texts.filter(wrong).map(([, one]) => one.textContent.trim().slice(0, 40));
}"""


@pytest.fixture(scope="module")
def room(server: EmbeddedPostgres) -> Iterator[House]:
    """The example card room with a layout for each sign, and sound on one."""
    for house in serve(server, new_books(server, "sign_layouts")):
        text = FLOOR.read_text(encoding="utf-8")
        for link, layout in LAYOUTS.items():
            sound = ", sound = true" if link == "sevens" else ""
            sign = f'sign = {{ layout = "{layout}"{sound} }}'
            text = text.replace(f'id = "{link}"\n', f'id = "{link}"\n{sign}\n')
        house.open_floor(text, *LAYOUTS)
        yield house


@pytest.fixture
def look(room: House, chromium: Browser) -> Iterator[Callable[..., Page]]:
    with Tabs(chromium, room) as tabs:
        yield tabs.open


def test_the_highest_meter_is_the_largest_on_every_display(look: Callable[..., Page]) -> None:
    page = look(screen="wall")
    for link, layout in LAYOUTS.items():
        page.goto(f"/signs/{link}")
        expect(page.locator(f".wall.{layout}")).to_have_count(1)
        for name, (width, height) in DISPLAYS.items():
            page.set_viewport_size({"width": width, "height": height})
            sizes = page.evaluate(_SIZES)
            assert all(size < sizes[0] for size in sizes[1:]), (link, name, sizes)
            for turn in range(page.locator(".attract > section").count()):
                page.evaluate(
                    "turn => document.querySelectorAll('.attract > section')"
                    ".forEach((one, place) => (one.hidden = place !== turn))",
                    turn,
                )
                assert page.evaluate(_OVERLAPS) == [], (link, name, turn)
        assert serious(page) == []


def test_a_sign_stays_in_the_safe_area_while_it_shifts(look: Callable[..., Page]) -> None:
    page = look(screen="wall")
    page.clock.install()
    page.goto("/signs/five-card")
    positions = set()
    for _ in range(10):
        box = page.locator("#frame").bounding_box()
        assert box is not None
        positions.add((round(box["x"]), round(box["y"])))
        assert box["x"] >= 0.035 * 3840 - 1
        assert box["y"] >= 0.035 * 2160 - 1
        assert box["x"] + box["width"] <= 0.965 * 3840 + 1
        assert box["y"] + box["height"] <= 0.965 * 2160 + 1
        page.clock.run_for(60_000)
    assert len(positions) == 9, "the picture does not burn in"


def test_pages_take_turns_beside_the_meters(look: Callable[..., Page]) -> None:
    page = look(screen="desk")
    page.clock.install()
    page.goto("/signs/five-card")
    expect(page.locator(".pays")).to_be_visible()
    page.clock.run_for(31_000)
    expect(page.locator(".awards")).to_be_visible()
    expect(page.locator(".awards")).to_contain_text("Royal Flush")
    expect(page.locator(".pays")).to_be_hidden()
    page.clock.run_for(13_000)
    expect(page.locator(".rules")).to_contain_text("Make the $1.00 jackpot wager before the cards are dealt.")
    page.clock.run_for(17_000)
    expect(page.locator(".pays")).to_be_visible()  # no recent wins, so that page is left out


def test_a_win_sounds_where_the_floor_file_asks_for_it(room: House, look: Callable[..., Page]) -> None:
    count = """() => {
      window.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...at) { window.tones += 1; start.apply(this, at); };
    }"""
    loud, quiet = look("/signs/sevens", screen="desk"), look("/signs/five-card", screen="desk")
    for page in (loud, quiet):
        page.evaluate(count)
    for link, table, hand in (("sevens", "B1", "three_7s_same_color"), ("five-card", "C1", "four_of_a_kind")):
        room.start(link, table, (1, 2))
        assert room.confirm(link, room.claim(link, table, 1, hand), "sam").status_code == 200
    for page in (loud, quiet):
        expect(page.locator("#win-flag")).to_have_text("Winner")
    assert loud.evaluate("window.tones") == 5
    assert quiet.evaluate("window.tones") == 0, "off by default"
