"""A wrapper in the form of another tool: `amber-wrap export WRAPPER --to TARGET`.

In comes a `target.Subject`: the program of a generated file, which is stored beside it.
A target, one module each, makes files of it and says what the tool can't express;
`targets` lists them all.  What is text comes of `templates/<target>/`.
"""
