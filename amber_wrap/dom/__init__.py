"""From bytes to a page, and measures on it."""
