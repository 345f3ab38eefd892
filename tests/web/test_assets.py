"""Static files: a browser gets the scripts and styles of a screen, and nothing else from its folder."""

from starlette.staticfiles import StaticFiles

from feltwork.site.web.rendering.assets import Assets
from tests.web.house import House


def test_a_browser_loads_scripts_and_styles_of_screens_only(house: House) -> None:
    for path in ("base.css", "pit.js", "pit.css"):
        assert house.nobody.get(f"/static/{path}").status_code == 200, path
    for path in ("page.py", "pit.html", "__init__.py", "..%2Fscreens%2Fpit%2Fpage.py"):
        assert house.nobody.get(f"/static/{path}").status_code == 404, path


def test_a_request_leaves_nothing_behind_for_another_thread() -> None:
    """The look-up of the shared folder may run between the two steps of another request."""
    assets = Assets()
    assert assets.lookup_path("pit.js")[1] is not None
    assert StaticFiles.lookup_path(assets, "pit.html")[1] is None
