"""The record of what the product does, for proof that a refactoring changes nothing."""
