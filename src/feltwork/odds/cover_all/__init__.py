"""Cover All: how often the best of several hands reaches a category."""
