"""The passes, each a function from values to a value; `pipeline` has their order."""
