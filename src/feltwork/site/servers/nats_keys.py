"""Keys: an nkey for every device and program, and certificates of the house's own authority."""

import datetime
import hashlib
import hmac
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
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from feltwork.problem import Problem, ProblemsError
from feltwork.site.servers.nats import Certificate
from feltwork.site.wire.subjects import name_of, token

AUTHORITY = "authority"
#: Certificates last as long as the authority that signs them: its key is locked away, so nothing could renew
#: them automatically. A device is locked out by its nkey, not by the end of its certificate.
_YEARS = 20
_SERVER = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
_CLIENT = [ExtendedKeyUsageOID.CLIENT_AUTH]


@dataclass(frozen=True, slots=True)
class KeyRing:
    """A folder of keys, readable by its owner only: a file lets its reader act as the name it belongs to."""

    folder: Path

    def make_authority(self, site: str) -> None:
        """Make the house's authority, once; it signs every server and every device."""
        if self._path(AUTHORITY, "pem").exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        key = ec.generate_private_key(ec.SECP256R1())
        name = _named(f"{site} authority")
        end = datetime.datetime.now(tz=datetime.UTC) + datetime.timedelta(days=365 * _YEARS)
        self._write_key(AUTHORITY, key)
        self._write(AUTHORITY, _certificate(name, name, key.public_key(), end=end, signs=True), key)

    def make(self, name: str, hosts: Iterable[str] = ()) -> str:
        """Make the certificate and the nkey of a server, device or program, and return its public key."""
        if not self._path(name, "seed").exists():
            key = ec.generate_private_key(ec.SECP256R1())
            seed = bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER))
            self._issue(name, key.public_key(), hosts, public_half(seed))
            self._write_key(name, key)
            _write_secret(self._path(name, "seed"), seed)
        elif hosts := set(hosts) - set(self.hosts(name)):
            self.renew(name, hosts)
        return self.public(name)

    def replace(self, name: str) -> str:
        """Make new keys for a device whose keys were stolen; reconfigured servers reject the old ones."""
        self.public(name)
        hosts = self.hosts(name)
        self._path(name, "seed").unlink()
        return self.make(name, hosts)

    def renew(self, name: str, hosts: Iterable[str] = ()) -> None:
        """Issue a certificate again for the same key, with more host names; only the .pem file changes."""
        held = self._certificate_of(name).public_key()
        assert isinstance(held, ec.EllipticCurvePublicKey)
        hosts = dict.fromkeys((*self.hosts(name), *hosts))
        self._issue(name, held, hosts, self.public(name) if self.seed(name).exists() else self.bound_to(name))

    def names(self) -> list[str]:
        """All names with a certificate, the authority last."""
        names = sorted(name_of(path.stem) for path in self.folder.glob("*.pem"))
        return sorted(names, key=lambda name: name == AUTHORITY)

    def hosts(self, name: str) -> list[str]:
        """The host names of a certificate."""
        try:
            extension = self._certificate_of(name).extensions.get_extension_for_class(
                x509.SubjectAlternativeName
            )
        except x509.ExtensionNotFound:
            return []
        return [str(host.value) for host in extension.value]

    def days_left(self, name: str) -> float:
        """The number of days until a certificate expires."""
        left = self._certificate_of(name).not_valid_after_utc - datetime.datetime.now(tz=datetime.UTC)
        return left / datetime.timedelta(days=1)

    def public(self, name: str) -> str:
        """The public key of a name; raises if it has none."""
        path = self._path(name, "seed")
        if not path.exists():
            problem = Problem(
                f"key of {name}",
                "there is none",
                f"feltwork init --keys {self.folder} --floor FLOOR",
                "GEN-07",
            )
            raise ProblemsError([problem])
        return public_half(path.read_bytes())

    def bound_to(self, name: str) -> str:
        """The public key that a certificate names as its owner's; empty if issued by an earlier release."""
        return key_named_by(self._certificate_of(name).subject)

    def fingerprint(self, name: str) -> str:
        """The SHA-256 of a certificate's public key, as nats-server pins it; the same after a renewal."""
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        held = self._certificate_of(name).public_key().public_bytes(serialization.Encoding.DER, form)
        return hashlib.sha256(held).hexdigest()

    def certificate(self, name: str) -> Certificate:
        """The certificate files of a name, for the configuration of a server."""
        return Certificate(
            certificate=self._path(name, "pem"),
            key=self._path(name, "key"),
            authority=self._path(AUTHORITY, "pem"),
        )

    def seed(self, name: str) -> Path:
        """The file with the secret half of the nkey."""
        return self._path(name, "seed")

    def options(self, name: str) -> dict[str, Any]:
        """Options of `nats.connect` for a name: the key, mutual TLS, and its own inbox."""
        self.public(name)
        context = ssl.create_default_context(cafile=self._path(AUTHORITY, "pem"))
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.verify_flags |= ssl.VERIFY_X509_STRICT  # the default from Python 3.13 on
        context.load_cert_chain(self._path(name, "pem"), self._path(name, "key"))
        return {
            "name": name,
            "tls": context,
            "nkeys_seed": str(self._path(name, "seed")),
            "inbox_prefix": inbox_of(name),
        }

    def derived_seed(self, name: str, purpose: str) -> bytes:
        """A second seed of a name, derived from its own, so there is no extra file to make and copy."""
        self.public(name)
        secret = hmac.digest(self.seed(name).read_bytes(), purpose.encode(), "sha256")
        return bytes(nkeys.encode_seed(secret, nkeys.PREFIX_BYTE_USER))

    def derived_options(self, name: str, purpose: str) -> dict[str, Any]:
        """Options of `nats.connect` for a name's second seed, with the same certificate."""
        options = self.options(name) | {"name": purpose, "inbox_prefix": inbox_of(purpose)}
        del options["nkeys_seed"]
        return options | {"nkeys_seed_str": self.derived_seed(name, purpose).decode()}

    def _certificate_of(self, name: str) -> x509.Certificate:
        return x509.load_pem_x509_certificate(self._path(name, "pem").read_bytes())

    def _issue(self, name: str, key: ec.EllipticCurvePublicKey, hosts: Iterable[str], nkey: str) -> None:
        """Sign a certificate; it names the nkey of its owner, so the two can only be used together."""
        key_file = self._path(AUTHORITY, "key")
        if not key_file.exists():
            remedy = f"copy it back to {key_file}, try again, then lock it away again"
            raise ProblemsError(
                [Problem(f"key of {name}", "the authority's key is not in this folder", remedy, "GEN-07")]
            )
        authority = self._certificate_of(AUTHORITY)
        signer = serialization.load_pem_private_key(key_file.read_bytes(), None)
        assert isinstance(signer, ec.EllipticCurvePrivateKey)
        names = [_host(host) for host in hosts]
        end = authority.not_valid_after_utc
        builder = (
            _certificate(_named(name, nkey), authority.subject, key, end=end, signs=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
            )
            .add_extension(x509.ExtendedKeyUsage(_SERVER if names else _CLIENT), critical=False)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        self._write(name, builder, signer)

    def _write(self, name: str, builder: x509.CertificateBuilder, signer: ec.EllipticCurvePrivateKey) -> None:
        certificate = builder.sign(signer, hashes.SHA256())
        new = self._path(name, "new")
        new.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        new.replace(self._path(name, "pem"))

    def _write_key(self, name: str, key: ec.EllipticCurvePrivateKey) -> None:
        secret = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        _write_secret(self._path(name, "key"), secret)

    def _path(self, name: str, kind: str) -> Path:
        return self.folder / f"{token(name)}.{kind}"


def inbox_of(name: str) -> str:
    """The inbox for replies to a name; no other may subscribe to it."""
    return f"_INBOX.{token(name)}"


def _write_secret(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)


def public_half(seed: bytes) -> str:
    """The public key of a seed."""
    public: bytes = nkeys.from_seed(bytearray(seed)).public_key
    return public.decode()


def name_in(subject: x509.Name) -> str:
    """The name in the subject of a certificate."""
    return "".join(str(attribute.value) for attribute in subject.get_attributes_for_oid(NameOID.COMMON_NAME))


def key_named_by(subject: x509.Name) -> str:
    """The public key that the subject of a certificate names; empty if none."""
    return "".join(
        str(attribute.value) for attribute in subject.get_attributes_for_oid(NameOID.SERIAL_NUMBER)
    )


def _named(name: str, nkey: str = "") -> x509.Name:
    attributes = [x509.NameAttribute(NameOID.COMMON_NAME, name[:64])]
    return x509.Name([*attributes, x509.NameAttribute(NameOID.SERIAL_NUMBER, nkey)] if nkey else attributes)


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    *,
    end: datetime.datetime,
    signs: bool,
) -> x509.CertificateBuilder:
    """Build a certificate that passes strict verification, the default from Python 3.13 on."""
    now = datetime.datetime.now(tz=datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=signs, path_length=0 if signs else None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        .add_extension(
            x509.KeyUsage(
                digital_signature=not signs,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=signs,
                crl_sign=signs,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
    )
