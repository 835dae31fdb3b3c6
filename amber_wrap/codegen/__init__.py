"""From a program to a standalone Python file.

In comes the straight-line program that `lowering` makes of a wrapper; out goes source
text.  `literals`, `layout` and `blocks` are the only gates from data to code, `render`
fills the template and checks the syntax tree, `build` runs the result on the samples.
"""
