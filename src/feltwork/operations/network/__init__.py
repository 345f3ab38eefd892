"""Network links: the handling of messages and timers at hubs, aggregators and sites."""
