"""Commands that set up a site."""
