"""The command line: the same runs as in the window, without one."""
