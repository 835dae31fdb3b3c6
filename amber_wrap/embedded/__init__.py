"""The engine of the interpreter: what reads pages by a wrapper, and judges them.

Bytes to tree (`markup`), tree to records and values (`reading`, `ensemble`), displayed
text to typed value (`values`, `dates`), and the contract (`contract`, `verdict`).  It
works on lxml's trees, at little more than the cost of parsing, for `apply` and the
workers; a generated file has none of it.
"""
