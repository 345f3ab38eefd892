"""The screens of a hub: its network links, their sites and statements."""
