"""Dates and numbers beyond every calendar: each request with one is refused, and the service goes on."""

from collections.abc import Iterator
from typing import Any

import pytest

from feltwork.site.web import screens
from tests.sizes import size
from tests.web.house import House

_FAR = (2**63, -(2**63) - 1, 10**30)
_FAR_DATES = (
    f"{2**63}-01-01",
    f"{2**63}-01-01T00:00:00Z",
    "9999-12-31",
    "9999-12-31T23:59:59.999999+14:00",
    "0001-01-01",
    "0001-01-01T00:00:00-14:00",
)
#: Streams do not end, and two others replay the books.
_NO_ANSWER = ("/live", "/bundle", "/verdict")
#: Pages with dates and numbers of the books.
_PAGES = ("/office", "/audit", "/awards", "/payouts", "/pit", "/people")
#: Parameters of pages.
_NAMES = ("day", "since", "until", "after", "limit", "cutoff", "year")
_PEOPLE = ("ann", "eve", "dana")


def _changed(body: Any) -> Iterator[Any]:
    """A body with one number or text that may be a date replaced, each in turn."""
    if isinstance(body, dict):
        for name, value in body.items():
            for other in _changed(value):
                yield {**body, name: other}
    elif isinstance(body, list):
        for place, value in enumerate(body):
            for other in _changed(value):
                yield [*body[:place], other, *body[place + 1 :]]
    elif isinstance(body, int) and not isinstance(body, bool):
        yield from _FAR
    elif isinstance(body, str) and body[:2] in ("20", "19"):
        yield from (*_FAR_DATES, *_FAR)


def _bodies(document: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for choice in schema.get("oneOf") or schema.get("anyOf") or ():
        yield from _bodies(document, choice)
    for example in schema.get("examples", ()):
        if isinstance(example, dict):
            yield example
            # Fields that are not in the example.
            dates = [name for name, field in schema.get("properties", {}).items() if "date" in str(field)]
            yield from ({**example, name: "2026-01-01T00:00:00Z"} for name in dates)


def test_no_date_or_number_of_a_body_makes_the_service_fail(house: House) -> None:
    link = house.open("far")
    document = house.nobody.get("/openapi.json").json()
    sent, failed = 0, []
    for path, methods in document["paths"].items():
        if "requestBody" not in methods.get("post", {}) or path.startswith(("/api/v1/sign-in", "/api/v1/me")):
            continue
        schema = methods["post"]["requestBody"]["content"]["application/json"]["schema"]
        for body in _bodies(document, schema):
            for number, changed in enumerate(_changed(body)):
                if "link" in changed:
                    changed["link"] = link
                address = path.replace("{link}", link).replace("{table}", "A1").replace("{number}", "1")
                answer = house.post(_PEOPLE[number % len(_PEOPLE)], address, changed)
                sent += 1
                if answer.status_code >= 500:
                    failed.append((path, changed))
    assert sent > 50
    assert failed == []


def test_no_date_or_number_of_an_address_makes_the_service_fail(house: House) -> None:
    document = house.nobody.get("/openapi.json").json()
    routes = [route for router in screens.routers() for route in router.routes]
    pages = [path for route in routes if (path := getattr(route, "path", "")).startswith(_PAGES)]
    reads = {path: methods["get"] for path, methods in document["paths"].items() if "get" in methods}
    failed, client = [], house.of("ann")
    for path in {*reads, *pages}:
        if path.endswith(_NO_ANSWER) or "{path" in path:
            continue
        known = [
            parameter["name"]
            for parameter in reads.get(path, {}).get("parameters", ())
            if parameter["in"] == "query"
        ]
        for far in (str(2**63), *_FAR_DATES[: size(1, 6)]):
            filled = path.replace("{link}", "far").replace("{name}", "meters").replace("{level}", "jackpot")
            parts = [far if part.startswith("{") else part for part in filled.split("/")]
            answer = client.get("/".join(parts), params=dict.fromkeys((*known, *_NAMES), far))
            if answer.status_code >= 500:
                failed.append((str(answer.url), answer.status_code))
    assert failed == []


@pytest.mark.parametrize("day", [f"{2**63}-01-01", "9999-12-31", "0001-01-01"])
def test_the_day_of_a_report_is_refused_or_empty(house: House, day: str) -> None:
    answer = house.of("ann").get("/reports/audit_log", params={"since": day, "until": day})
    assert answer.status_code in (200, 404, 409, 422), answer.text
