"""What the system knows of a domain: types, pivots, patterns, gazetteers."""
