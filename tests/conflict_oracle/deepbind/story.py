"""RTLD_DEEPBIND, the last resort, and what it breaks: std::cout, facets, type information."""

from clash import Binary, Run, Story, Wheel

LLVM = {"compiler": "clang++-19"}


def server(name, options, **compiler):
    # A position-dependent program has copies of the library's data: its std::cout is the process's, for all that look.
    return Wheel(
        name,
        [
            Binary(
                f"{name}/bin/serverd",
                ["server.cpp", "message.cpp"],
                [*options, "-fno-pie", "-rdynamic"],
                link="-no-pie",
                **compiler,
            )
        ],
    )


def worker(name, *options, **compiler):
    return Wheel(name, [Binary(f"{name}/libworker.so", ["worker.cpp", "message.cpp"], list(options), **compiler)])


def run(served, name, flags, what, says, **seen):
    deep = " DEEPBIND" if flags == "deepbind" else ""
    return Run(
        f"{{site}}/{name}/libworker.so {flags} {what}",
        [f"dlopen {name}/libworker.so NOW{deep}"],
        f"server\n{says}",
        main=f"{served}/bin/serverd",
        **seen,
    )


STORY = Story(
    wheels=[
        server("server", []),
        server("llvmserver", ["-stdlib=libc++"], **LLVM),
        worker("worker"),
        worker("fatworker", "-static-libstdc++"),
        worker("llvmworker", "-stdlib=libc++", **LLVM),
    ],
    runs=[
        run("server", "worker", "now", "print", "worker 42\n"),
        # Nobody constructed the library's own std::cout, to which the worker is bound now.
        run("server", "worker", "deepbind", "print", "", signal="SIGSEGV"),
        # The worker's libstdc++ has its own locales, and facets are numbered by variables that are UNIQUE: shared.
        run("server", "fatworker", "now", "facet", "has facet: 1\n"),
        run("server", "fatworker", "deepbind", "facet", "has facet: 0\n"),
        run("server", "fatworker", "deepbind", "print", "worker "),
        run("server", "worker", "now", "types", "id 1, typeinfo 1, cast 1, caught 1\n"),
        # What is one for the process by its address becomes two; libstdc++ compares the names of types besides.
        run("server", "worker", "deepbind", "types", "id 0, typeinfo 0, cast 1, caught 1\n"),
        # libc++ compares addresses only.
        run("llvmserver", "llvmworker", "now", "types", "id 1, typeinfo 1, cast 1, caught 1\n"),
        run("llvmserver", "llvmworker", "deepbind", "types", "id 0, typeinfo 0, cast 0, caught 0\n"),
    ],
    clashes=[],
)
