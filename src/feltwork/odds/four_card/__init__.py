"""Four-card hands for counting: values, pay classes, ranked decks."""
