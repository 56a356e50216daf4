"""The real wheels: their recipes in wheels/real, wheels/large and wheels/screens, and the location of the downloaded
files. fetch.py, the tests and the benchmarks use it."""

import dataclasses
import hashlib
import json
import os
import pathlib
import sys

WHEELS = pathlib.Path(__file__).resolve().parents[2] / "wheels"
RECIPES = WHEELS / "real"
LARGE = WHEELS / "large"
SCREENS = WHEELS / "screens"
CHUNK = 1 << 20


def cache() -> pathlib.Path:
    """WHEELCHECK_CACHE, or else wheelcheck in the user's cache directory."""
    if own := os.environ.get("WHEELCHECK_CACHE"):
        return pathlib.Path(own).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return pathlib.Path(base).expanduser().absolute() / "wheelcheck"


def fetched_to(recipes: pathlib.Path) -> pathlib.Path:
    """Large wheels are next to the cache, so that CI can keep the cache between runs without them."""
    return cache().with_name(f"{cache().name}-large") if recipes == LARGE else cache() / "corpus"


@dataclasses.dataclass(frozen=True)
class Recipe:
    """One wheel: what it is, where to download it, the result of auditwheel, and the expected or known results."""

    file: str
    requirement: str
    sha256: str
    bytes: int
    pip: dict
    directory: pathlib.Path
    auditwheel: dict = dataclasses.field(default_factory=dict)  # but for wheels/screens
    expected: dict = dataclasses.field(default_factory=dict)  # for wheels/real
    elf: dict = dataclasses.field(default_factory=dict)  # for wheels/large

    @property
    def path(self) -> pathlib.Path:
        return self.directory / self.file

    def fault(self) -> str:
        """The reason why the file at `path` is not this wheel; empty if it is."""
        if not self.path.is_file():
            return "is missing"
        size = self.path.stat().st_size
        if size != self.bytes:
            return f"has {size} bytes, not {self.bytes}"
        digest = sha256(self.path)
        return "" if digest == self.sha256 else f"has SHA-256 {digest}, not {self.sha256}"


def sha256(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.sha256()
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def recipes(names: list[str] | None = None, folder: pathlib.Path = RECIPES) -> list[Recipe]:
    """The recipes whose file name starts with one of `names`, or all, sorted by file name. Ends the program if there is
    none."""
    directory = fetched_to(folder)
    known = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")]
    found = [Recipe(**one, directory=directory) for one in known]
    if names:
        found = [recipe for recipe in found if any(recipe.file.startswith(name) for name in names)]
    if not found:
        sys.exit(f"corpus: no recipe in {folder} fits {' '.join(names or ['any name'])}")
    return sorted(found, key=lambda recipe: recipe.file)


def fetched() -> list[Recipe]:
    """All recipes. Ends the program unless every wheel exists with the right contents."""
    found = recipes()
    faults = [f"corpus: {recipe.file} {fault}" for recipe in found if (fault := recipe.fault())]
    if faults:
        sys.exit("\n".join([*faults, "corpus: tests/corpus/fetch.py fetches the wheels"]))
    return found
