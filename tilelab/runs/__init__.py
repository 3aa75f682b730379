"""A run from GO to its files: session, pacer, trace and export."""
