"""From the IR to a standalone Python file, and back."""
