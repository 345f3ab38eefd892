"""Tables: rounds, controllers and their messages, corrections, and who is signed on."""
