"""Loaders of several releases of glibc: the system's, and those of Debian's libc6 packages, unpacked into the cache.

A small program that requires only glibc 2.2.5, started by the loader itself, opens a library.
"""

from __future__ import annotations

import fcntl
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "corpus"))
import corpus

SUITES = {(2, 31): "bullseye", (2, 41): "trixie"}
# Old symbol versions, so that one file runs with each release, and no start files, which require 2.34.
OPENER = r"""
#include <string.h>
#include <unistd.h>
void *open_old(const char *, int);
char *error_old(void);
int start_old(int (*)(int, char **), int, char **, void *, void *, void *, void *);
__asm__(".symver open_old,dlopen@GLIBC_2.2.5");
__asm__(".symver error_old,dlerror@GLIBC_2.2.5");
__asm__(".symver start_old,__libc_start_main@GLIBC_2.2.5");
static int run(int count, char **words) {
  if (count == 2 && open_old(words[1], 2)) _exit(0);
  char *error = error_old();
  write(1, error, strlen(error));
  _exit(9);
}
__attribute__((used)) void begin(long *stack, void *end) {
  start_old(run, (int)stack[0], (char **)(stack + 1), 0, 0, end, stack);
}
__asm__(".globl _start\n_start: xor %ebp,%ebp\n mov %rsp,%rdi\n mov %rdx,%rsi\n and $-16,%rsp\n call begin\n hlt\n");
"""


def mirror() -> str | None:
    """The Debian mirror of this system."""
    words = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(CODENAME) $(REPO_URI)", "Created-By: Packages"]
    listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        origin, name, address = line.split(" ", 2)
        if origin == "Debian" and "-" not in name:
            return address
    return None


def download(suite: str, folder: pathlib.Path) -> None:
    """Unpacks libc6 of that suite, with separate package lists, so that apt of the system does not change."""
    address = mirror()
    if address is None:
        raise OSError("apt knows no mirror of Debian")
    with tempfile.TemporaryDirectory(prefix="wheelcheck-apt-") as name:
        state = pathlib.Path(name)
        for each in ("lists/partial", "cache/archives/partial", "download"):
            (state / each).mkdir(parents=True)
        keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
        (state / "sources.list").write_text(f"deb [signed-by={keys}] {address} {suite} main\n")
        options = {
            "Dir::Etc::sourcelist": state / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::State::lists": state / "lists",
            "Dir::State::status": "/dev/null",
            "Dir::Cache": state / "cache",
            "APT::Sandbox::User": "root",
            "Acquire::Retries": "2",
        }
        apt = ["apt-get", "-q", *(word for key, value in options.items() for word in ("-o", f"{key}={value}"))]
        for words in ([*apt, "update"], [*apt, "download", "libc6"]):
            subprocess.run(words, cwd=state / "download", capture_output=True, check=True, timeout=300)
        (package,) = (state / "download").glob("libc6_*.deb")
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True, timeout=60)


def unpacked(release: tuple[int, int]) -> pathlib.Path | None:
    """The folder with libc.so.6 and ld.so of that release."""
    folder = corpus.cache() / f"glibc-{release[0]}.{release[1]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "glibc.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            try:
                download(SUITES[release], part)
            except (OSError, subprocess.SubprocessError, ValueError) as error:
                print(f"glibc {release[0]}.{release[1]} is not to be had here: {error}", file=sys.stderr)
                return None
            part.rename(folder)
    return next((path.parent for path in folder.rglob("libc.so.6")), None)


def opener(folder: pathlib.Path) -> pathlib.Path:
    source, program = folder / "opener.c", folder / "opener"
    source.write_text(OPENER)
    library = next(p for p in pathlib.Path("/").glob("lib/*/libdl.so.2") if "x86_64" in str(p))
    words = ["gcc", "-O1", "-fno-stack-protector", "-nostartfiles", "-o", program, source]
    subprocess.run([*words, "-Wl,--no-as-needed", library], check=True)
    return program


def loaders(folder: pathlib.Path) -> dict[tuple[int, int], list[str]]:
    """By release, the command that opens a library, without its path: exit code 0, or 9 and the text of dlerror()."""
    program = str(opener(folder))
    own = tuple(int(part) for part in platform.libc_ver()[1].split(".")[:2])
    out = {own: [program]}
    for release in SUITES:
        place = unpacked(release) if release not in out else None
        if place is not None:
            out[release] = [str(place / "ld-linux-x86-64.so.2"), "--library-path", str(place), program]
    return dict(sorted(out.items()))
