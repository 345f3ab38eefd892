"""PostgreSQL and NATS as child processes, for one machine, the demo and the tests."""
