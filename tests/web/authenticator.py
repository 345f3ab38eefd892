"""A software security key: P-256 keys, signed challenges, and a signature counter."""

import hashlib
import json
import secrets
from copy import copy
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

_PRESENT, _ATTESTED = 0x01, 0x40


class Authenticator:
    """A key of one person for one origin."""

    def __init__(self, origin: str, host: str = "localhost") -> None:
        self.origin = origin
        self.host = host
        self.id = secrets.token_bytes(32)
        self.counter = 0
        self._key = ec.generate_private_key(ec.SECP256R1())

    def cloned(self) -> "Authenticator":
        """A clone with the same key and the current counter."""
        return copy(self)

    def make(self, options: dict[str, Any], *, attestation: str = "none") -> dict[str, Any]:
        """Respond to registration options."""
        client_data = self._said("webauthn.create", options["challenge"])
        numbers = self._key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        public = encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        data = self._data(_PRESENT | _ATTESTED) + attested
        statement = {"alg": -7, "sig": self._sign(data, client_data)} if attestation == "packed" else {}
        attestation_object = encode_cbor({"fmt": attestation, "attStmt": statement, "authData": data})
        return self._credential(clientDataJSON=client_data, attestationObject=attestation_object)

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Respond to sign-in options."""
        client_data = self._said("webauthn.get", options["challenge"])
        data = self._data(_PRESENT)
        return self._credential(
            clientDataJSON=client_data,
            authenticatorData=data,
            signature=self._sign(data, client_data),
            userHandle=b"gus",
        )

    def _said(self, kind: str, challenge: str) -> bytes:
        assert base64url_to_bytes(challenge)
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        self.counter += 1
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big")

    def _sign(self, data: bytes, client_data: bytes) -> bytes:
        return self._key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))

    def _credential(self, **response: bytes) -> dict[str, Any]:
        name = bytes_to_base64url(self.id)
        fields = {field: bytes_to_base64url(value) for field, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": fields}
