"""A zip of one JSON header and some numpy arrays, read with suspicion.

Sizes are compared with what was declared before anything is read, and the memory needed is at most
the size of the file and :data:`MAX_PACKED`: large arrays are stored as they are.
"""

import hashlib
import io
import json
import math
import os
import struct
import zipfile
from collections.abc import Mapping
from typing import BinaryIO

import numpy as np
from pydantic import JsonValue

from tilelab.core.errors import RunFileError, TileLabError, errors_as, reason
from tilelab.core.memory import free_bytes
from tilelab.core.plain import AnyArray, Arrays, JsonObject, parse_json, require_few_values
from tilelab.core.text.language import figures

HEADER = "header.json"
SUFFIX = ".npy"
MAX_HEADER = 8 << 20  # largest header in bytes
MAX_PACKED = 128 << 20  # largest size of all packed arrays together, unpacked, in bytes
_MAX_PACKED_ONE = 16 << 20
_MAX_MEMBERS = 1000
_MAX_DIRECTORY = 1 << 20
_MAX_DIMENSIONS = 4
_MAX_NPY_HEADER = 1000
_NPY_VERSION = (1, 0)
_KINDS = "biufU"
_PIECE = 1 << 20  # number of bytes that are written at a time
_TIME = (1980, 1, 1, 0, 0, 0)
_ZIP_START = b"PK\x03\x04"
RawHeader = dict[str, JsonValue]  # a header in the form in which it was read, of any version


def write_zip(file: BinaryIO, header: JsonObject, arrays: Mapping[str, AnyArray]) -> None:
    """Write a header and arrays of plain numbers and text, always the same bytes; RunFileError."""
    table = {name: _declare_array(array) for name, array in arrays.items()}
    text = json.dumps({**header, "arrays": table}, allow_nan=False).encode("ascii")
    if len(text) > MAX_HEADER:
        raise RunFileError.tr(
            "the header takes {n_bytes} bytes; {max_header} are allowed",
            n_bytes=figures(len(text), ","),
            max_header=figures(MAX_HEADER, ","),
        )
    try:
        require_few_values(text)
    except TileLabError as error:
        raise RunFileError(f"{HEADER}: {error}") from None
    n_packed = 0
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(_member(HEADER, zipfile.ZIP_DEFLATED), text, compresslevel=1)
        for name, array in arrays.items():
            is_packed = array.nbytes <= _MAX_PACKED_ONE and n_packed + array.nbytes <= MAX_PACKED
            n_packed += array.nbytes * is_packed
            method = zipfile.ZIP_DEFLATED if is_packed else zipfile.ZIP_STORED
            _write_array(archive, _member(name + SUFFIX, method), array)


def read_zip(file: BinaryIO) -> tuple[RawHeader, Arrays]:
    """Read what :func:`write_zip` wrote; raises RunFileError with one sentence on any error."""
    with errors_as(_describe_error), zipfile.ZipFile(_require_own_directory(file)) as archive:
        header, table = _header(archive)
        _require_memory(archive.infolist())
        return header, {name: _array(archive, name, table[name]) for name in table}


def read_header(file: BinaryIO) -> RawHeader:
    """Read the header alone, the arrays' names and sizes checked; as :func:`read_zip` otherwise."""
    with errors_as(_describe_error), zipfile.ZipFile(_require_own_directory(file)) as archive:
        return _header(archive)[0]


def read_array(file: BinaryIO, name: str) -> AnyArray | None:
    """Read one array alone, None if there is none of that name; as :func:`read_zip` otherwise."""
    with errors_as(_describe_error), zipfile.ZipFile(_require_own_directory(file)) as archive:
        _, table = _header(archive)
        if name not in table:
            return None
        _require_memory([archive.getinfo(name + SUFFIX)])
        return _array(archive, name, table[name])


def _describe_error(error: Exception) -> RunFileError:
    return error if isinstance(error, RunFileError) else RunFileError(reason(error))


def _header(archive: zipfile.ZipFile) -> tuple[RawHeader, RawHeader]:
    """Read the header and, out of it, what it declares of the arrays."""
    members = archive.infolist()
    names = [member.filename for member in members]
    if len(set(names)) != len(names):
        raise RunFileError.tr("it has two parts of the same name")
    if HEADER not in names:
        raise RunFileError.tr("it is another program's zip: it has no {header}", header=HEADER)
    assert archive.fp is not None
    n_bytes = archive.fp.seek(0, os.SEEK_END)
    for member in members:
        _require_plain(member, n_bytes)
    with archive.open(HEADER) as stream:
        header = parse_json(stream.read(MAX_HEADER + 1))
    if not isinstance(header, dict):
        raise RunFileError.tr("its header is not a JSON object")
    table = header.pop("arrays", None)
    if not isinstance(table, dict) or {name + SUFFIX for name in table} != set(names) - {HEADER}:
        raise RunFileError.tr("its parts are not those that its header names")
    return header, table


def _require_own_directory(file: BinaryIO) -> BinaryIO:
    """Refuse a file that is no TileLab zip before zipfile reads its directory into memory."""
    n_bytes = file.seek(0, os.SEEK_END)
    file.seek(0)
    if file.read(4) != _ZIP_START:
        raise RunFileError.tr("it is not a run file of this program")
    tail_size = min(n_bytes, 22 + 20 + 56)
    file.seek(n_bytes - tail_size)
    tail = file.read(tail_size)
    end = tail[-22:]
    if len(end) < 22 or end[:4] != b"PK\x05\x06" or end[-2:] != b"\0\0":
        raise RunFileError.tr("its end is missing, or something was added to it")
    n_members, size = struct.unpack("<H", end[10:12])[0], struct.unpack("<L", end[12:16])[0]
    if tail[-42:-38] == b"PK\x06\x07":
        record = tail[:56]
        if len(tail) < 98 or record[:4] != b"PK\x06\x06":
            raise RunFileError.tr("the end of its directory is damaged")
        n_members, size = struct.unpack("<QQ", record[32:48])
    if n_members > _MAX_MEMBERS or size > _MAX_DIRECTORY:
        raise RunFileError.tr("it has more than {max_members} parts", max_members=_MAX_MEMBERS)
    return file


def _require_plain(member: zipfile.ZipInfo, n_bytes: int) -> None:
    name = member.filename
    stem = name.removesuffix(SUFFIX)
    is_known = name == HEADER or (name != stem and stem.replace(".", "_").isidentifier())
    if not is_known or not name.isascii():
        raise RunFileError.tr("it has a part {name!r}, which a run file has not", name=name[:60])
    if member.flag_bits & ~0x2 or member.compress_type not in (
        zipfile.ZIP_STORED,
        zipfile.ZIP_DEFLATED,
    ):
        raise RunFileError.tr(
            "its part {name} is encrypted or compressed by another method", name=name[:60]
        )
    if member.compress_type == zipfile.ZIP_STORED and member.file_size > n_bytes:
        raise RunFileError.tr("its part {name} claims more bytes than the file has", name=name[:60])
    if name == HEADER and member.file_size > MAX_HEADER:
        raise RunFileError.tr(
            "its header has {file_size} bytes; at most {max_header} are allowed",
            file_size=figures(member.file_size, ","),
            max_header=figures(MAX_HEADER, ","),
        )


def _require_memory(members: list[zipfile.ZipInfo]) -> None:
    packed = sum(m.file_size for m in members if m.compress_type == zipfile.ZIP_DEFLATED)
    if packed > MAX_PACKED + MAX_HEADER + len(members) * _MAX_NPY_HEADER:
        raise RunFileError.tr(
            "it unpacks to {packed} bytes; at most {max_packed} are allowed",
            packed=figures(packed, ","),
            max_packed=figures(MAX_PACKED, ","),
        )
    total, free = sum(member.file_size for member in members), free_bytes()
    if total > free:
        raise RunFileError.tr(
            "it takes {needed} MB of memory; {free} MB are free",
            needed=figures(total >> 20, ","),
            free=figures(free >> 20, ","),
        )


def _array(archive: zipfile.ZipFile, name: str, declared: JsonValue) -> AnyArray:
    info = archive.getinfo(name + SUFFIX)
    with archive.open(info) as stream:
        if np.lib.format.read_magic(stream) != _NPY_VERSION:
            raise RunFileError.tr("its array {name} has an unknown version", name=name)
        shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(
            stream, max_header_size=_MAX_NPY_HEADER
        )
        if is_fortran or dtype.kind not in _KINDS or dtype.hasobject or dtype.names:
            raise RunFileError.tr("its array {name} does not hold plain numbers", name=name)
        if len(shape) > _MAX_DIMENSIONS or min(shape, default=0) < 0:
            raise RunFileError.tr(
                "its array {name} has the shape {shape}", name=name, shape=str(shape)[:60]
            )
        n_bytes = math.prod(shape) * dtype.itemsize
        if n_bytes + stream.tell() != info.file_size:
            raise RunFileError.tr("its array {name} does not have its stated size", name=name)
        stream.seek(0)
        array = np.lib.format.read_array(stream, max_header_size=_MAX_NPY_HEADER)
        stream.read(1)  # behind its end, where zipfile compares the sum
    if declared != _declare_array(array):
        raise RunFileError.tr(
            "its array {name} is not the one that the header describes", name=name
        )
    return array


def _declare_array(array: AnyArray) -> dict[str, JsonValue]:
    """Return the declaration of an array; its digest distinguishes arrays of one shape."""
    flat = np.ascontiguousarray(array).reshape(-1)
    digest = hashlib.sha256(flat.view(np.uint8).data if flat.nbytes else b"").hexdigest()
    return {"dtype": array.dtype.str, "shape": list(array.shape), "sha256": digest}


def _member(name: str, method: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, _TIME)
    member.compress_type = method
    return member


def _write_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo, array: AnyArray) -> None:
    if array.dtype.kind not in _KINDS or array.ndim > _MAX_DIMENSIONS:
        raise RunFileError.tr(
            "{filename} is an array of {dtype}, which is not kept",
            filename=member.filename,
            dtype=array.dtype,
        )
    plain = np.ascontiguousarray(array).reshape(array.shape)
    if member.compress_type == zipfile.ZIP_DEFLATED:
        whole = io.BytesIO()
        np.lib.format.write_array(whole, plain, _NPY_VERSION)
        archive.writestr(member, whole.getvalue(), compresslevel=1)
        return
    # Zipfile needs this before it writes, to leave room for sizes of 4 GB and more.
    member.file_size = _MAX_NPY_HEADER + plain.nbytes
    with archive.open(member, "w") as stream:
        header = np.lib.format.header_data_from_array_1_0(plain)
        np.lib.format.write_array_header_1_0(stream, header)
        if plain.nbytes:
            # numpy would copy pieces of 16 MB, and no other thread would run in the meantime.
            view = plain.reshape(-1).view(np.uint8).data
            for begin in range(0, len(view), _PIECE):
                stream.write(view[begin : begin + _PIECE])
