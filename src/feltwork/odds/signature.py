"""Detached signatures: Ed25519 over the bytes of a file, compatible with OpenSSL."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from feltwork.problem import Problem, ProblemsError

_HOW = "make one with: openssl genpkey -algorithm ed25519 -out key.pem"
_HOW_PUBLIC = "extract it with: openssl pkey -in key.pem -pubout -out public.pem"


def sign(content: bytes, private_key: bytes, *, where: str) -> bytes:
    """Return the signature of a file, with a private key in PEM."""
    try:
        key = load_pem_private_key(private_key, password=None)
    except (ValueError, TypeError) as error:
        raise ProblemsError([Problem(where, "is not a private key without a password", _HOW)]) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ProblemsError([Problem(where, "is not an Ed25519 key", _HOW)])
    return key.sign(content)


def is_signed(content: bytes, signature: bytes, public_key: bytes, *, where: str) -> bool:
    """Whether the owner of a public key in PEM has signed exactly these bytes."""
    try:
        key = load_pem_public_key(public_key)
    except ValueError as error:
        raise ProblemsError([Problem(where, "is not a public key", _HOW_PUBLIC)]) from error
    if not isinstance(key, Ed25519PublicKey):
        raise ProblemsError([Problem(where, "is not an Ed25519 key", _HOW_PUBLIC)])
    try:
        key.verify(signature, content)
    except InvalidSignature:
        return False
    return True
