"""Keys: an nkey for every device and program, and certificates of the house's own authority."""

import datetime
import ipaddress
import os
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nkeys
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from feltwork.problem import Problem, ProblemsError
from feltwork.servers.nats import Certificate
from feltwork.wire.subjects import token

AUTHORITY = "authority"
_YEARS_OF_AUTHORITY = 20
_DAYS = 825


@dataclass(frozen=True, slots=True)
class KeyRing:
    """A folder of keys: whoever can read a file in it is whom the file names, so it is the owner's alone."""

    folder: Path

    def make_authority(self, site: str) -> None:
        """Make the house's authority, once; it signs every server and every device."""
        if self._path(AUTHORITY, "pem").exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        key = ec.generate_private_key(ec.SECP256R1())
        name = _named(f"{site} authority")
        certificate = (
            _certificate(name, name, key.public_key(), days=365 * _YEARS_OF_AUTHORITY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .sign(key, hashes.SHA256())
        )
        self._write(AUTHORITY, key, certificate)

    def make(self, name: str, hosts: Iterable[str] = ()) -> str:
        """Make the certificate and the nkey of a server, device or program; the answer is its public key."""
        if not self._path(name, "seed").exists():
            self._issue(name, hosts)
            seed = nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)
            _write_secret(self._path(name, "seed"), bytes(seed))
        return self.public(name)

    def public(self, name: str) -> str:
        """The public key of somebody who has been made."""
        path = self._path(name, "seed")
        if not path.exists():
            problem = Problem(
                f"key of {name}", "there is none", f"feltwork keys FLOOR {self.folder}", "GEN-07"
            )
            raise ProblemsError([problem])
        public: bytes = nkeys.from_seed(bytearray(path.read_bytes())).public_key
        return public.decode()

    def certificate(self, name: str) -> Certificate:
        """The certificate of somebody, as a server's configuration takes it."""
        return Certificate(
            certificate=self._path(name, "pem"),
            key=self._path(name, "key"),
            authority=self._path(AUTHORITY, "pem"),
        )

    def seed(self, name: str) -> Path:
        """The file with the secret half of the nkey."""
        return self._path(name, "seed")

    def options(self, name: str) -> dict[str, Any]:
        """What `nats.connect` needs to be somebody: the key, TLS on both sides, an inbox of their own."""
        self.public(name)
        context = ssl.create_default_context(cafile=self._path(AUTHORITY, "pem"))
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(self._path(name, "pem"), self._path(name, "key"))
        return {
            "name": name,
            "tls": context,
            "nkeys_seed": str(self._path(name, "seed")),
            "inbox_prefix": inbox_of(name),
        }

    def _issue(self, name: str, hosts: Iterable[str]) -> None:
        key_file = self._path(AUTHORITY, "key")
        if not key_file.exists():
            remedy = f"bring it back to {key_file}, and lock it away again afterwards"
            raise ProblemsError([Problem(f"key of {name}", "the authority's key is away", remedy, "GEN-07")])
        authority = x509.load_pem_x509_certificate(self._path(AUTHORITY, "pem").read_bytes())
        signer = serialization.load_pem_private_key(key_file.read_bytes(), None)
        assert isinstance(signer, ec.EllipticCurvePrivateKey)
        key = ec.generate_private_key(ec.SECP256R1())
        names = [_host(host) for host in hosts]
        builder = _certificate(_named(name), authority.subject, key.public_key(), days=_DAYS).add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        self._write(name, key, builder.sign(signer, hashes.SHA256()))

    def _write(self, name: str, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        secret = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        _write_secret(self._path(name, "key"), secret)
        self._path(name, "pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def _path(self, name: str, kind: str) -> Path:
        return self.folder / f"{token(name)}.{kind}"


def inbox_of(name: str) -> str:
    """Where answers to somebody go: nobody else may listen there."""
    return f"_INBOX.{token(name)}"


def _write_secret(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, *, days: int
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(tz=datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(days=days))
    )
