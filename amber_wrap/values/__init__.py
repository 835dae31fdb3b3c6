"""Parse displayed text into typed values."""
