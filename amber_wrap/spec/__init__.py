"""Read, write and build specs: files `<name>.toml` with people's decisions about a
wrapper, the rules for reading a site's pages.

- `reader` parses a `Spec`,
- `writer` changes the text of a spec, and keeps people's comments,
- `building` compiles specs into wrappers,
- `drafting` makes the specs of new wrappers, and of wrappers adapted to changed pages
  (healed),
- `trials` tests generated files on their sample pages.
"""
