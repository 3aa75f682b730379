"""The sample's own tests run where it is installed."""

collect_ignore = ["lights"]
