"""What a run leaves on disk while it goes on, so that it can be resumed."""
