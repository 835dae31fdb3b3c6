"""Pages that were made to hurt: a seeded generator, a module for each family of them.

`generator` draws cases by number, `run` takes one through every command, and `campaign`
runs many in processes that are bounded in time and memory.
"""
