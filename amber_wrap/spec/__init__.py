"""The spec of a wrapper, `<name>.toml`: what people decide, and the source of the rest.

In: the file beside a wrapper; out: samples, options and decisions for the pipeline.
`reader` makes a `Spec` of the text, `writer` writes one and changes one that people
wrote in, `build` compiles specs to wrappers.
"""
