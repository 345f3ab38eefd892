"""Operations: one typed function for each action of a person or a device, called by every entry point."""
