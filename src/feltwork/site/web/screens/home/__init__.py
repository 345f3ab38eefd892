"""Home and sign-in."""
