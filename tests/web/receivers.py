"""Real receivers of notifications: a mail server and a webhook on this machine."""

import json
import threading
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from feltwork.site.servers.ports import listen

PATIENCE_SECONDS = 30.0


def wait_until(condition: Callable[[], Any], *, seconds: float = PATIENCE_SECONDS) -> None:
    """Wait for something to come true."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.05)


class Mailbox:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, str, str]] = []
        with listen("127.0.0.1", 0) as free:
            port = free.getsockname()[1]
        self._controller = Controller(self, hostname="127.0.0.1", port=port)
        self._controller.start()
        self.url = f"mailto://127.0.0.1:{port}?from=feltwork@site.example&to=eve@site.example&mode=insecure"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        body = mail.get_body(("plain", "html"))
        assert body is not None
        self.mails.append((envelope.rcpt_tos[0], str(mail["Subject"]), body.get_content()))
        return "250 OK"

    def close(self) -> None:
        self._controller.stop()


class Webhook:
    """A web server that keeps the JSON it gets by path, and refuses the first ``refuses`` requests."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.refuses = 0
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                refused = hook.refuses > 0
                hook.refuses -= refused
                if not refused:
                    hook.calls.append((self.path.strip("/"), body))
                self.send_response(500 if refused else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, name: str) -> str:
        return f"json://127.0.0.1:{self._server.server_port}/{name}"

    def titles(self, name: str, about: str = "") -> list[str]:
        """The titles of what a recipient got."""
        return [body["title"] for path, body in self.calls if path == name and about in body["title"]]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
