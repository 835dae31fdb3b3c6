"""The mutual supervision of AMBER: identify, segment, align."""
