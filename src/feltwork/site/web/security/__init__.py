"""Authentication, sign-in, security keys, idempotency, limits, and browser security."""
