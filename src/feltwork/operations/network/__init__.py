"""Network links: what the hub does with the messages of its sites and with the clock."""
