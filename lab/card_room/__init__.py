"""One simulated card room: tables, the log of their messages and its bookkeeper, in virtual time."""
