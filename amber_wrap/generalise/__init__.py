"""From an extraction typing to a wrapper: where the paper stops and code begins."""
