"""Link journals: entries in a hash chain, the state of a link, transactions and idempotency keys."""
