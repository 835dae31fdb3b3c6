"""Read, write and build a wrapper's spec, a file `<name>.toml` with people's decisions.

A wrapper has the rules for reading one site's pages. The input is the file beside a
wrapper. The output is samples, options and decisions for the pipeline that makes
wrappers. `reader` parses a `Spec`. `writer` changes the text of a spec and keeps
people's comments. `building` compiles specs into wrappers. `drafting` makes the specs
of new and healed wrappers. To heal a wrapper is to adapt it to changed pages of its
site. `trials` tests generated files on their samples.

To induce a wrapper is to make it from sample pages. The induction name of a column is
the name that the column gets in this way. People may choose another name.
"""
