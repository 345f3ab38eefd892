"""The books: PostgreSQL as the record of every jackpot cent, and the functions that write and read it."""
