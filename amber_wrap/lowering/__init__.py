"""Turn a wrapper and its sample pages into the content of a generated Python file.

`lower` returns the content as a `program.Program`, which `codegen` writes as a file.
"""
