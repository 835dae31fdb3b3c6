"""Wrappers applied to many pages: where pages come from, where records go."""
