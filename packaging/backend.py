"""What pip calls to build the wheel (PEP 517): scikit-build-core, then the platform tag that the wheel's own program finds.

scikit-build-core writes linux_x86_64, which no index takes: what a program asks of a system is known once it is linked.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from scikit_build_core import build
from scikit_build_core.build import *  # noqa: F403: the other hooks

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import wheelcheck  # noqa: E402


def best_tag(wheel):
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        (name,) = [name for name in archive.namelist() if name.endswith(".data/scripts/wheelcheck")]
        program = pathlib.Path(archive.extract(name, folder))
        program.chmod(0o755)
        report = wheelcheck.check(wheel, program=program, fail_on="never", no_config=True)
    return living(report.checked[0].best_tag)


def living(tag):
    """The oldest tag that indexes still stand behind (PEP 599): a program that holds its C library fits older ones."""
    level = re.fullmatch(r"manylinux_2_(\d+)_(\w+)", tag)
    return f"manylinux_2_17_{level[2]}" if level and int(level[1]) < 17 else tag


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = pathlib.Path(wheel_directory)
    wheel = build.build_wheel(wheel_directory, config_settings, metadata_directory)
    command = [sys.executable, "-m", "wheel", "tags", "--remove", f"--platform-tag={best_tag(folder / wheel)}", wheel]
    tagged = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    return tagged[-1]
