"""The ends of all chains are signed each day and stamped outside: who writes a chain anew is found out."""

import json
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from smtplib import SMTPNotSupportedError
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography.x509 import Certificate, load_pem_x509_certificate
from psycopg.errors import InsufficientPrivilege

from feltwork.problem import ProblemsError
from feltwork.simulation.floors import room_text
from feltwork.site.books.audit.day_heads import (
    anchor_heads,
    day_heads,
    head_problems,
    plain_head,
    send_heads,
    sign_closed_days,
    timestamp,
)
from feltwork.site.books.audit.export import export
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.audit.site_key import SiteKey, make_site_key, register_public_key
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import Period, register_floor
from feltwork.site.books.watch.mail import MailServer
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.test_tampering import an_evening, verifier
from tests.progressive.room import asked
from tests.support.books import new_books

TOMORROW = datetime.now(UTC) + timedelta(days=2)
CONFIGURATION = """
[tsa]
default_tsa = tsa_config
[tsa_config]
serial = {folder}/serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ordering = no
tsa_name = no
ess_cert_id_chain = no
"""

STAMPED = b"the head of a day"
#: How a reply begins, after its own length: the status in ASN.1.
GRANTED, REJECTED = bytes.fromhex("3003020100"), bytes.fromhex("3003020102")


class Authority:
    """A time-stamping authority of OpenSSL behind HTTP, and an address that keeps what is sent to it."""

    def __init__(self, folder: Path) -> None:
        self.certificate = folder / "tsa.pem"
        self.received: list[dict[str, str]] = []
        request = "req -x509 -newkey rsa:2048 -nodes -days 9 -subj /CN=authority -keyout tsa.key -out tsa.pem"
        usage = ["-addext", "extendedKeyUsage=critical,timeStamping"]
        subprocess.run(["openssl", *request.split(), *usage], cwd=folder, check=True, capture_output=True)
        (folder / "tsa.cnf").write_text(CONFIGURATION.format(folder=folder))
        (folder / "serial").write_text("01\n")
        self._server = HTTPServer(("127.0.0.1", 0), _answers(folder, self.received))
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def trusted(self) -> Certificate:
        return load_pem_x509_certificate(self.certificate.read_bytes())

    def stamp(self, text: bytes, path: str = "", trusted: Path | None = None) -> bytes:
        certificate = load_pem_x509_certificate((trusted or self.certificate).read_bytes())
        return timestamp(self.url + path, text, certificate)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _answers(folder: Path, received: list[dict[str, str]]) -> type[BaseHTTPRequestHandler]:
    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(404 if self.path == "/nowhere" else 200)
            self.end_headers()
            if self.path == "/copy":
                received.append(json.loads(body))
                return
            if self.path == "/junk":
                self.wfile.write(b"granted: " + body)
                return
            query = body if self.path != "/other" else body.replace(sha256(STAMPED).digest(), bytes(32))
            (folder / "query").write_bytes(query)
            command = "ts -reply -config tsa.cnf -queryfile query -signer tsa.pem -inkey tsa.key -out reply"
            subprocess.run(["openssl", *command.split()], cwd=folder, check=True, capture_output=True)
            reply = (folder / "reply").read_bytes()
            self.wfile.write(reply.replace(GRANTED, REJECTED, 1) if self.path == "/rejected" else reply)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    return Answers


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    authority = Authority(tmp_path_factory.mktemp("authority"))
    yield authority
    authority.stop()


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SiteKey:
    return make_site_key(tmp_path_factory.mktemp("keys"))


def played(server: EmbeddedPostgres, name: str, key: SiteKey) -> None:
    """An evening in new books that know the key."""
    new_books(server, name)
    with connect(server.dsn(name)) as owner:
        register_public_key(owner, key.public)
    with connect(server.dsn(name, role="writer")) as connection:
        register_floor(connection, room_text(), asked())
        an_evening(connection)


@pytest.fixture(scope="module")
def honest(server: EmbeddedPostgres, key: SiteKey, authority: Authority) -> str:
    """Books whose last day is signed and stamped."""
    played(server, "books_heads", key)
    with connect(server.dsn("books_heads", role="writer")) as connection:
        assert len(sign_closed_days(connection, key, now=TOMORROW)) >= 1
        assert sign_closed_days(connection, key, now=TOMORROW) == []
        assert anchor_heads(connection, authority.url, authority.certificate)
        assert anchor_heads(connection, authority.url, authority.certificate) == []
        assert (audit(connection).problems, head_problems(connection)) == ([], [])
    return "books_heads"


@pytest.fixture
def published(server: EmbeddedPostgres, honest: str, tmp_path: Path) -> Path:
    """The heads as they were sent out."""
    file = tmp_path / "heads.jsonl"
    with connect(server.dsn(honest, role="reader")) as reader:
        heads = [{"body": head.body, "signature": head.signature} for head in day_heads(reader)]
    file.write_text("".join(json.dumps(head) + "\n" for head in heads), encoding="utf-8")
    return file


def bundle_of(server: EmbeddedPostgres, name: str, target: Path, key: SiteKey) -> Path:
    with connect(server.dsn(name, role="reader")) as reader:
        export(reader, target, Period(), key)
    return target


@pytest.mark.requirement("GL-08", "GEN-09")
def test_signed_and_stamped_days_verify(
    server: EmbeddedPostgres, honest: str, key: SiteKey, authority: Authority, published: Path, tmp_path: Path
) -> None:
    bundle = bundle_of(server, honest, tmp_path / "bundle", key)
    known = ("--key", key.public, "--heads", str(published), "--authority", str(authority.certificate))
    code, output = verifier(bundle, *known)
    assert (code, output.endswith("entries followed: all is well\n")) == (0, True), output


@pytest.mark.requirement("GL-08", "GEN-09")
def test_a_chain_written_anew_after_a_signed_day_is_found(
    server: EmbeddedPostgres, honest: str, key: SiteKey, published: Path, tmp_path: Path
) -> None:
    """The owner of the database writes a whole history of their own, which is sound in itself."""
    played(server, "books_anew", key)
    with connect(server.dsn("books_anew")) as owner:
        assert audit(owner).problems == []
        bundle = bundle_of(server, "books_anew", tmp_path / "bundle", key)
        assert verifier(bundle, "--key", key.public)[0] == 0
        code, output = verifier(bundle, "--key", key.public, "--heads", str(published))
        assert (code, "it is not the one you know" in output) == (1, True), output
        with connect(server.dsn(honest, role="reader")) as reader:
            for head in day_heads(reader):
                row = (head.day, TOMORROW, head.body, head.signature)
                owner.execute(
                    "INSERT INTO books.day_head (day, ended_at, body, signature) VALUES (%s, %s, %s, %s)", row
                )
        (problem,) = head_problems(owner)
    assert "is not the one that was signed" in problem.what


@pytest.mark.requirement("GL-08")
def test_days_signed_anew_with_another_key_are_found(
    server: EmbeddedPostgres, key: SiteKey, tmp_path: Path
) -> None:
    forger = make_site_key(tmp_path / "forged")
    played(server, "books_anew", forger)
    with connect(server.dsn("books_anew", role="writer")) as connection:
        sign_closed_days(connection, forger, now=TOMORROW)
    bundle = bundle_of(server, "books_anew", tmp_path / "bundle", forger)
    code, output = verifier(bundle, "--key", key.public)
    assert (code, "manifest.json: another key signed it" in output) == (1, True), output
    with (
        connect(server.dsn("books_anew")) as owner,
        pytest.raises(ProblemsError, match="do not know this key"),
    ):
        sign_closed_days(owner, key, now=TOMORROW)


@pytest.mark.requirement("GL-08")
def test_days_signed_anew_with_the_stolen_key_are_stamped_too_late(
    server: EmbeddedPostgres, key: SiteKey, authority: Authority, tmp_path: Path
) -> None:
    played(server, "books_anew", key)
    with connect(server.dsn("books_anew")) as owner:
        owner.execute("ALTER TABLE books.link DISABLE TRIGGER USER")
        owner.execute("UPDATE books.link SET registered_at = registered_at - interval '9 days'")
        sign_closed_days(owner, key)
        bundle = bundle_of(server, "books_anew", tmp_path / "unstamped", key)
        known = ("--key", key.public, "--authority", str(authority.certificate))
        assert "its head has no timestamp" in verifier(bundle, *known)[1]
        anchor_heads(owner, authority.url, authority.certificate)
    bundle = bundle_of(server, "books_anew", tmp_path / "bundle", key)
    code, output = verifier(bundle, *known)
    assert (code, "its head was stamped only on" in output) == (1, True), output


def of_now(head: dict[str, Any]) -> None:
    """A head made now for a day long past."""
    head["ended_at"] = (datetime.fromisoformat(head["ended_at"]) + timedelta(days=9)).isoformat()


def before_the_end(head: dict[str, Any]) -> None:
    """A head that leaves the last entry of its day out."""
    head["links"] = {
        name: {**end, "number": end["number"] - 1, "hash": "0" * 64} for name, end in head["links"].items()
    }


def after_a_gap(head: dict[str, Any]) -> None:
    head["day"] = (datetime.fromisoformat(head["day"]) + timedelta(days=1)).date().isoformat()


@pytest.mark.requirement("GL-08", "GEN-09")
@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (of_now, "its head names an end on another day"),
        (before_the_end, "is not the last before its end"),
        (after_a_gap, "the day before it has no head"),
    ],
)
def test_a_head_made_with_the_stolen_key_must_fit_its_day(
    server: EmbeddedPostgres,
    honest: str,
    key: SiteKey,
    tmp_path: Path,
    forge: Callable[[dict[str, Any]], None],
    said: str,
) -> None:
    folder = bundle_of(server, honest, tmp_path / "bundle", key)
    rows = [
        json.loads(line) for line in (folder / "day_heads.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    previous = ""
    for row in rows:
        head = json.loads(row["body"])
        if row is rows[-1]:
            forge(head)
        head["previous"] = sha256(previous.encode()).hexdigest()
        previous = row["body"] = json.dumps(head, sort_keys=True, separators=(",", ":"))
        row["signature"] = key.sign(row["body"].encode(), "forged")
    signed_anew(folder, "day_heads.jsonl", rows, key)
    code, output = verifier(folder, "--key", key.public)
    assert (code, said in output) == (1, True), output


@pytest.mark.requirement("GL-08", "GEN-09")
def test_days_that_nobody_signed_are_missed(
    server: EmbeddedPostgres, honest: str, key: SiteKey, tmp_path: Path
) -> None:
    folder = bundle_of(server, honest, tmp_path / "bundle", key)
    entries = [
        json.loads(line) for line in (folder / "entries.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    entries[0]["booked_at"] = (datetime.now(UTC) - timedelta(days=9)).isoformat()
    signed_anew(folder, "day_heads.jsonl", [], key)
    signed_anew(folder, "entries.jsonl", entries, key)
    code, output = verifier(folder, "--key", key.public)
    assert (code, "day heads: no head is signed for the days after" in output) == (1, True), output


def signed_anew(folder: Path, name: str, rows: list[Any], key: SiteKey) -> None:
    """What somebody with the site's key writes: a file of a bundle, its digest, and the signature."""
    text = "".join(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in rows)
    (folder / name).write_text(text, encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["files"][name] = sha256(text.encode()).hexdigest()
    content = (json.dumps(manifest, indent=2, sort_keys=True) + "\n").encode()
    (folder / "manifest.json").write_bytes(content)
    (folder / "manifest.json.minisig").write_text(key.sign(content, "forged"), encoding="ascii")


@pytest.mark.requirement("GL-08")
def test_a_head_with_the_timestamp_of_another_is_found(
    server: EmbeddedPostgres, honest: str, key: SiteKey, authority: Authority, tmp_path: Path
) -> None:
    shutil.copytree(bundle_of(server, honest, tmp_path / "bundle", key), tmp_path / "copy")
    with connect(server.dsn()) as superuser:
        superuser.execute("DROP DATABASE IF EXISTS books_stamped WITH (FORCE)")
        superuser.execute(f"CREATE DATABASE books_stamped TEMPLATE {honest}".encode())
    with connect(server.dsn("books_stamped")) as owner:
        owner.execute("ALTER TABLE books.day_anchor DISABLE TRIGGER USER")
        owner.execute("UPDATE books.day_anchor SET token = %s", (authority.stamp(b"another head"),))
    bundle = bundle_of(server, "books_stamped", tmp_path / "stamped", key)
    code, output = verifier(bundle, "--key", key.public, "--authority", str(authority.certificate))
    assert (code, "its timestamp is not one of the authority, or of another head" in output) == (1, True), (
        output
    )


def test_the_first_key_is_registered_and_another_one_only_by_the_owner(
    server: EmbeddedPostgres, key: SiteKey, tmp_path: Path
) -> None:
    name = new_books(server, "books_fresh")
    with connect(server.dsn(name, role="writer")) as writer:
        assert sign_closed_days(writer, key) == []
        other = make_site_key(tmp_path / "keys")
        with pytest.raises(InsufficientPrivilege):
            register_public_key(writer, other.public)
        rows = writer.execute("SELECT public_key FROM books.site_key").fetchall()
    assert rows == [(key.public,)]
    with connect(server.dsn(name)) as owner:
        register_public_key(owner, other.public)
        assert sign_closed_days(owner, other) == []


def test_an_authority_that_stamps_something_else_or_nothing_is_refused(
    authority: Authority, tmp_path: Path
) -> None:
    """Attack 7: what answers may echo the query in junk, or be another authority."""
    for path, why in (
        ("other", "Mismatch between messages"),
        ("rejected", "PKIStatus is not GRANTED"),
        ("junk", "ASN.1"),
        ("nowhere", "404"),
    ):
        with pytest.raises(ProblemsError, match=why):
            authority.stamp(STAMPED, path)
    other = Authority(tmp_path)
    other.stop()
    with pytest.raises(ProblemsError, match="Error while verifying certificates"):
        authority.stamp(STAMPED, trusted=other.certificate)
    with pytest.raises(ProblemsError, match="the head is signed and waits"):
        timestamp("https://127.0.0.1:9/", STAMPED, authority.trusted)
    with pytest.raises(ProblemsError, match="its address is not https"):
        timestamp("http://localhost.example.test/", STAMPED, authority.trusted)


def test_heads_are_sent_to_an_address_outside(
    server: EmbeddedPostgres, honest: str, authority: Authority
) -> None:
    with connect(server.dsn(honest, role="writer")) as writer:
        heads = day_heads(writer)
        assert heads
        sent = send_heads(writer, f"{authority.url}copy")
        assert sent == heads
        assert [copy["body"] for copy in authority.received] == [head.body for head in heads]
        assert send_heads(writer, f"{authority.url}copy") == [], "each is sent once"
        for _ in range(2):
            with pytest.raises(ProblemsError, match="waits"):
                send_heads(writer, "http://127.0.0.1:9/")


class Inbox:
    """A mail server that keeps what it is sent, and takes nothing from somebody unknown."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.controller = Controller(
            self,
            hostname="0.0.0.0",
            port=free_port(),
            auth_required=True,
            auth_require_tls=False,
            authenticator=_knows,
        )

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:  # noqa: N802
        self.received.append(message_from_bytes(envelope.content, policy=default))
        return "250 kept"


def _knows(_server: object, _session: object, _envelope: object, _how: str, login: Any) -> AuthResult:
    # Not handled: the server itself tells who is refused; otherwise nobody does, and the client waits.
    return AuthResult(success=(login.login, login.password) == (b"site", b"secret"), handled=False)


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_heads_are_sent_by_mail_once_and_by_the_right_login_alone(
    server: EmbeddedPostgres, honest: str, tmp_path: Path
) -> None:
    inbox, secret = Inbox(), tmp_path / "password"
    inbox.controller.start()
    try:
        address = f"smtp://site@127.0.0.1:{inbox.controller.port}"
        to = "mailto:regulator@example.test"
        with connect(server.dsn(honest, role="writer")) as writer:
            secret.write_text("wrong\n")
            read = partial(MailServer.read, address, sender="house@example.test", password=secret)
            with pytest.raises(ProblemsError, match="waits"):
                send_heads(writer, to, read())
            with pytest.raises(ProblemsError, match="no mail server is set"):
                send_heads(writer, to)
            secret.write_text("secret\n")
            heads = send_heads(writer, to, read())
            assert heads == day_heads(writer)
            assert send_heads(writer, to, read()) == []
    finally:
        inbox.controller.stop()
    assert [mail["To"] for mail in inbox.received] == ["regulator@example.test"] * len(heads)
    lines = [mail.get_content().splitlines()[-1] for mail in inbox.received]
    assert [json.loads(line) for line in lines] == [plain_head(head) for head in heads]


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_a_mail_server_elsewhere_must_offer_tls() -> None:
    for address in ("http://127.0.0.1", "smtp:", "smtp://site:secret@127.0.0.1"):
        with pytest.raises(ProblemsError, match="the address must be smtp: or smtps:"):
            MailServer.read(address, sender="house@example.test")
    inbox = Inbox()
    inbox.controller.start()
    try:
        address = f"smtp://127.0.0.2:{inbox.controller.port}"
        with pytest.raises(SMTPNotSupportedError):
            MailServer.read(address, sender="house@example.test").send("regulator@example.test", "x", "x")
    finally:
        inbox.controller.stop()
    assert inbox.received == []


#: What is done to the head of a day, and what the audit says.
TAMPERED_HEADS = {
    "a changed day head": (
        "UPDATE books.day_head SET body = replace(body, '\"number\":', '\"number\":1')",
        "its head is not signed with the key of the site",
    ),
    "a removed day head": (
        "DELETE FROM books.day_head WHERE day = (SELECT min(day) FROM books.day_head)",
        "its head does not follow that of the day before",
    ),
}


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize("how", TAMPERED_HEADS)
def test_the_audit_names_the_day(server: EmbeddedPostgres, honest: str, how: str) -> None:
    with connect(server.dsn()) as superuser:
        superuser.execute("DROP DATABASE IF EXISTS books_stamped WITH (FORCE)")
        superuser.execute(f"CREATE DATABASE books_stamped TEMPLATE {honest}".encode())
    sql, message = TAMPERED_HEADS[how]
    with connect(server.dsn("books_stamped")) as owner:
        for table in ("day_anchor", "day_head"):
            owner.execute(f"ALTER TABLE books.{table} DISABLE TRIGGER ALL".encode())
        owner.execute("DELETE FROM books.day_anchor")
        owner.execute(sql.encode())
        problems = head_problems(owner)
    assert [message in problem.what for problem in problems] == [True], problems
