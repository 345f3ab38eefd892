"""Network links: one progressive, many sites, one hub; neither side does I/O."""
