"""Network links: one progressive, many sites, one hub; both halves are pure."""
