"""Write a generated Python file from its content, a `lowering.program.Program`.

`build` also tests the file, and `other_languages` exports the content to other tools.
"""
