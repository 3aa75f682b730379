"""Speed, as ratios: to plain Python doing the same work, and to another release."""
