"""Render a program as a standalone Python file.

The input is the straight-line program that `lowering` makes of a wrapper.  `render`
fills the template with the code that `statements` writes, and checks the syntax tree.
Only `literals`, `layout` and `blocks` convert data to code.  `build` runs the file on
the samples.
"""
