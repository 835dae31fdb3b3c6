"""Read, write and build specs: TOML files with people's decisions about a wrapper, the
rules for reading a site's pages.

- `reader` parses a `Spec`,
- `writer` changes the text of a spec, and keeps people's comments,
- `building` compiles specs into wrappers,
- `drafting` makes the spec of a new wrapper, and of a healed wrapper, which is one
  adapted to changed pages,
- `trials` tests generated files on their sample pages.
"""
