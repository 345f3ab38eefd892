"""E-mail through the site's mail server, with TLS unless it is on this machine."""

import smtplib
import ssl
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote, urlsplit

from feltwork.problem import Problem, ProblemsError

_SECONDS = 30
_PORTS = {"smtp": 587, "smtps": 465}
_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """A mail server, with its login and the site's sender address."""

    host: str
    port: int
    is_tls: bool
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def read(cls, address: str, *, sender: str, password: Path | None = None) -> "MailServer":
        """Parse an address: ``smtp:``, or ``smtps:`` to begin with TLS, then user, host and port."""
        parts = urlsplit(address)
        if parts.scheme not in _PORTS or not parts.hostname or parts.password or "@" not in sender:
            what = (
                "the address must be smtp: or smtps: with a host and optionally a user, "
                "and the sender must be an e-mail address"
            )
            raise ProblemsError(
                [Problem("FELTWORK_MAIL", what, "correct FELTWORK_MAIL or FELTWORK_MAIL_FROM")]
            )
        return cls(
            host=parts.hostname,
            port=parts.port or _PORTS[parts.scheme],
            is_tls=parts.scheme == "smtps",
            sender=sender,
            user=unquote(parts.username or ""),
            password=password.read_text(encoding="utf-8").strip() if password else "",
        )

    def send(self, to: str, subject: str, text: str) -> None:
        """Send one message; raise if the server does not accept it."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, to, subject
        message.set_content(text)
        with self._connect() as server:
            if self.user:
                server.login(self.user, self.password)
            server.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        trusted = ssl.create_default_context()
        if self.is_tls:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=_SECONDS, context=trusted)
        server = smtplib.SMTP(self.host, self.port, timeout=_SECONDS)
        if self.host not in _HERE:
            try:
                server.starttls(context=trusted)
            except BaseException:
                server.close()
                raise
        return server
