"""The ledger: accounts as paths, entries that balance, and a hash chain over them."""
