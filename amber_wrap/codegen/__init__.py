"""Write a generated Python file from `lowering.program.Program`, a description of its
content.

`build` also tests the file, and `other_languages` writes files for other tools.
"""
