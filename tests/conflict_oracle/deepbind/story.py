"""RTLD_DEEPBIND as a workaround, and what it breaks: std::cout, locale facets, type information."""

from clash import Binary, Run, Story, Wheel

LLVM = {"compiler": "clang++-19"}


def server(name, options, **compiler):
    # A position-dependent program has copies of the library's data, and its std::cout is used by every file in the
    # process.
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
        # With DEEPBIND the worker binds to the std::cout of the library, which was not constructed.
        run("server", "worker", "deepbind", "print", "", signal="SIGSEGV"),
        # The worker's libstdc++ has its own locales, but facets are numbered by STB_GNU_UNIQUE variables, which are
        # shared.
        run("server", "fatworker", "now", "facet", "has facet: 1\n"),
        run("server", "fatworker", "deepbind", "facet", "has facet: 0\n"),
        run("server", "fatworker", "deepbind", "print", "worker "),
        run("server", "worker", "now", "types", "id 1, typeinfo 1, cast 1, caught 1\n"),
        # An object that is identified by its address exists twice. libstdc++ compares the names of types too.
        run("server", "worker", "deepbind", "types", "id 0, typeinfo 0, cast 1, caught 1\n"),
        # libc++ compares only addresses.
        run("llvmserver", "llvmworker", "now", "types", "id 1, typeinfo 1, cast 1, caught 1\n"),
        run("llvmserver", "llvmworker", "deepbind", "types", "id 0, typeinfo 0, cast 0, caught 0\n"),
    ],
    clashes=[],
)
