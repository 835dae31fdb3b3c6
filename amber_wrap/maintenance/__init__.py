"""Maintain wrappers: detect changes of a site, and repair wrappers.

- `annotator_check` detects values that no longer look like their types,
- `healing` makes a new wrapper, and decides whether it replaces the old one,
- `attempts` makes the wrappers to choose from,
- `matching` matches the fields of the old and a new wrapper,
- `wrapper_differences` shows how they differ.
"""
