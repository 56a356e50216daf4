"""The thread-local variables of each wheel fit into the surplus of the static TLS block, but not those of both."""

from clash import Binary, Clash, Run, Story, Wheel


def wheel(name, size):
    module = Binary(f"{name}/_area.abi3.so", ["module.c"], [f"-DBYTES={size}"])
    return Wheel(name, [module], {f"{name}/__init__.py": "from ._area import *\n"})


def run(names, **seen):
    return Run(
        f"import {', '.join(names)}; print({', '.join(f'{name}.touch()' for name in names)})",
        [f"import {name}/_area.abi3.so" for name in names],
        **seen,
    )


def error(name):
    return f"{{site}}/{name}/_area.abi3.so: cannot allocate memory in static TLS block"


def fails(name):
    return {"fails": f"ImportError: {error(name)}", "errors": [error(name)]}


STORY = Story(
    wheels=[wheel("pool", 1000), wheel("arena", 1000), wheel("large", 1800), wheel("small", 500)],
    runs=[
        run(["pool"], says="1\n"),
        run(["arena"], says="1\n"),
        run(["pool", "arena"], **fails("arena")),
        run(["arena", "pool"], **fails("pool")),
        run(["large"], **fails("large")),
        run(["pool", "small"], says="1 1\n"),
    ],
    clashes=[
        Clash("pool arena", "static-tls-exhausted", "error", "arena/_area.abi3.so", "", ""),
        Clash("arena pool", "static-tls-exhausted", "error", "pool/_area.abi3.so", "", ""),
        Clash("large", "static-tls-exhausted", "error", "large/_area.abi3.so", "", ""),
    ],
    harmless=["pool small", "small pool"],
)
