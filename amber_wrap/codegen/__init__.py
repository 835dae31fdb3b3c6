"""From a program to a standalone Python file.

Input: the straight-line program that `lowering` makes of a wrapper. Output: Python
source. Only `literals`, `layout` and `blocks` convert data to code; `render` fills the
template and checks the syntax tree; `build` runs the result on the samples.
"""
