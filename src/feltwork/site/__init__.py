"""The books, the wire, the tables and the screens of a site."""
