"""Everything a person or a device may do: one typed function each, called by every entry point."""
