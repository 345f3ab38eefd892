"""Who a request comes from, sign-in, security keys, idempotency, and what browsers may do."""
