"""The page of whoever is signed in."""
