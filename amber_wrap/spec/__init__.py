"""Read, write and build a wrapper's spec `<name>.toml`, which holds people's decisions.

The input is the file beside a wrapper. The output is samples, options and decisions for
the pipeline. `reader` parses a `Spec`. `writer` writes a spec and keeps people's
comments. `building` compiles specs into wrappers. The induction name of a column is the
name that induction gave. People may choose another name.
"""
