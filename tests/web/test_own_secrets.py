"""People change their own PIN and password: with the old one, to one that is not easily guessed."""

import httpx
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.people import credentials as people
from tests.web.house import PASSWORD, PIN, House


def session(house: House, person: str, pin: str = PIN) -> httpx.Client:
    """Another session of somebody."""
    credentials = {"badge": f"B-{person}", "pin": pin, "place": "pit 2"}
    answer = httpx.post(f"{house.url}/api/v1/sign-in", json=credentials, timeout=60)
    assert answer.status_code == 200, answer.text
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    return httpx.Client(base_url=house.url, headers=headers, timeout=60)


def change(client: httpx.Client, what: str, old: str, new: str) -> httpx.Response:
    return client.post("/api/v1/me/secret", json={"what": what, "old": old, "new": new})


@pytest.mark.requirement("GL-10")
def test_somebody_changes_their_pin_and_their_other_sessions_end(house: House) -> None:
    with session(house, "dana") as here, session(house, "dana") as elsewhere, session(house, "sam") as sam:
        response = change(here, "PIN", PIN, "8406")
        assert (response.status_code, response.json()) == (200, {"person": "dana", "what": "PIN"})
        assert here.get("/api/v1/me").status_code == 200, "who has changed it works on"
        assert elsewhere.get("/api/v1/me").status_code == 401
        assert sam.get("/api/v1/me").status_code == 200, "others are not concerned"
    old = {"badge": "B-dana", "pin": PIN}
    assert house.nobody.post("/api/v1/sign-in", json=old).status_code == 401
    session(house, "dana", "8406").close()
    log = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    lines = [(row["who"], row["place"], row["after"]) for row in log if row["what"] == "new PIN"]
    assert ("dana", "pit 2", {"id": "dana"}) in lines
    assert not [row for row in log if row["who"] == "dana" and "8406" in f"{row['why']} {row['after']}"]


@pytest.mark.requirement("GL-10")
@pytest.mark.parametrize(
    ("new", "what"),
    [
        ("7777", "easily guessed"),
        ("1234", "easily guessed"),
        ("8765", "easily guessed"),
        ("8901", "easily guessed"),
        (PIN, "the old PIN"),
        ("84065", "keypads do not accept"),
        ("abcd", "not a valid PIN"),
        ("\u0661\u0662\u0663\u0665", "not a valid PIN"),
    ],
)
def test_what_is_no_good_pin_is_refused_and_the_old_one_stays(house: House, new: str, what: str) -> None:
    with session(house, "cara") as cara, session(house, "cara") as other:
        refused = change(cara, "PIN", PIN, new)
        assert (refused.status_code, refused.json()["requirement"]) == (409, "GL-10"), refused.text
        assert what in refused.json()["detail"]
        assert refused.json()["remedy"]
        assert other.get("/api/v1/me").status_code == 200, "nothing has changed"
    session(house, "cara").close()


@pytest.mark.requirement("GL-10")
@pytest.mark.parametrize(
    "common",
    [
        "1qaz2wsx3edc",
        "passwordpassword",
        "Password1234!",
        "qwertyuiop12",
        "administrator1",
        "feltworkfeltwork",
        "justinbieber",
        "eve eve eve eve",
    ],
)
def test_a_common_password_is_refused_with_a_remedy(house: House, common: str) -> None:
    with session(house, "eve") as eve:
        refused = change(eve, "password", PASSWORD, common)
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "the password is common and easily guessed",
    )
    assert refused.json()["remedy"] == "take four or more words that have nothing to do with each other"


def test_a_long_password_is_taken_whatever_its_end(house: House) -> None:
    new_password = PASSWORD + " and on along the sea until the sun goes down behind the last of the islands"
    with session(house, "emil") as emil:
        assert change(emil, "password", PASSWORD, new_password).status_code == 200


@pytest.mark.requirement("GL-10")
def test_a_password_is_changed_with_the_old_password_and_not_with_the_pin(house: House) -> None:
    new_password = "another walk by the sea"
    with session(house, "bob") as bob:
        assert change(bob, "password", PIN, new_password).status_code == 401
        short = change(bob, "password", PASSWORD, "short")
        assert (short.status_code, "at least 12" in short.json()["remedy"]) == (409, True)
        assert change(bob, "password", PASSWORD, new_password).status_code == 200
    credentials = {"badge": "B-bob", "password": PASSWORD}
    assert httpx.post(f"{house.url}/api/v1/sign-in/office", json=credentials, timeout=60).status_code == 401
    credentials["password"] = new_password
    assert httpx.post(f"{house.url}/api/v1/sign-in/office", json=credentials, timeout=60).status_code == 200
    session(house, "bob").close()


@pytest.mark.requirement("GL-10")
def test_whoever_finds_an_open_session_cannot_guess_the_old_pin(house: House) -> None:
    with session(house, "vic") as vic:
        for _ in range(people.TRIES):
            wrong = change(vic, "PIN", "0001", "8406")
            assert (wrong.status_code, wrong.json()["rule"]) == (401, "badge-and-secret")
        locked = change(vic, "PIN", PIN, "8406")
        assert (locked.status_code, "locked" in locked.json()["detail"]) == (401, True)
    with connect(house.dsn) as connection, pytest.raises(RefusedError, match="locked"):
        people.prove(connection, "B-vic", PIN, place="pit 1", source="127.0.0.1")
