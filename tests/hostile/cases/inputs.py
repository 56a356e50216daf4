"""Inputs that are not a file, are not an archive, or do not have the name of a wheel."""

import gzip
import io
import os
import socket
import tarfile

from elf_maker import Library
from hostile import CORE, Case, elf_wheel, pure
from zip_maker import wheel_name

ROW = "not a file (directory, pipe, device, link loop, missing)"
OTHER = "empty file, other format, no end record, truncated at any structure boundary"
NAME = "file name that is no wheel name"
WHEEL = wheel_name("py3-none-any")


def directory(folder):
    (folder / WHEEL).mkdir()
    return folder / WHEEL


def pipe(folder):
    os.mkfifo(folder / WHEEL)
    return folder / WHEEL


def link_loop(folder):
    (folder / WHEEL).symlink_to(folder / WHEEL)
    return folder / WHEEL


def dangling(folder):
    (folder / WHEEL).symlink_to(folder / "nothing")
    return folder / WHEEL


def link_to_device(folder):
    (folder / WHEEL).symlink_to("/dev/zero")
    return folder / WHEEL


def link_to_pipe(folder):
    os.mkfifo(folder / "pipe")
    (folder / WHEEL).symlink_to(folder / "pipe")
    return folder / WHEEL


def a_socket(folder):
    # The path of a socket must be short.
    here = os.open(folder, os.O_RDONLY)
    before = os.getcwd()
    os.fchdir(here)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(WHEEL)
    os.chdir(before)
    os.close(here)
    return folder / WHEEL


def link_to_wheel(folder):
    (folder / "elsewhere").write_bytes(pure().build())
    (folder / WHEEL).symlink_to("elsewhere")
    return folder / WHEEL


def tar_file() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        info = tarfile.TarInfo("hostile/__init__.py")
        info.size = 4
        tar.addfile(info, io.BytesIO(b"x=1\n"))
    return out.getvalue()


def cases():
    yield Case("input-directory", "reject", ROW, setup=directory)
    yield Case("input-missing", "reject", ROW, setup=lambda folder: folder / WHEEL, says="no such file")
    yield Case("input-missing-directory", "reject", ROW, setup=lambda folder: folder / "none" / WHEEL)
    yield Case("input-pipe", "reject", ROW, setup=pipe, says="pipe")
    yield Case("input-link-to-pipe", "reject", ROW, setup=link_to_pipe, says="pipe")
    yield Case("input-link-loop", "reject", ROW, setup=link_loop)
    yield Case("input-dangling-link", "reject", ROW, setup=dangling)
    yield Case("input-device", "reject", ROW, setup=link_to_device, says="device")
    yield Case("input-socket", "reject", ROW, setup=a_socket)
    yield Case("input-link-to-wheel", "ok", ROW, setup=link_to_wheel)
    yield Case("input-good", "ok", ROW, pure().build())
    yield Case(
        "input-good-elf",
        "ok",
        ROW,
        elf_wheel({CORE: Library().build()}),
        wheel_name("cp311-cp311-manylinux_2_17_x86_64"),
    )

    yield Case("format-empty", "reject", OTHER, b"", says="empty")
    yield Case("format-one-byte", "reject", OTHER, b"P")
    yield Case("format-text", "reject", OTHER, b"this is no archive\n" * 40)
    yield Case("format-zeros", "reject", OTHER, bytes(65536))
    yield Case("format-gzip", "reject", OTHER, gzip.compress(pure().build()))
    yield Case("format-tar", "reject", OTHER, tar_file())
    yield Case("format-elf", "reject", OTHER, Library().build())
    yield Case("format-local-only", "reject", OTHER, b"PK\3\4" + bytes(200))
    yield Case("format-end-only", "reject", OTHER, b"PK\5\6" + bytes(18), says="no members")
    yield Case("format-seven-zip", "reject", OTHER, b"7z\xbc\xaf\x27\x1c" + bytes(80))

    good = pure().build()
    for name, file in {
        "no-tags": "hostile-1.0.whl",
        "suffix": "hostile-1.0-py3-none-any.zip",
        "two-parts": "hostile.whl",
        "seven-parts": "a-1-2-3-py3-none-any.whl",
        "build-word": "hostile-1.0-build-py3-none-any.whl",
        "no-version": "hostile--py3-none-any.whl",
        "odd-version": "hostile-one!-py3-none-any.whl",
        "empty-tag": "hostile-1.0-py3--any.whl",
        "blank": "hostile -1.0-py3-none-any.whl",
    }.items():
        yield Case(f"file-{name}", "reject", NAME, good, file)
