"""The functions of `import feltwork`: settlement, odds, advice and meters."""
