"""Secrets of people in tests: a hash in microseconds, where the default takes a quarter of a second."""

from argon2 import PasswordHasher


def light_hash(secret: str) -> str:
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(secret)
