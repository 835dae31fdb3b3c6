"""The wrapper: its representation, its XPath expressions, and its file."""
