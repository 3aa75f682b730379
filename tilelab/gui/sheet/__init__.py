"""Drawing sheets: into files, and in a preview before printing."""
