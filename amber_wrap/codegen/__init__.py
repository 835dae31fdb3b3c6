"""Render a program as a standalone Python file.

The input is the straight-line program that `lowering` makes of a wrapper.  `render`
fills the template with the code that `statements` writes. `injection_check` checks the
syntax tree.  Only `python_source` and `helper_library` convert data to code.  `build`
runs the file on the samples.
"""
