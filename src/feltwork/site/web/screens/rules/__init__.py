"""The explanation of a rule code such as WA-24."""
