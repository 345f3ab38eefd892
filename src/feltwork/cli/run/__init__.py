"""Commands that run a site."""
