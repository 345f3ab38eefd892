"""People: sign-in, secrets, access reviews, and two-person decisions."""
