"""What runs in the reader's browser: Python beside the scripts that call it."""
