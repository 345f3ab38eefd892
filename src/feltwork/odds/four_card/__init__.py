"""Four-card hands as counting sees them: values, pay classes, whole decks ranked."""
