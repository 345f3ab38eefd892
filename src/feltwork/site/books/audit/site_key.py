"""The key of a site: it signs bundles and the chain heads of each day, in the format of minisign."""

import base64
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.progressive.refusal import refuse

#: File names of the private and the public key in the folder of the site's keys.
PRIVATE, PUBLIC = "site.key", "site.pub"
_COMMENT = "untrusted comment: signature by the key of a site"


@dataclass(frozen=True, slots=True)
class SiteKey:
    """The private key of a site."""

    private: Ed25519PrivateKey

    @property
    def public(self) -> str:
        """The public key as minisign writes it."""
        return base64.b64encode(b"Ed" + self._id + self.private.public_key().public_bytes_raw()).decode()

    @property
    def _id(self) -> bytes:
        return hashlib.sha256(self.private.public_key().public_bytes_raw()).digest()[:8]

    def sign(self, content: bytes, comment: str) -> str:
        """Make a detached signature that ``minisign -V`` accepts; the comment is signed too."""
        signature = self.private.sign(hashlib.blake2b(content).digest())
        trusted = self.private.sign(signature + comment.encode())
        parts = (base64.b64encode(b"ED" + self._id + signature), base64.b64encode(trusted))
        return f"{_COMMENT}\n{parts[0].decode()}\ntrusted comment: {comment}\n{parts[1].decode()}\n"


def is_signed_by(public: str, content: bytes, signature: str) -> bool:
    """Whether a public key has signed this content; the comment is ignored."""
    try:
        signed = base64.b64decode(signature.split("\n")[1], validate=True)[10:]
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True)[10:])
        key.verify(signed, hashlib.blake2b(content).digest())
    except (ValueError, IndexError, InvalidSignature):
        return False
    return True


def register_public_key(connection: Connection, public: str) -> None:
    """Record the public key of the site in the books, once."""
    connection.execute(statement("register_site_key"), (public,))


def make_site_key(folder: Path) -> SiteKey:
    """Return the key of a site, made if missing, and write its public part next to it."""
    path = folder / PRIVATE
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        text = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text)
    key = read_site_key(path)
    public = f"untrusted comment: public key of a site\n{key.public}\n"
    (folder / PUBLIC).write_text(public, encoding="utf-8")
    return key


def read_site_key(path: Path) -> SiteKey:
    """The private key in a file."""
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
        assert isinstance(private, Ed25519PrivateKey)
    except (OSError, ValueError, AssertionError) as error:
        remedy = "run feltwork init --keys, or restore the key from its backup"
        raise ProblemsError([Problem(str(path), "it is not the key of a site", remedy, "GEN-09")]) from error
    return SiteKey(private)


def site_key_in(keys: Path | None) -> SiteKey | None:
    """Read the site key from the folder of keys; None if there is none."""
    return read_site_key(keys / PRIVATE) if keys and (keys / PRIVATE).exists() else None


def verify_site_key(connection: Connection, key: SiteKey) -> None:
    """Raise unless the books know the key; register the first key that signs."""
    keys = connection.execute(statement("site_keys")).fetchall()
    if not keys:
        register_public_key(connection, key.public)
    elif (key.public,) not in keys:
        remedy = "run feltwork init --keys as the owner of the books"
        raise refuse("site key", "the books do not know this key", remedy, "GEN-09")
