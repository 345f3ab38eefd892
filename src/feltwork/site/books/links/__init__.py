"""Links, their versions, their life cycle, and the floors that configure them."""
