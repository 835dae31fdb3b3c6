"""Maintain wrappers: detect changes of a site, and repair wrappers.

`healing` makes a new wrapper, and decides whether it replaces the old one.
"""
