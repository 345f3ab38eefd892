"""The security key of the office, with a key in software that signs for real."""

from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.authenticator import Authenticator
from tests.web.conftest import serve
from tests.web.house import PASSWORD, PIN, House

ORIGIN = "http://localhost:8017"
PROPOSAL = {"command": "manage_people", "act": "give_badge", "reason": "lost"}


@pytest.fixture(scope="module")
def strict(server: EmbeddedPostgres) -> Iterator[House]:
    """A house whose office takes security keys; eve, ivy and ann may have one."""
    for house in serve(server, new_books(server, "web_keys"), security_key="required", origin=ORIGIN):
        for person in ("eve", "ivy", "ann", "bob", "emil"):
            house.grant_key(person)
        yield house


def knock(house: House, person: str) -> httpx.Response:
    credentials = {"badge": f"B-{person}", "password": PASSWORD}
    return httpx.post(f"{house.url}/api/v1/sign-in/office", json=credentials, timeout=60)


def send(house: House, where: str, ticket: str, credential: dict[str, Any]) -> httpx.Response:
    body = {"ticket": ticket, "credential": credential}
    return httpx.post(f"{house.url}/api/v1/sign-in/office/{where}", json=body, timeout=60)


def make(house: House, person: str, *, attestation: str = "none") -> Authenticator:
    """Somebody's new key, registered at the first sign-in."""
    key = Authenticator(ORIGIN)
    response = knock(house, person)
    assert (response.status_code, response.json()["needs"]) == (202, "new_security_key"), response.text
    assert "set-cookie" not in response.headers, "the password alone opens nothing"
    credential = key.make(response.json()["options"], attestation=attestation)
    registration = send(house, "new-key", response.json()["ticket"], credential)
    assert registration.status_code == 200, registration.text
    return key


def enter(house: House, person: str, key: Authenticator) -> httpx.Response:
    attempt = knock(house, person).json()
    assert attempt["needs"] == "security_key"
    return send(house, "key", attempt["ticket"], key.sign(attempt["options"]))


def refused(answer: httpx.Response, what: str) -> None:
    problem = answer.json()
    assert (answer.status_code, problem["rule"], problem["requirement"]) == (401, "security-key", "GL-10"), (
        problem
    )
    assert what in problem["detail"]
    assert problem["remedy"]
    assert "set-cookie" not in answer.headers


@pytest.mark.requirement("GL-10")
def test_two_with_keys_give_a_third_one_and_take_it_away(strict: House) -> None:
    eve, ivy = make(strict, "eve"), make(strict, "ivy", attestation="packed")
    for person, key in (("eve", eve), ("ivy", ivy)):
        answer = enter(strict, person, key)
        assert answer.status_code == 200, answer.text
        assert answer.json()["person"] == person
        headers = {"Authorization": f"Bearer {answer.json()['token']}"}
        strict._clients[person] = httpx.Client(base_url=strict.url, headers=headers, timeout=60)
    refused(knock(strict, "cara"), "you have none registered")
    managing = {"command": "manage_people", "person": "cara"}
    strict.two("ivy", "eve", **managing, act="grant_secret", what="security key")
    cara = make(strict, "cara")
    assert enter(strict, "cara", cara).status_code == 200
    (name,) = strict.get("ivy", "/api/v1/people/B-cara")["keys"]
    strict.two("ivy", "eve", **managing, act="take_key", key=name)
    refused(knock(strict, "cara"), "you have none registered")


@pytest.mark.requirement("GL-10")
def test_a_pin_is_enough_at_the_table_and_not_for_the_office(strict: House) -> None:
    credentials = {"badge": "B-emil", "pin": PIN}
    token = httpx.post(f"{strict.url}/api/v1/sign-in", json=credentials, timeout=60).json()["token"]
    with httpx.Client(base_url=strict.url, headers={"Authorization": f"Bearer {token}"}) as emil:
        assert emil.get("/api/v1/links").status_code == 200
        headers = {"Idempotency-Key": strict.key()}
        response = emil.post(
            "/api/v1/proposals", json={**PROPOSAL, "person": "sam", "badge": "B-x"}, headers=headers
        )
        assert (response.status_code, response.json()["rule"]) == (403, "security-key")
        stop = emil.post(
            "/api/v1/links/none/stop",
            json={"cause": "suspended", "reason": "x"},
            headers={"Idempotency-Key": strict.key()},
        )
        assert stop.status_code == 404, "the commands of the floor need no key"


@pytest.mark.requirement("GL-10")
def test_what_a_thief_may_try_with_a_key(strict: House) -> None:
    ann, bob = make(strict, "ann"), make(strict, "bob")
    elsewhere = ann.cloned()
    elsewhere.origin = "http://localhost.evil.example"
    refused(enter(strict, "ann", elsewhere), "another address")
    refused(enter(strict, "ann", bob), "belongs to someone else")
    attempt = knock(strict, "ann").json()
    signed = ann.sign(attempt["options"])
    assert send(strict, "key", attempt["ticket"], signed).status_code == 200
    refused(send(strict, "key", attempt["ticket"], signed), "attempt was already used")
    later = knock(strict, "ann").json()
    refused(send(strict, "key", later["ticket"], signed), "another challenge")
    refused(send(strict, "key", later["ticket"], ann.sign(later["options"])), "attempt was already used")
    forged = Authenticator(ORIGIN)
    forged.id, forged.counter = ann.id, ann.counter
    refused(enter(strict, "ann", forged), "signature is wrong")
    copy = ann.cloned()
    assert enter(strict, "ann", ann).status_code == 200
    refused(enter(strict, "ann", copy), "may have been copied")
    assert enter(strict, "ann", ann).status_code == 200, "the key itself goes on until it is taken away"
    host = ann.cloned()
    host.host = "evil.example"
    refused(enter(strict, "ann", host), "signature is wrong")
    other = knock(strict, "bob").json()
    refused(send(strict, "new-key", other["ticket"], bob.make(other["options"])), "attempt was already used")
    refused(send(strict, "key", "no-such-ticket", bob.sign(other["options"])), "attempt was already used")
    log = [
        row["why"] for row in strict.get("otto", "/api/v1/reports/audit_log")["rows"] if row["who"] == "ann"
    ]
    assert "the security key's counter went backward, so the key may have been copied" in log


@pytest.mark.requirement("GL-10")
def test_a_key_is_registered_once_and_only_where_it_was_granted(strict: House) -> None:
    attempt = knock(strict, "emil").json()
    away = Authenticator("http://localhost:9999")
    refused(send(strict, "new-key", attempt["ticket"], away.make(attempt["options"])), "another address")
    key = make(strict, "emil")
    assert knock(strict, "emil").json()["needs"] == "security_key", "the leave is used up"
    strict.grant_key("emil", "second")
    again = knock(strict, "emil").json()
    assert again["needs"] == "new_security_key"
    refused(
        send(strict, "new-key", again["ticket"], key.make(again["options"])),
        "this security key is already registered",
    )


@pytest.mark.requirement("GL-10")
def test_the_database_itself_refuses_a_counter_that_goes_back(
    strict: House, server: EmbeddedPostgres
) -> None:
    strict.grant_key("sue")
    make(strict, "sue")
    with psycopg.connect(server.dsn("web_keys"), autocommit=True) as superuser:
        row = superuser.execute(
            "SELECT key, max(counter) FROM books.security_key_use GROUP BY key"
        ).fetchone()
        assert row is not None
        with pytest.raises(psycopg.errors.CheckViolation, match="the counter went"):
            superuser.execute("INSERT INTO books.security_key_use (key, counter) VALUES (%s, %s)", row)
        with pytest.raises(psycopg.errors.RestrictViolation):
            superuser.execute("DELETE FROM books.security_key_use")


@pytest.mark.requirement("GL-10")
def test_a_pin_does_not_unlock_a_session_that_began_with_a_key(strict: House) -> None:
    strict.grant_key("otto", "second")
    key = make(strict, "otto")
    entered = enter(strict, "otto", key).json()
    headers = {"Authorization": f"Bearer {entered['token']}"}
    with httpx.Client(base_url=strict.url, headers=headers, timeout=60) as otto:
        page = otto.get("/", headers={"Accept": "text/html"}).text
        assert 'href="/sign-in/office?next=' in page
        assert 'name="pin"' not in page
        assert otto.post("/api/v1/lock").status_code == 200
        refused(otto.post("/api/v1/unlock", json={"pin": PIN}), "a PIN does not unlock")
        assert otto.get("/api/v1/me").json()["rule"] == "session-locked"
    assert enter(strict, "otto", key).status_code == 200
