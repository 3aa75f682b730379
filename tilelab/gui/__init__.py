"""The window: widgets and one worker; nothing here computes."""
