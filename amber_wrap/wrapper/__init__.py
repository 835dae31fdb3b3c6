"""The wrapper: its representation, its expressions, its interpreter."""
