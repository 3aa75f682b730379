"""The manual in the window, and the first steps."""
