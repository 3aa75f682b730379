"""Several solvers on one puzzle, side by side, and a paper's algorithms one after another."""
