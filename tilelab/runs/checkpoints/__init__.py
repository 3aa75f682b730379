"""What an active run keeps on disk, so that it can be resumed."""
