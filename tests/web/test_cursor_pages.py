"""Pages of lists: every list has a cursor, and following it shows each item once."""

from typing import Any

from tests.web.house import House

#: Lists that are parts of one thing, or the last few, or rows of a report by entry number and day.
_WHOLE = {
    "/api/v1/days/{day}",
    "/api/v1/payouts/{link}/{award}",
    "/api/v1/people/{badge}/may",
    "/api/v1/reports/verdict",
    "/api/v1/training",
}


def test_every_list_has_a_cursor(house: House) -> None:
    document = house.nobody.get("/openapi.json").json()
    lists, paged = set(), set()
    for path, methods in document["paths"].items():
        operation = methods.get("get")
        schema = operation and operation["responses"]["200"]["content"].get("application/json", {}).get(
            "schema"
        )
        if not schema or "$ref" not in schema:
            continue
        view = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if any("$ref" in field.get("items", {}) for field in view["properties"].values()):
            lists.add(path)
        if {"limit", "cursor"} <= {parameter["name"] for parameter in operation.get("parameters", ())}:
            paged.add(path)
    assert len(paged) > 10
    assert lists - paged == _WHOLE


def test_following_the_cursor_shows_everything_once(house: House) -> None:
    links = [house.open(f"paged-{number}") for number in range(5)]
    for table in ("A1", "D1", "H1"):
        house.start(links[0], table)
        house.claim(links[0], table)
    for path, name in (
        ("/api/v1/links", "links"),
        ("/api/v1/people", "people"),
        (f"/api/v1/links/{links[0]}/awards", "awards"),
        ("/api/v1/floors", "floors"),
    ):
        whole = house.get("otto", path)[name]
        for limit in (1, 2, len(whole)):
            assert _follow(house, f"{path}?limit={limit}", name) == whole, path
    assert "link" not in house.of("otto").get("/api/v1/links").headers


def _follow(house: House, path: str, name: str) -> list[Any]:
    rows: list[Any] = []
    while True:
        answer = house.of("otto").get(path)
        assert answer.status_code == 200, answer.text
        rows += answer.json()[name]
        if "next" not in answer.links:
            return rows
        path = answer.links["next"]["url"]


def test_a_cursor_that_names_nothing_is_refused_and_leaves_nothing_out(house: House) -> None:
    for cursor in ("x", "%00", "bm9uZQ", "é", "a" * 200):
        answer = house.of("otto").get("/api/v1/links", params={"cursor": cursor})
        assert (answer.status_code, answer.json()["detail"]) == (409, "the list has changed"), cursor
    for limit in ("0", "1001", "x"):
        wrong = house.of("otto").get("/api/v1/links", params={"limit": limit})
        assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["limit"])
