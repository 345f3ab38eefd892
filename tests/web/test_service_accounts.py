"""Service accounts: what a token opens, and everything that somebody who has one might try."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.scopes import SCOPES
from feltwork.site.compliance.roles import COMMANDS
from tests.web.house import JSON, PIN, House
from tests.web.test_access import MATRIX

_ABOUT = {"command": "manage_people", "service_account": ""}
_TABLE = "/api/v1/links/{link}/tables/{table}"
_AWARD = "/api/v1/links/{link}/awards/{award}"
#: The scopes of each operation that a machine may use, written down by hand; everything else takes a person.
NEEDS: dict[tuple[str, str], tuple[str, ...]] = {
    **{
        ("GET", path): ("floor:read",)
        for path in (
            "/api/v1/links",
            "/api/v1/links/{link}",
            "/api/v1/links/{link}/live",
            "/api/v1/links/{link}/awards",
            _AWARD,
            _TABLE,
            "/api/v1/tables/{table}",
            "/api/v1/floors",
            "/api/v1/alarms/parked",
            "/api/v1/incidents",
            "/api/v1/incidents/{number}",
            "/api/v1/installations",
            "/api/v1/installations/{number}",
            "/api/v1/payouts/{link}/{award}",
            "/api/v1/people/{badge}/may",
            "/api/v1/proposals",
            "/api/v1/proposals/{proposal}",
        )
    },
    ("POST", "/api/v1/floors/check"): ("floor:read",),
    **{
        ("GET", path): ("books:read",)
        for path in (
            "/api/v1/people",
            "/api/v1/people/{badge}",
            "/api/v1/service-accounts",
            "/api/v1/webhooks",
            "/api/v1/access-reviews",
            "/api/v1/days/{day}",
            "/api/v1/reports/verdict",
            "/api/v1/reports/cash",
            "/api/v1/reports/confiscations",
            "/api/v1/reports/counters",
            "/api/v1/reports/dealer_training",
            "/api/v1/reports/record_retention",
            "/api/v1/reports/links/{link}/journal",
            "/api/v1/reports/links/{link}/submission",
        )
    },
    ("POST", "/api/v1/tables/{table}/start"): ("tables:run",),
    ("POST", "/api/v1/tables/{table}/end"): ("tables:run",),
    ("PUT", f"{_TABLE}/sensors"): ("tables:run",),
    ("POST", f"{_TABLE}/correct"): ("tables:run",),
    ("POST", f"{_TABLE}/hand"): ("tables:run",),
    ("POST", f"{_TABLE}/fold"): ("tables:run",),
    ("POST", f"{_AWARD}/confirm"): ("floor:read", "tables:run"),
    ("POST", f"{_AWARD}/badge"): ("floor:read", "tables:run"),
    ("POST", f"{_AWARD}/void"): ("floor:read", "tables:run"),
}
_NAMES = {"T9": "{table}", "P-none": "{proposal}", "B-none": "{badge}", "99999": "{number}"}
_NAMES |= {"2026-11-01": "{day}", "A-none": "{award}"}


def _client(house: House, token: str) -> httpx.Client:
    headers = {**JSON, "Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=house.url, headers=headers, timeout=60)


class Machines:
    """A claim at a table, and a token for each set of scopes."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.link = house.open("machines")
        house.start(self.link, "T9")
        self.award = house.claim(self.link, "T9")
        self._clients: dict[tuple[str, ...], httpx.Client] = {}

    def ask(self, scopes: tuple[str, ...], method: str, path: str, body: Any) -> httpx.Response:
        if scopes not in self._clients:
            token = self.house.service_token(f"m{len(self._clients)}", *scopes)
            self._clients[scopes] = _client(self.house, token)
        url = path.format(link=self.link).replace("A-none", self.award)
        headers = {"Idempotency-Key": self.house.key()}
        return self._clients[scopes].request(method, url, json=body, headers=headers)


@pytest.fixture(scope="module")
def machines(house: House) -> Iterator[Machines]:
    machines = Machines(house)
    yield machines
    for client in machines._clients.values():
        client.close()


def _named(path: str) -> str:
    return "/".join(_NAMES.get(part, part) for part in path.split("/"))


def test_no_scope_has_what_takes_a_person() -> None:
    granted = {command for scope in SCOPES.values() for command in scope.may}
    assert not [name for name in granted if COMMANDS[name].two_people or COMMANDS[name].office]
    people = {"confirm", "confirm_executive", "pay", "void_claim", "misdeal", "enter_cards", "count_drawer"}
    assert granted.isdisjoint(people)


@pytest.mark.requirement("WA-30", "TR-03")
def test_a_token_without_the_scope_is_refused_on_every_route(machines: Machines) -> None:
    everything = tuple(SCOPES)
    used = set()
    for method, path, body, _ in (*MATRIX, ("GET", "/api/v1/links/{link}/live", None, ())):
        needs = NEEDS.get((method, _named(path)))
        used.add((method, _named(path)))
        lacking = [tuple(scope for scope in everything if scope != need) for need in needs or ()]
        for scopes in (lacking or [everything]) + [()]:
            answer = machines.ask(scopes, method, path, body)
            problem = answer.json()
            assert (answer.status_code, problem["status"]) == (403, 403), (method, path, scopes, answer.text)
            assert problem["rule"] == ("scope" if needs else problem["rule"]), (
                method,
                path,
                scopes,
                answer.text,
            )
            assert problem["rule"] in ("scope", "person"), (method, path, answer.text)
    assert NEEDS.keys() <= used, "every row is tried"


def test_a_token_with_the_scope_is_taken(machines: Machines) -> None:
    for method, path, body, _ in MATRIX:
        needs = NEEDS.get((method, _named(path)))
        if needs:
            answer = machines.ask(needs, method, path, body)
            assert answer.status_code in (200, 404, 409), (method, path, answer.text)


def test_health_checks_and_sign_ins_open_nothing_for_a_token(machines: Machines) -> None:
    assert machines.ask((), "GET", "/healthz", None).status_code == 200
    assert machines.ask((), "POST", "/api/v1/unlock", {"pin": PIN}).status_code == 401


@pytest.mark.requirement("GL-10")
def test_a_token_is_shown_once_and_kept_as_a_hash(house: House) -> None:
    about = {**_ABOUT, "service_account": "once"}
    house.two("eve", "ivy", **about, act="add_service_account", name="Once", scopes=["floor:read"])
    granted = house.two("eve", "ivy", **about, act="grant_token", days=1)["booked"]["grant"]
    path, body = "/api/v1/service-accounts/once/tokens", {"grant": granted}
    other = house.post("eve", path, body)
    assert (other.status_code, other.json()["remedy"]) == (409, "ask ivy"), "who proposed it does not see it"
    assert house.post("ivy", "/api/v1/service-accounts/m0/tokens", body).status_code == 409
    key = house.key()
    token = house.post("ivy", path, body, key=key).json()["token"]
    assert len(token.rpartition("_")[2]) >= 43 or len(token) >= 60, "256 bits"
    assert house.post("ivy", path, body, key=key).json()["token"] == "", "a repeat shows nothing"
    assert house.post("ivy", path, body).status_code == 409, "a grant makes one token"
    with connect(house.dsn) as connection:
        for table in ("service_token", "audit", "approval", "proposal", "evidence", "idempotency"):
            rows = connection.execute(f"SELECT to_jsonb(t)::text FROM books.{table} t").fetchall()
            assert not [row for row in rows if token in row[0] or token[-43:] in row[0]], table
    (account,) = [
        account
        for account in house.get("otto", "/api/v1/service-accounts")["service_accounts"]
        if account["id"] == "once"
    ]
    assert account["tokens"][0]["id"] in token
    assert token not in json.dumps(account)


@pytest.mark.requirement("GL-10", "TR-03")
def test_expired_revoked_and_closed_tokens_open_nothing(house: House) -> None:
    link = house.open("ends")
    first = house.service_token("ends", "floor:read")
    second = house.new_token("ends")
    url = f"{house.url}/api/v1/links/{link}"

    def status(token: str) -> int:
        return httpx.get(url, headers={"Authorization": f"Bearer {token}"}, timeout=60).status_code

    assert (status(first), status(second)) == (200, 200), "two at a time, so that one replaces the other"
    path = f"/api/v1/service-accounts/ends/tokens/{first.split('_')[1]}/revoke"
    assert house.done("eve", path)["revoked_by"] == "eve"
    assert house.post("eve", path).status_code == 404
    assert (status(first), status(second)) == (401, 200)
    for forged in (second[:-1], f"{second}x", "fws_", second.replace("fws_", ""), second.upper()):
        assert status(forged) == 401
    with connect(house.dsn) as connection:
        connection.execute("UPDATE books.service_account SET active = false WHERE id = 'ends'")
        assert status(second) == 401
        connection.execute("UPDATE books.service_account SET active = true WHERE id = 'ends'")
    assert status(second) == 200
    rows = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    actions = [row["what"] for row in rows if row["who"] == "service:ends"]
    assert {"token used", "token refused: expired or revoked"} <= set(actions)


def test_a_token_opens_no_screen_and_works_in_no_cookie(house: House) -> None:
    token = house.service_token("screens", *SCOPES)
    bearer = {**JSON, "Authorization": f"Bearer {token}"}
    for path in ("/pit", "/office", "/people", "/me", "/audit", "/dealer", "/manager", "/office/proposals"):
        assert httpx.get(f"{house.url}{path}", headers=bearer, timeout=60).status_code == 401, path
    cookie = {**JSON, "Cookie": f"feltwork_session={token}"}
    assert httpx.get(f"{house.url}/api/v1/links", headers=cookie, timeout=60).status_code == 401


@pytest.mark.requirement("LT-03", "WA-30")
def test_a_machine_deals_its_own_table_and_a_person_confirms(house: House) -> None:
    link = house.open("deals")
    robot = _client(house, house.service_token("robot", "tables:run", "floor:read", tables=["A1"]))

    def post(path: str, body: Any = None) -> httpx.Response:
        return robot.post(f"/api/v1{path}", json=body, headers={"Idempotency-Key": house.key()})

    wagers = {"wagers": {link: [1, 2]}, "players": [1, 2]}
    assert post(f"/tables/D1/start?link={link}", wagers).json()["rule"] == "scope", "another table"
    assert post(f"/tables/A1/start?link={link}", wagers).status_code == 200
    pressed = post(f"/links/{link}/tables/A1/hand", {"seat": 1, "hand": "four_aces"})
    award = pressed.json()["award"]
    view = robot.get(f"/api/v1/links/{link}/awards/{award}").json()
    assert view["claimed_by"] == "service:robot"
    badges = [{"badge": f"B-{person}", "pin": PIN} for person in ("sam", "eve")]
    confirm = f"/links/{link}/awards/{award}/confirm"
    assert post(confirm, {"badges": [], "amount": view["hit_amount"]}).status_code == 422
    assert post(f"/links/{link}/awards/{award}/pay", {"form": "check"}).json()["rule"] == "person"
    needed = house.cards_needed(link, view)
    confirmed = post(confirm, {"badges": badges, "amount": view["hit_amount"], "cards": needed})
    assert confirmed.status_code == 200, confirmed.text
    assert post(f"/tables/A1/end?link={link}").status_code == 200
    house.start(link, "D1")
    elsewhere = house.claim(link, "D1")
    other = post(f"/links/{link}/awards/{elsewhere}/confirm", {"badges": badges, "amount": 1})
    assert (other.status_code, other.json()["rule"]) == (403, "scope"), "the claim of another table"
    rows = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    assert {row["what"] for row in rows if row["who"] == "service:robot"} >= {
        f"/links/{link}/tables/A1/hand",
        "refused: start_game D1",
    }
    robot.close()
    house.sound()


def test_nobody_becomes_a_machine_and_no_machine_a_person(house: House) -> None:
    house.service_token("apart", "floor:read")
    person = {"command": "manage_people", "reason": "x", "person": "service:apart"}
    add = house.post(
        "eve", "/api/v1/proposals", {**person, "act": "add", "name": "A", "role": "dealer", "badge": "B-9"}
    )
    assert add.status_code == 409
    for act in ({"act": "grant_secret", "what": "PIN"}, {"act": "give_role", "role": "supervisor"}):
        assert house.post("eve", "/api/v1/proposals", {**person, **act}).status_code in (404, 409)
    again = {**_ABOUT, "service_account": "apart", "reason": "x", "act": "add_service_account", "name": "A"}
    assert house.post("eve", "/api/v1/proposals", {**again, "scopes": []}).status_code == 409
    wrong = house.post("eve", "/api/v1/proposals", {**again, "scopes": ["everything"]})
    assert wrong.status_code == 422


PAGES_OF_AWARDS = (
    "/awards/{award}/win-page",
    "/awards/{award}/win-page.json",
    "/awards/{award}/win-page.pdf",
    "/awards/{award}/shares.pdf",
    "/meters/{link}",
    "/pit",
)


@pytest.mark.requirement("WA-30", "TR-03")
def test_a_token_opens_no_page(house: House, machines: Machines) -> None:
    link = house.open("pages")
    house.start(link, "A1")
    award = house.claim(link, "A1")
    for page in PAGES_OF_AWARDS:
        answer = machines.ask(tuple(SCOPES), "GET", page.format(link=link, award=award), None)
        assert answer.status_code == 401, (page, answer.text)
