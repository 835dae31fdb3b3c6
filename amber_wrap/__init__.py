"""Compile saved result pages into standalone extractors."""
