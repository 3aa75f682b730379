"""Speed, each figure beside plain Python doing the same work in the same process."""
