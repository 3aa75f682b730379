"""Copying of arrays that compiles faster than ``target[:] = source``.

For such an assignment, numba also compiles its message about arrays of different lengths. That
takes a second and a half in each process that compiles anything.
"""

from tilelab.kernels.decorators import part


@part
def copy_into(target, source):
    """Copy a one-dimensional array into another one of the same length."""
    for index in range(target.shape[0]):
        target[index] = source[index]
