"""Cards and the shoe they are dealt from."""
