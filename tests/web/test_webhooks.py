"""Signed webhooks against a real receiver, checked with the reference implementation of Standard Webhooks."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from feltwork.site.books.connection import connect
from feltwork.site.books.watch.webhooks import secret_bytes, webhooks
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.notifications import notifier
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House
from tests.web.receivers import wait_until

_BLOCK = "verify"
_PLAIN, _ENCRYPTED = "http:" + "//", "https:" + "//"
_ABOUT = {"command": "manage_people", "reason": "the player system", "webhook": "player-system"}


class Receiver:
    """A web server that keeps what it gets, and answers a path with its statuses in turn, then with 200."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, list[int]] = {}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.calls.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                left = receiver.answers.get(self.path)
                self.send_response(left.pop(0) if left else 200)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture(scope="module")
def quick(server: EmbeddedPostgres) -> Iterator[House]:
    """A service that tells at once and repeats soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notifier, "EVERY_SECONDS", 0.1)
        patch.setattr(notifier, "FIRST_RETRY_SECONDS", 0.2)
        yield from serve(server, new_books(server, "web_webhooks"))


def _is_genuine() -> Callable[[str, dict[str, str], bytes], bool]:
    """The check of a receiver, as the page has it."""
    text = Path(__file__).parents[2].joinpath("docs/api.md").read_text(encoding="utf-8")
    match = re.search(f"<!-- run: {_BLOCK} -->\n```python\n(.*?)```", text, re.DOTALL)
    assert match is not None
    names: dict[str, Any] = {}
    exec(match[1], names)
    check: Callable[[str, dict[str, str], bytes], bool] = names["is_genuine"]
    return check


def _add(house: House, name: str, url: str, *events: str) -> str:
    command = {**_ABOUT, "webhook": name, "act": "add_webhook", "url": url, "events": events}
    house.two("eve", "ivy", **command)
    return str(house.done("ivy", f"/api/v1/webhooks/{name}/secret")["secret"])


@pytest.mark.requirement("GL-10")
def test_a_message_is_signed_recorded_first_and_repeated_under_one_id(
    quick: House, receiver: Receiver
) -> None:
    receiver.answers["/stops"] = [500, 302]
    secret = _add(quick, "stops", f"{receiver.url}/stops", "stopped_link")
    link = quick.open("hooked")
    quick.start(link, "A1")
    quick.claim(link, "A1")
    quick.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "a test"})

    def stop_calls() -> list[tuple[str, dict[str, str], bytes]]:
        return [call for call in receiver.calls if call[0] == "/stops"]

    wait_until(lambda: len(stop_calls()) == 3)
    ids = {headers["webhook-id"] for _, headers, _ in stop_calls()}
    assert len(ids) == 1, "a receiver knows a repetition"
    assert secret.startswith("whsec_")
    for _, headers, body in stop_calls():
        message: dict[str, Any] = Webhook(secret).verify(body, headers)
        assert message["type"] == "stopped_link"
        assert link in message["data"]["subject"]
        changed = body.replace(b"stopped", b"started")
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(changed, headers)
        late = {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1_000)}
        answers = [
            _is_genuine()(secret, *delivery)
            for delivery in ((headers, body), (headers, changed), (late, body))
        ]
        assert answers == [True, False, False]
    assert not [path for path, _, _ in receiver.calls if path == "/elsewhere"], "no redirect is followed"

    def delivered() -> Any:
        with connect(quick.dsn) as connection:
            query = "SELECT tries, sent_at IS NOT NULL FROM books.notification_delivery WHERE recipient = %s"
            return connection.execute(query, ("webhook:stops",)).fetchall()

    wait_until(lambda: delivered() == [(3, True)])
    removal = {**_ABOUT, "webhook": "stops", "act": "remove_webhook"}
    quick.two("eve", "ivy", **removal)
    refused = quick.post("eve", "/api/v1/proposals", removal)
    assert (refused.status_code, "there is no such webhook" in refused.text) == (409, True), refused.text
    other = quick.open("unhooked")
    quick.done("sam", f"/api/v1/links/{other}/stop", {"cause": "suspended", "reason": "a test"})
    _add(quick, "later", f"{receiver.url}/later", "stopped_link", "claim")
    wait_until(lambda: [call for call in receiver.calls if call[0] == "/later"])
    assert len(stop_calls()) == 3, "who was removed is told nothing"


@pytest.mark.requirement("GL-10", "TR-03")
def test_the_secret_is_shown_once_to_who_approved_it(quick: House, receiver: Receiver) -> None:
    command = {**_ABOUT, "act": "add_webhook", "url": f"{receiver.url}/once", "events": ["alarm"]}
    quick.two("eve", "ivy", **command)
    path = "/api/v1/webhooks/player-system/secret"
    assert quick.post("eve", path).json()["remedy"] == "ask ivy"
    key = quick.key()
    secret = quick.post("ivy", path, key=key).json()["secret"]
    assert quick.post("ivy", path, key=key).json()["secret"] == ""
    assert quick.post("ivy", path).status_code == 409
    listing = json.dumps(quick.get("otto", "/api/v1/webhooks"))
    assert "player-system" in listing
    assert secret not in listing
    with connect(quick.dsn) as connection:
        for table in ("audit", "proposal", "idempotency", "evidence", "webhook"):
            rows = connection.execute(f"SELECT to_jsonb(t)::text FROM books.{table} t").fetchall()
            assert not [row for row in rows if secret in row[0]], table
        (stored_secret,) = (webhook.secret for webhook in webhooks(connection, "player-system"))
    # What the books keep signs nothing without the key of the site.
    assert len({secret_bytes(stored_secret, key) for key in (b"", b"one key", b"another")}) == 3
    assert quick.post("eve", "/api/v1/proposals", command).status_code == 409, "the id is taken"


@pytest.mark.parametrize(
    "url",
    [
        f"{_PLAIN}player-system.example/in",
        f"{_ENCRYPTED}user:word@player-system.example/in",
        f"{_ENCRYPTED}player-system.example/in#part",
        f"{_PLAIN}127.0.0.1.evil.example/",
        f"{_ENCRYPTED}/in",
        f"{_PLAIN}[::1/",
    ],
)
def test_an_address_that_gives_messages_away_is_refused(quick: House, url: str) -> None:
    command = {**_ABOUT, "webhook": "bad", "act": "add_webhook", "url": url, "events": ["hit"]}
    answer = quick.post("eve", "/api/v1/proposals", command)
    assert answer.status_code == 409, answer.text
    ftp = quick.post("eve", "/api/v1/proposals", {**command, "url": "ftp://player-system.example/"})
    assert ftp.status_code == 422
