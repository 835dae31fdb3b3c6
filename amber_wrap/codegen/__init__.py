"""Write the content of a generated file, made from a wrapper, as Python source.

`build` also tests the file, and `other_languages` exports the content to other tools.
"""
