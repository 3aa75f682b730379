"""The panel of parameters: one control for each that is declared."""
