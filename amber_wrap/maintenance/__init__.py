"""Maintain wrappers: detect changes of a site, and repair wrappers."""
