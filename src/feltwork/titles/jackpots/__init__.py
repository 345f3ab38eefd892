"""The jackpots that sit on games, one folder each."""
