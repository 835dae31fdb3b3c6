"""Code that runs here and, copied, inside every generated file.

One home for what both must do alike: bytes to tree, tree to displayed text, displayed
text to typed value.  A module here imports the standard library, lxml, parsel and
w3lib only, and holds constants, functions and types only: `codegen.blocks` copies
single definitions together with all that they use.
"""
