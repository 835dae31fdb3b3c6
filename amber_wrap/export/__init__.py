"""Export a wrapper in the form of another tool: `export WRAPPER --to TARGET`.

The input is a `target.Subject`: the program of a generated file, which is stored beside
that file.  Each target is one module.  A target returns files and names what the tool
can't express.  `targets` lists all targets; `templates/<target>/` holds the texts.
"""
