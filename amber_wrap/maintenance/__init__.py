"""What keeps wrappers alive: noticing that a site changed, and repair."""
