"""People: sign-in, secrets, access reviews, and what two people decide together."""
