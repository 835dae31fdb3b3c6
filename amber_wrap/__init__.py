"""A compiler from saved result pages to standalone extractors."""
