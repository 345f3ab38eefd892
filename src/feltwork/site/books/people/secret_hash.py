"""Hashes of PINs and passwords: argon2 over an HMAC with a key that is stored outside the database.

A PIN has four digits, so a copy of the database alone would let anyone try them all. A hash begins with the
id of its key; one without an id was made without a key.
"""

import hmac
import os
import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


def hash_of(secret: str, key: bytes = b"") -> str:
    """The stored hash of a PIN or password."""
    if not key:
        return _hasher().hash(secret)
    return f"{key_id(key)}:{_hasher().hash(_keyed(secret, key))}"


def matches(stored_hash: str, secret: str, key: bytes) -> bool:
    """Whether a secret is the one that was hashed."""
    is_keyed, _, bare = stored_hash.rpartition(":")
    try:
        return _hasher().verify(bare, _keyed(secret, key) if is_keyed else secret)
    except (VerificationError, InvalidHashError):
        return False


def key_of(stored_hash: str) -> str:
    """The id of the key that a hash was made with; empty without one."""
    return stored_hash.rpartition(":")[0]


def key_id(key: bytes) -> str:
    """The id of a key, from which the key cannot be computed; empty without a key."""
    return hmac.digest(key, b"id", "sha256")[:6].hex() if key else ""


@cache
def decoy() -> str:
    """A hash that no secret matches, so checking an unknown badge takes as long as a known one."""
    return _hasher().hash(secrets.token_hex(16))


def _keyed(secret: str, key: bytes) -> str:
    return hmac.digest(key, secret.encode(), "sha256").hex()


@cache
def _hasher() -> PasswordHasher:
    """Argon2 at its recommended cost; FELTWORK_TEST_HASHES lowers it where PINs protect nothing."""
    if os.environ.get("FELTWORK_TEST_HASHES"):
        return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    return PasswordHasher()
