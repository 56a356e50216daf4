"""The build back end that pip calls (PEP 517): scikit-build-core, then the compatible platform tags.

scikit-build-core writes linux_x86_64, which no index accepts, because the requirements of the program are known only
after it is linked. The static PIE of a release build requires no C library, so it runs with glibc and with musl. For a
program that is linked with glibc (WHEELCHECK_STATIC=OFF), wheelcheck itself determines the tag.
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F403: the other hooks

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import wheelcheck  # noqa: E402


def is_static(program):
    """Whether the ELF file names no loader: it has no PT_INTERP (gABI, program header)."""
    data = program.read_bytes()
    (start,) = struct.unpack_from("<Q", data, 32)  # e_phoff
    size, count = struct.unpack_from("<HH", data, 54)  # e_phentsize, e_phnum
    types = [struct.unpack_from("<I", data, start + i * size)[0] for i in range(count)]
    return 3 not in types


def platform_tags(wheel):
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        (name,) = [name for name in archive.namelist() if name.endswith(".data/scripts/wheelcheck")]
        program = pathlib.Path(archive.extract(name, folder))
        program.chmod(0o755)
        machine = pathlib.Path(wheel).stem.rpartition("linux_")[2]
        if is_static(program):
            # manylinux2014 is how pip before 20.3 names manylinux_2_17 (PEP 600).
            return ".".join(f"{name}_{machine}" for name in ("manylinux2014", "manylinux_2_17", "musllinux_1_2"))
        report = wheelcheck.check(wheel, program=program, fail_on="never", no_config=True)
    return living(report.checked[0].best_tag)


def living(tag):
    """The tag, but not older than the oldest that indexes still support (PEP 599)."""
    level = re.fullmatch(r"manylinux_2_(\d+)_(\w+)", tag)
    return f"manylinux_2_17_{level[2]}" if level and int(level[1]) < 17 else tag


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = pathlib.Path(wheel_directory)
    wheel = build.build_wheel(wheel_directory, config_settings, metadata_directory)
    command = [sys.executable, "-m", "wheel", "tags", "--remove", f"--platform-tag={platform_tags(folder / wheel)}", wheel]
    tagged = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    return tagged[-1]
