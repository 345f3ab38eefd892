"""The answers of the service about house jackpots."""
