"""The odds of each built-in title, declared as `ODDS`."""
