"""What a floor is asked, by what is looked at: tables, links, meters, people."""
