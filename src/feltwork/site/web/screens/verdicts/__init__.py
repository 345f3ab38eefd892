"""The verdicts on the letters' figures."""
