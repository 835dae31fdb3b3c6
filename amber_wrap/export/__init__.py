"""Export a wrapper to the format of another tool: `export WRAPPER --to TARGET`.

Each target is a module, and `target_list` lists all targets.  The input of a target is
a `target.Subject`, which holds the program of a generated file.  The output is files,
and diagnostics for what the tool can't express.  The templates of the files are in
`templates/<target>/`.
"""
