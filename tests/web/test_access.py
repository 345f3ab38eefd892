"""Access: every endpoint against every role, and everything that somebody might try."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from feltwork import __version__
from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.compliance.roles import ROLES
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import JSON, PASSWORD, PEOPLE, PIN, ROLE, House

_TABLE = "/api/v1/links/{link}/tables/T9"
_BADGE = {"badge": "B-sam", "pin": PIN}
_SHOWN = {"badges": [_BADGE], "amount": 0}
_AWARD = "/api/v1/links/{link}/awards/A-none"
_PAYOUT = "/api/v1/payouts/{link}/A-none"
_RECORD = {
    "payee": "Pat Patron",
    "cards": "As Ah Ad Ac 2c",
    "identity": {"documents": 2, "photo": True, "taxpayer_number": True},
    "address": "1 Main St, Olympia WA 98501",
    "taxpayer": "900-00-1234",
}
_ADJUST = {
    "command": "adjust",
    "link": "matrix",
    "reason": "as agreed",
    "adjustment": "ADJ-9",
    "lawful_reason": "HOUSE_ADDITION",
    "pool": "meter",
    "level": "jackpot",
    "change": 500 * DOLLAR,
    "evidence": "memo",
}
_INSTALLATION = {"what": "release 2", "begins_at": "2099-01-01T06:00:00Z", "notice": "by letter"}
_REVERSE = {"command": "reverse", "award": "A-none", "adjustment": "R-9", "evidence": "camera"}
_ALL = tuple(ROLES)
_READERS = ("executive", "accounting", "surveillance", "auditor")
_OVERSEERS = ("supervisor", "executive", "accounting", "it")
#: Method, path, body, and who may, written down by hand: not read from the rules that are tested.
MATRIX: tuple[tuple[str, str, Any, tuple[str, ...]], ...] = (
    ("GET", "/api/v1/me", None, _ALL),
    # Everybody for themself: the proof is taken and the new PIN is not, so that nobody here loses a session.
    ("POST", "/api/v1/me/secret", {"what": "PIN", "old": PIN, "new": "1111"}, _ALL),
    ("POST", "/api/v1/me/language", {"language": "en"}, _ALL),
    ("GET", "/api/v1/links", None, _ALL),
    ("GET", "/api/v1/links/{link}", None, _ALL),
    ("GET", _TABLE, None, _ALL),
    ("GET", "/api/v1/links/{link}/awards", None, _ALL),
    ("GET", _AWARD, None, _ALL),
    ("GET", "/api/v1/floors", None, _ALL),
    ("GET", "/api/v1/people", None, (*_READERS, "it")),
    ("GET", "/api/v1/people/B-none", None, (*_READERS, "it")),
    ("GET", "/api/v1/people/B-none/may", None, _ALL),
    ("POST", "/api/v1/people/B-none/secret", {"enrollment": "P-none", "secret": "1234"}, ("executive", "it")),
    ("GET", "/api/v1/service-accounts", None, (*_READERS, "it")),
    ("POST", "/api/v1/service-accounts/S-none/tokens", {"grant": "P-none"}, ("executive", "it")),
    ("POST", "/api/v1/service-accounts/S-none/tokens/K-none/revoke", None, ("executive", "it")),
    ("GET", "/api/v1/webhooks", None, (*_READERS, "it")),
    ("POST", "/api/v1/webhooks/W-none/secret", None, ("executive", "it")),
    ("GET", "/api/v1/proposals", None, _ALL),
    ("GET", "/api/v1/proposals/P-none", None, _ALL),
    ("GET", "/api/v1/reports/counters", None, _READERS),
    ("GET", "/api/v1/reports/links/{link}/journal", None, _READERS),
    ("GET", "/api/v1/reports/links/{link}/submission", None, _READERS),
    ("GET", "/api/v1/reports/verdict", None, _READERS),
    ("GET", "/api/v1/reports/cash", None, _READERS),
    ("GET", "/api/v1/reports/record_retention", None, _READERS),
    ("GET", "/api/v1/days/2026-11-01", None, _READERS),
    ("POST", "/api/v1/days/2026-11-01/close", {"explanations": {}}, ("accounting",)),
    ("GET", "/api/v1/access-reviews", None, (*_READERS, "it")),
    ("POST", "/api/v1/access-reviews", {"says": "everybody works here", "answers": {}}, ("accounting",)),
    ("GET", "/api/v1/installations", None, _ALL),
    ("GET", "/api/v1/installations/99999", None, _ALL),
    ("POST", "/api/v1/installations", _INSTALLATION, ("executive", "it")),
    ("POST", "/api/v1/installations/99999/end", {"outcome": "done", "says": "well"}, ("executive", "it")),
    ("POST", "/api/v1/floors/check", {"floor": "x = 1"}, ("executive", "accounting")),
    (
        "POST",
        "/api/v1/floors/plan",
        {"places": [{"table": "T9", "column": 1, "row": 1}]},
        ("supervisor", "executive"),
    ),
    ("GET", "/api/v1/tables/T9", None, _ALL),
    ("POST", "/api/v1/tables/T9/start", {"wagers": {"matrix": [1]}, "players": [1]}, ("dealer",)),
    ("POST", "/api/v1/tables/T9/end", None, ("dealer",)),
    ("POST", "/api/v1/tables/T9/misdeal", {"reason": "a card short"}, ("supervisor", "executive")),
    ("POST", "/api/v1/tables/T9/takeover", {}, ("supervisor", "executive")),
    ("PUT", f"{_TABLE}/sensors", {"covered": [1]}, ("dealer",)),
    ("POST", f"{_TABLE}/correct", {"seat": 1, "wagered": False}, ("dealer", "supervisor", "executive")),
    ("POST", f"{_TABLE}/hand", {"seat": 1, "hand": "four_aces"}, ("dealer",)),
    ("POST", f"{_TABLE}/fold", {"seat": 1, "folded": True}, ("dealer",)),
    ("POST", f"{_TABLE}/key", {"to": "RUN"}, ("supervisor", "executive")),
    ("POST", f"{_AWARD}/confirm", _SHOWN, _ALL),
    ("POST", f"{_AWARD}/badge", _BADGE, _ALL),
    ("POST", f"{_AWARD}/pay", {"form": "cash"}, ("supervisor", "executive", "cage")),
    ("POST", f"{_AWARD}/cards", {"cards": "As Ah Ad Ac 2c"}, ("supervisor", "executive", "cage")),
    ("POST", f"{_AWARD}/void", {"reason": "not the hand", "shown": _BADGE}, _ALL),
    ("GET", _PAYOUT, None, _ALL),
    ("POST", _PAYOUT, _RECORD, ("supervisor", "executive", "cage")),
    ("POST", f"{_PAYOUT}/steps/seal", {"note": "box 4"}, ("supervisor", "executive", "cage")),
    ("GET", "/api/v1/training", None, ("dealer", "supervisor", "executive")),
    ("GET", "/api/v1/training/trainees", None, ("supervisor", "executive")),
    ("POST", "/api/v1/training/exercises", {"course": "crazy_4"}, ("dealer", "supervisor", "executive")),
    ("POST", "/api/v1/training/exercises/99999/answers", {"place": 0}, ("dealer", "supervisor", "executive")),
    ("GET", "/api/v1/reports/dealer_training", None, _READERS),
    ("POST", "/api/v1/exclusions", {"people": "Pat,1980-02-29,"}, ("executive",)),
    ("GET", "/api/v1/reports/confiscations", None, _READERS),
    ("POST", "/api/v1/drawer/counts", {"counted": DOLLAR}, ("cage",)),
    ("POST", f"{_PAYOUT}/slip", None, ("supervisor", "executive", "cage")),
    (
        "POST",
        "/api/v1/alarms/clear",
        {"kind": "tray difference", "place": "table T9", "reason": "counted"},
        ("supervisor", "executive", "it"),
    ),
    ("GET", "/api/v1/alarms/parked", None, _ALL),
    ("GET", "/api/v1/notifications", None, _OVERSEERS),
    ("POST", "/api/v1/notifications/99999/acknowledge", None, _OVERSEERS),
    ("GET", "/api/v1/incidents", None, _ALL),
    ("GET", "/api/v1/incidents/99999", None, _ALL),
    (
        "POST",
        "/api/v1/incidents",
        {"what": "no light"},
        ("dealer", "supervisor", "executive", "accounting", "it"),
    ),
    ("POST", "/api/v1/incidents/99999/notified", {"says": "by letter"}, ("executive", "accounting")),
    ("POST", "/api/v1/incidents/99999/closed", {"says": "a cable"}, ("executive", "accounting")),
    (
        "POST",
        "/api/v1/links/{link}/stop",
        {"cause": "suspended", "reason": "test"},
        ("supervisor", "executive"),
    ),
    ("POST", "/api/v1/links/{link}/count", {"bank_balance": 10**13}, ("accounting",)),
    ("POST", "/api/v1/proposals", _ADJUST, ("accounting",)),
    (
        "POST",
        "/api/v1/proposals",
        {**_REVERSE, "link": "matrix", "reason": "short deck"},
        ("supervisor", "accounting"),
    ),
    (
        "POST",
        "/api/v1/proposals",
        {"command": "open_link", "link": "matrix", "reason": "go"},
        ("executive", "accounting"),
    ),
    (
        "POST",
        "/api/v1/proposals",
        {"command": "resume", "link": "matrix", "reason": "go"},
        ("supervisor", "executive"),
    ),
    (
        "POST",
        "/api/v1/proposals",
        {"command": "reconfigure", "floor": "x = 1", "reason": "go"},
        ("executive", "accounting"),
    ),
    (
        "POST",
        "/api/v1/proposals",
        {"command": "book_parked", "parked": 99_999, "reason": "go"},
        ("supervisor", "executive", "accounting"),
    ),
    (
        "POST",
        "/api/v1/proposals",
        {"command": "dismiss_parked", "parked": 99_999, "reason": "go"},
        ("supervisor", "executive", "accounting"),
    ),
    (
        "POST",
        "/api/v1/proposals",
        {"command": "manage_people", "act": "shut_out", "person": "gus", "reason": "left"},
        ("executive", "it"),
    ),
    ("POST", "/api/v1/proposals/P-none/approve", {"fingerprint": "0" * 64}, _ALL),
    ("POST", "/api/v1/proposals/P-none/decline", {"reason": "no"}, _ALL),
    ("POST", "/api/v1/active", None, _ALL),
    ("POST", "/api/v1/lock", None, _ALL),
    ("POST", "/api/v1/sign-out", None, _ALL),
)
_OPEN = {
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v1/sign-in",
    "/api/v1/sign-in/office",
    "/api/v1/sign-in/office/key",
    "/api/v1/sign-in/office/new-key",
    "/api/v1/sign-in/office/provider",
    "/api/v1/unlock",
}


@pytest.fixture(scope="module")
def matrix(house: House) -> str:
    return house.open("matrix")


@pytest.mark.requirement("WA-30", "TR-04")
@pytest.mark.parametrize(("method", "path", "body", "who"), MATRIX)
def test_every_endpoint_against_every_role(
    house: House, matrix: str, method: str, path: str, body: Any, who: tuple[str, ...]
) -> None:
    url = path.format(link=matrix)
    for person in {role: person for person, role in ROLE.items()}.values():
        headers = {"Idempotency-Key": house.key()}
        if path in ("/api/v1/lock", "/api/v1/sign-out"):
            headers["Authorization"] = f"Bearer {house.token(person)}"
        answer = house.of(person).request(method, url, json=body, headers=headers)
        if ROLE[person] in who:
            assert answer.status_code in (200, 404, 409), (person, answer.text)
        else:
            assert answer.status_code == 403, (person, answer.text)
            assert answer.json().keys() >= {
                "type",
                "title",
                "status",
                "detail",
                "rule",
                "requirement",
                "remedy",
            }
            assert answer.json()["remedy"].startswith("ask ")
    nobody = house.nobody.request(method, url, json=body, headers={"Idempotency-Key": house.key()})
    assert (nobody.status_code, nobody.json()["rule"]) == (401, "signed-in")


def test_the_matrix_has_every_endpoint(house: House) -> None:
    paths = house.nobody.get("/openapi.json").json()["paths"]
    names = {
        "T9": "{table}",
        "A-none": "{award}",
        "P-none": "{proposal}",
        "counters": "{name}",
        "journal": "{name}",
        "J-none": "{jackpot}",
        "B-none": "{badge}",
        "S-none": "{account}",
        "K-none": "{token}",
        "W-none": "{webhook}",
        "seal": "{step}",
        "99999": "{number}",
        "2026-11-01": "{day}",
    }
    endpoints = {
        (method, "/".join(names.get(part, part) for part in path.split("/"))) for method, path, _, _ in MATRIX
    }
    served = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert {(m, p) for m, p in served if p not in _OPEN} - endpoints == {("GET", "/api/v1/links/{link}/live")}
    assert house.nobody.get("/api/v1/links/matrix/live").status_code == 401


@pytest.mark.requirement("GL-10", "LT-03")
def test_a_badge_without_its_pin_opens_nothing(house: House) -> None:
    for body, status in (
        ({"badge": "B-sue"}, 422),
        ({"badge": "B-sue", "pin": ""}, 422),
        ({"badge": "B-sue", "pin": "0000"}, 401),
        ({"badge": "B-nobody", "pin": PIN}, 401),
    ):
        answer = house.nobody.post("/api/v1/sign-in", json=body)
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers
    house.token("sue")


@pytest.mark.requirement("GL-10")
def test_lock_out_counts_wrong_pins_everywhere_and_holds_against_the_right_one(house: House) -> None:
    with connect(house.dsn) as connection:
        lou = people.Person(id="lou", name="Lou", role="supervisor", badge="B-lou")
        staff.register_people(connection, [lou], pin=PIN, by="setup")
    link = house.open("lockout")
    house.start(link, "O1")
    award = house.claim(link, "O1")
    for _ in range(people.TRIES):
        wrong = {"badges": [{"badge": "B-lou", "pin": "9999"}], "amount": 0}
        assert house.post("dana", f"/api/v1/links/{link}/awards/{award}/confirm", wrong).status_code == 401
    right = house.nobody.post("/api/v1/sign-in", json={"badge": "B-lou", "pin": PIN})
    assert right.status_code == 401
    assert "locked" in right.json()["detail"]


def test_office_password_and_the_cookie(house: House) -> None:
    answer = httpx.post(f"{house.url}/api/v1/sign-in/office", json={"badge": "B-ann", "password": PASSWORD})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    with httpx.Client(base_url=house.url, cookies={"feltwork_session": answer.json()["token"]}) as client:
        assert client.get("/api/v1/me").json()["person"] == "ann"
    pin = httpx.post(f"{house.url}/api/v1/sign-in/office", json={"badge": "B-ann", "password": PIN})
    assert pin.status_code == 401


@pytest.mark.requirement("GL-10", "TR-03")
def test_forged_ended_and_expired_sessions_open_nothing(house: House) -> None:
    token = house.token("sam")
    with connect(house.dsn) as connection:
        sam = next(person for person in PEOPLE if person.id == "sam")
        expired = people.begin_session(connection, sam, place="pit 1", seconds=0)
        hashes = [row[0] for row in connection.execute("SELECT token_hash FROM books.session").fetchall()]
    assert token not in hashes
    assert _me(house, token) == 200
    for forged in ("x", token[:-1], token + "x", expired, hashes[0], "' OR '1'='1", "a" * 5_000):
        assert _me(house, forged) == 401
    headers = {"Authorization": f"Bearer {token}"}
    assert house.nobody.post("/api/v1/sign-out", headers=headers).status_code == 200
    assert _me(house, token) == 401


def _me(house: House, token: str) -> int:
    return httpx.get(f"{house.url}/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code


EVIL = {
    "drop": "'; DROP TABLE books.entry; --",
    "or": "x' OR '1'='1",
    "delete": "x'); DELETE FROM books.person; --",
    "sleep": "1; SELECT pg_sleep(5)",
    "percent": "%s",
    "braces": "{0}",
    "escape": "\\x00",
}


@pytest.mark.parametrize("name", EVIL)
def test_sql_is_only_ever_text(house: House, name: str) -> None:
    evil, matrix = EVIL[name], house.open(f"evil-{name}")
    assert house.nobody.post("/api/v1/sign-in", json={"badge": evil, "pin": evil}).status_code in (401, 422)
    for path in (
        f"/api/v1/links/{evil}",
        f"/api/v1/links/{matrix}/awards/{evil}",
        f"/api/v1/links/{matrix}/tables/{evil}",
    ):
        assert house.of("dana").get(path).status_code in (404, 422)
    stopped = house.post("sam", f"/api/v1/links/{matrix}/stop", {"cause": "suspended", "reason": evil})
    assert stopped.status_code == 200
    assert stopped.json()["facts"][0]["reason"] == evil
    house.two("sam", "eve", command="resume", link=matrix)
    log = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    assert any(row["why"] == evil for row in log)
    house.sound()


@pytest.mark.requirement("GEN-19", "WA-15", "WA-30")
def test_self_approval_other_commands_and_replays_are_refused(house: House) -> None:
    link = house.open("approve")
    body = {**_ADJUST, "link": link}
    proposal = house.done("ann", "/api/v1/proposals", body)
    path, approval = (
        f"/api/v1/proposals/{proposal['proposal']}/approve",
        {"fingerprint": proposal["fingerprint"]},
    )
    own = house.post("ann", path, approval)
    assert own.status_code == 409
    assert "own proposal" in own.json()["detail"]
    other = house.done("ann", "/api/v1/proposals", {**body, "change": 900 * DOLLAR, "adjustment": "ADJ-10"})
    swapped = house.post("bob", path, {"fingerprint": other["fingerprint"]})
    assert "changed since you opened" in swapped.json()["detail"]
    assert house.post("sam", path, approval).status_code == 403
    before = house.meter(link)
    key = house.key()
    first = house.post("bob", path, approval, key=key)
    assert first.status_code == 200, first.text
    assert house.meter(link) == before + 500 * DOLLAR
    replay = house.post("bob", path, approval)
    assert replay.status_code == 409
    assert "already answered" in replay.json()["detail"]
    assert house.post("bob", path, approval, key=key).json() == first.json(), (
        "the same request, the same answer"
    )
    declined = house.done("bob", f"/api/v1/proposals/{other['proposal']}/decline", {"reason": "too much"})
    assert declined["declined_by"] == "bob"
    late = house.post(
        "bob", f"/api/v1/proposals/{other['proposal']}/approve", {"fingerprint": other["fingerprint"]}
    )
    assert late.status_code == 409
    house.sound()


@pytest.mark.requirement("WA-30")
def test_who_paid_a_win_may_not_approve_its_reversal(house: House) -> None:
    link = house.open("apart")
    house.start(link, "Q1")
    award = house.claim(link, "Q1")
    assert house.confirm(link, award, "dana").status_code == 403, "who entered it has no say"
    assert house.confirm(link, award, "cara").status_code == 403
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    with connect(house.dsn) as connection:
        moved = people.Person(id="pat", name="Pat", role="cage", badge="B-pat")
        staff.register_people(connection, [moved], pin=PIN, by="setup")
    house.done("pat", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"})
    with connect(house.dsn) as connection:
        moved = people.Person(id="pat", name="Pat", role="accounting", badge="B-pat")
        staff.register_people(connection, [moved], pin=PIN, by="setup")
    body = {**_REVERSE, "link": link, "award": award, "reason": "the deck was short"}
    assert house.post("pat", "/api/v1/proposals", body).json()["rule"] == "win-and-its-correction"
    proposal = house.done("ann", "/api/v1/proposals", body)
    second = house.post(
        "pat", f"/api/v1/proposals/{proposal['proposal']}/approve", {"fingerprint": proposal["fingerprint"]}
    )
    assert (second.status_code, second.json()["rule"]) == (403, "win-and-its-correction")


@pytest.mark.requirement("GL-12")
def test_two_hundred_duplicates_of_one_request_book_once(house: House) -> None:
    link = house.open("twice")
    before = house.get("dana", f"/api/v1/links/{link}")["entry"]
    headers = {"Idempotency-Key": "the-one-and-only", "Authorization": f"Bearer {house.token('dana')}"}
    body = {"wagers": {link: [1, 2]}, "players": [1, 2]}
    limits = httpx.Limits(max_connections=200)
    with (
        httpx.Client(base_url=house.url, headers=headers, limits=limits, timeout=120) as client,
        ThreadPoolExecutor(200) as many,
    ):
        path = f"/api/v1/tables/D1/start?link={link}"
        answers = list(many.map(lambda _: client.post(path, json=body), range(200)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert sum("idempotent-replay" not in answer.headers for answer in answers) == 1
    assert house.get("dana", f"/api/v1/links/{link}")["entry"] == before + 1
    other = house.post("dana", f"{path}", {"wagers": {link: [1]}, "players": [1]}, key="the-one-and-only")
    assert (other.status_code, other.json()["requirement"]) == (409, "GL-12")
    assert house.of("dana").post(path, json=body).status_code == 422, "money moves only under a key"
    house.sound()


@pytest.mark.requirement("GL-10")
@pytest.mark.parametrize(
    "to",
    [
        "//books.example",
        "/\\books.example",
        "/\t/books.example",
        "/\n/books.example",
        "https:books.example",
    ],
)
def test_signing_in_leads_to_no_other_website(house: House, to: str) -> None:
    for path in ("/sign-in", "/sign-in/office"):
        for target, led in ((to, "/"), ("/pit", "/pit")):
            page = house.nobody.get(path, params={"next": target}, headers={"Accept": "text/html"}).text
            assert f'data-to="{led}"' in page


@pytest.mark.requirement("GL-10")
def test_an_answer_is_kept_in_no_cache_and_loads_nothing_from_elsewhere(house: House) -> None:
    for path in ("/me", "/api/v1/links", "/healthz"):
        headers = house.of("eve").get(path).headers
        assert headers["cache-control"] == "no-store"
        assert "default-src 'self'" in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
        assert "strict-transport-security" not in headers, "this service has no TLS"


def test_nobody_from_outside_is_told_the_release(house: House) -> None:
    for path in ("/healthz", "/readyz", "/openapi.json", "/", "/sign-in", "/signs"):
        for accept in ("application/json", "text/html"):
            answer = house.nobody.get(path, headers={"Accept": accept})
            assert f'"{__version__}"' not in answer.text, path
            assert f" {__version__}" not in answer.text, path


@pytest.mark.requirement("GL-10")
def test_a_browser_has_the_token_in_a_cookie_that_no_script_and_no_other_host_can_touch(
    server: EmbeddedPostgres,
) -> None:
    for secure in serve(server, new_books(server, "secure"), secure_cookie=True):
        credentials = {"badge": "B-dana", "pin": PIN}
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = secure.nobody.post("/api/v1/sign-in", json=credentials, headers=headers)
        assert (answer.status_code, answer.json()["token"]) == (200, "")
        name, _, rest = answer.headers["set-cookie"].partition("=")
        assert name == "__Host-feltwork_session"
        assert {"HttpOnly", "Secure", "Path=/", "SameSite=strict"} <= set(rest.split("; "))
        assert answer.headers["strict-transport-security"]
        token = rest.partition(";")[0]
        for cookie, status in ((name, 200), ("feltwork_session", 401)):
            response = httpx.get(f"{secure.url}/api/v1/me", headers={"Cookie": f"{cookie}={token}", **JSON})
            assert response.status_code == status
        assert secure.nobody.post("/api/v1/sign-in", json=credentials).json()["token"], (
            "programs have no cookies"
        )
