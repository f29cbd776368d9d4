"""Speed and memory, measured by scripts that anyone can run."""
