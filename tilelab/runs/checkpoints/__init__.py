"""What a run keeps on disk while it goes on, so that it can be resumed."""
