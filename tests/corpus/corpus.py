"""The real wheels: their recipes in wheels/real and wheels/large, and where the fetched files lie. Shared by fetch.py,
the tests and the benchmarks."""

import dataclasses
import hashlib
import json
import os
import pathlib
import sys

WHEELS = pathlib.Path(__file__).resolve().parents[2] / "wheels"
RECIPES = WHEELS / "real"
LARGE = WHEELS / "large"
CHUNK = 1 << 20


def cache() -> pathlib.Path:
    """WHEELCHECK_CACHE, else wheelcheck in the user's cache directory."""
    if own := os.environ.get("WHEELCHECK_CACHE"):
        return pathlib.Path(own).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return pathlib.Path(base).expanduser().absolute() / "wheelcheck"


def fetched_to(recipes: pathlib.Path) -> pathlib.Path:
    """Large wheels lie beside the cache, so that it may be kept between runs without them."""
    return cache().with_name(f"{cache().name}-large") if recipes == LARGE else cache() / "corpus"


@dataclasses.dataclass(frozen=True)
class Recipe:
    """One wheel: what it is, how to fetch it, what the peer says of it, and what must be said or is known of it."""

    file: str
    requirement: str
    sha256: str
    bytes: int
    pip: dict
    auditwheel: dict
    directory: pathlib.Path
    expected: dict = dataclasses.field(default_factory=dict)  # of wheels/real
    elf: dict = dataclasses.field(default_factory=dict)  # of wheels/large

    @property
    def path(self) -> pathlib.Path:
        return self.directory / self.file

    def fault(self) -> str:
        """Why the file at `path` is not this wheel; empty if it is."""
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
    """Those whose file name starts with one of `names`, or all, by file name. Ends the program if there is none."""
    directory = fetched_to(folder)
    known = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")]
    found = [Recipe(**one, directory=directory) for one in known]
    if names:
        found = [recipe for recipe in found if any(recipe.file.startswith(name) for name in names)]
    if not found:
        sys.exit(f"corpus: no recipe in {folder} fits {' '.join(names or ['any name'])}")
    return sorted(found, key=lambda recipe: recipe.file)


def fetched() -> list[Recipe]:
    """All recipes; ends the program unless every wheel is there, byte for byte."""
    found = recipes()
    faults = [f"corpus: {recipe.file} {fault}" for recipe in found if (fault := recipe.fault())]
    if faults:
        sys.exit("\n".join([*faults, "corpus: tests/corpus/fetch.py fetches the wheels"]))
    return found
