"""Our own OpenAPI, fuzzed: whatever is sent, the service answers as it says and never falls over."""

from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema_rs import validator_for
from schemathesis.core.result import Ok

from tests.sizes import size
from tests.web.house import House

CASES_OF_EACH = size(2, 115)
#: One client of each kind: who may move money, who decides, who keeps the books, who reads.
_PEOPLE = ("dana", "eve", "ann", "otto")
_SLOW = ("/api/v1/links/{link}/live", "/sign-in", "/sign-in/office", "/api/v1/me/secret")


def test_every_endpoint_is_documented_with_its_refusals(house: House) -> None:
    document = house.nobody.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for path, methods in document["paths"].items():
        for method, endpoint in methods.items():
            assert endpoint["summary"], (method, path)
            assert endpoint["description"], (method, path)
            if "health" in endpoint["tags"]:
                continue
            assert {"401", "409", "422"} <= endpoint["responses"].keys(), (method, path)
    posts = {path for path, methods in document["paths"].items() if "post" in methods}
    keyed = {
        path
        for path in posts
        if any(
            parameter["name"] == "idempotency-key"
            for parameter in document["paths"][path]["post"].get("parameters", ())
        )
    }
    assert posts - keyed == {
        "/api/v1/sign-in",
        "/api/v1/sign-in/office",
        "/api/v1/sign-in/office/key",
        "/api/v1/sign-in/office/new-key",
        "/api/v1/sign-in/office/provider",
        "/api/v1/sign-out",
        "/api/v1/active",
        "/api/v1/lock",
        "/api/v1/unlock",
        "/api/v1/me/secret",
        "/api/v1/floors/check",
        "/api/v1/links/{link}/awards/{award}/badge",
    }


def test_every_answer_has_a_type_and_every_example_is_one_of_its_type(house: House) -> None:
    document = house.nobody.get("/openapi.json").json()
    operations = [
        (f"{method} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) > 40
    for name, operation in operations:
        good = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
        assert good, name
        for answer in good:
            for content in answer["content"].values():
                _verify_examples(document, content, name)
        if "requestBody" in operation:
            _verify_examples(document, operation["requestBody"]["content"]["application/json"], name)


def _verify_examples(document: dict[str, Any], content: dict[str, Any], name: str) -> None:
    """A type that says something, and examples that are of it."""
    schema = content["schema"]
    for branch in _branches(document, schema):
        assert branch.get("properties") or branch.get("type") == "string", f"{name} has no type"
        examples = [
            *branch.get("examples", ()),
            *([content["example"]] if "example" in content else ()),
            *(example["value"] for example in content.get("examples", {}).values()),
        ]
        assert examples, f"{name} has no example"
        whole = {**schema, "components": document["components"]}
        for example in examples:
            problems = [error.message for error in validator_for(whole).iter_errors(example)]
            assert problems == [], (name, example)


def _branches(document: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The types that a schema stands for: itself, what it refers to, or each of its choices."""
    if "$ref" in schema:
        return _branches(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    choices = schema.get("oneOf") or schema.get("anyOf")
    return [branch for choice in choices for branch in _branches(document, choice)] if choices else [schema]


@pytest.mark.timeout(500)
def test_no_case_makes_the_service_fall_over(house: House) -> None:
    link = house.open("fuzz")
    schema = schemathesis.openapi.from_url(f"{house.url}/openapi.json")
    statuses: Counter[int] = Counter()
    broken: list[str] = []
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path in _SLOW:
            continue

        @settings(
            max_examples=CASES_OF_EACH,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), person=st.sampled_from(_PEOPLE), real=st.booleans())
        def answers(case: schemathesis.Case[Any], person: str, real: bool) -> None:
            if real and "link" in case.path_parameters:
                case.path_parameters["link"] = link
            if case.path in ("/api/v1/lock", "/api/v1/sign-out"):
                person = "nobody"
            headers = (
                {} if person == "nobody" else {"Authorization": house.of(person).headers["Authorization"]}
            )
            answer = case.call(base_url=house.url, headers=headers)
            statuses[answer.status_code] += 1
            if answer.status_code >= 500:
                broken.append(f"{case.method} {case.path}: {answer.text[:200]}")

        answers()
    assert broken == []
    assert sum(statuses.values()) >= size(140, 5_000), statuses
    assert statuses[200], "some cases must reach the books"
    house.sound()
