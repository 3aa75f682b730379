"""Copying of arrays, in fewer seconds of compiling than ``target[:] = source`` takes.

numba compiles with that what it would say of arrays that differ in length: a second and a half, in
each process that compiles anything.
"""

from tilelab.kernels.decorators import part


@part
def copy_into(target, source):
    """Copy an array of one dimension into another one of the same length."""
    for index in range(target.shape[0]):
        target[index] = source[index]
