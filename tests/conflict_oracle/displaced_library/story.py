"""Two wheels bundle a library with the same unhashed soname. The first wheel's release lacks what the second one
needs."""

from clash import HERE, Binary, Clash, Run, Story, Wheel


def wheel(name, library, release, script=""):
    define = f"-DRELEASE={release}"
    options = [define, f"-Wl,--version-script={HERE}/displaced_library/{script}"] if script else [define]
    return Wheel(
        name,
        [
            Binary(f"{name}.libs/{library}", ["store.c"], options, soname=library),
            Binary(
                f"{name}/_store.abi3.so",
                ["module.c"],
                [define],
                [f"{name}.libs/{library}"],
                runpath=f"$ORIGIN/../{name}.libs",
            ),
        ],
        {f"{name}/__init__.py": "from ._store import *\n"},
    )


def run(first, second, **seen):
    return Run(
        f"import {first}, {second}; print({first}.opened(), {second}.opened())",
        [f"import {name}/_store.abi3.so" for name in (first, second)],
        **seen,
    )


def fails(error):
    return {"fails": f"ImportError: {error}", "errors": [error]}


NO_VERSION = (
    "{site}/early/../early.libs/libstore.so.1: version `STORE_2' not found (required by {site}/later/_store.abi3.so)"
)
NO_SYMBOL = "{site}/plainlater/_store.abi3.so: undefined symbol: store_sync"

STORY = Story(
    wheels=[
        wheel("early", "libstore.so.1", 1, "first.map"),
        wheel("later", "libstore.so.1", 2, "second.map"),
        wheel("plainearly", "libplain.so.1", 1),
        wheel("plainlater", "libplain.so.1", 2),
        wheel("hashedearly", "libstore-1a2b3c4d.so.1", 1, "first.map"),
        wheel("hashedlater", "libstore-5e6f7a8b.so.1", 2, "second.map"),
    ],
    runs=[
        run("early", "later", **fails(NO_VERSION)),
        run("later", "early", says="2 2\n"),  # the first wheel works with the library of the second one
        run("plainearly", "plainlater", **fails(NO_SYMBOL)),
        run("plainlater", "plainearly", says="2 2\n"),
        run("hashedearly", "hashedlater", says="1 2\n"),
        run("hashedlater", "hashedearly", says="2 1\n"),
    ],
    clashes=[
        Clash("early later", "import-fails", "error", "later/_store.abi3.so", "", NO_VERSION),
        Clash("plainearly plainlater", "import-fails", "error", "plainlater/_store.abi3.so", "", NO_SYMBOL),
    ],
    harmless=["hashedearly hashedlater", "hashedlater hashedearly"],
)
