"""Two OpenMP runtimes in one process: hashed copies, an unhashed name that both wheels have, and Intel's and LLVM's."""

from clash import HERE, Binary, Clash, Run, Story, Wheel


def wheel(name, library, defines=(), link=()):
    return Wheel(
        name,
        [
            Binary(f"{name}.libs/{library}", ["openmp.c"], [*defines, *link], soname=library),
            Binary(
                f"{name}/_parallel.abi3.so",
                ["module.c"],
                [*defines],
                [f"{name}.libs/{library}"],
                runpath=f"$ORIGIN/../{name}.libs",
            ),
        ],
        {f"{name}/__init__.py": "from ._parallel import count, limit\n"},
    )


def gomp(name, library):
    return wheel(name, library, link=[f"-Wl,--version-script={HERE}/two_openmp/gomp.map"])


def kmp(name, library, version):
    return wheel(name, library, [f'-DKMP="{library}"', f'-DVERSION="{version}"'])


def run(first, second, **seen):
    return Run(
        f"import {first}, {second}; print({first}.limit(), {second}.count())",
        [f"import {name}/_parallel.abi3.so" for name in (first, second)],
        **seen,
    )


STORY = Story(
    wheels=[
        gomp("forest", "libgomp-a34b3233.so.1.0.0"),
        gomp("matrix", "libgomp-24e2ab19.so.1.0.0"),
        gomp("plainforest", "libgomp.so.1"),
        gomp("plainmatrix", "libgomp.so.1"),
        kmp("intelforest", "libiomp5.so", "Intel(R) OMP version: 5.0.20260828"),
        kmp("llvmmatrix", "libomp.so", "LLVM OMP version: 5.0.20140926"),
    ],
    runs=[
        run("forest", "matrix", says="1 4\n"),  # two thread pools: a limit set in one does not apply to the other
        run("plainforest", "plainmatrix", says="1 1\n"),  # the second wheel uses the first one's library
        run(
            "intelforest",
            "llvmmatrix",
            signal="SIGABRT",
            fails="OMP: Error #15: Initializing libomp.so, but found libiomp5.so already initialized.",
        ),
        run(
            "llvmmatrix",
            "intelforest",
            signal="SIGABRT",
            fails="OMP: Error #15: Initializing libiomp5.so, but found libomp.so already initialized.",
        ),
        run("forest", "llvmmatrix", says="1 4\n"),
    ],
    clashes=[
        Clash(
            "forest matrix",
            "two-runtimes",
            "note",
            "matrix.libs/libgomp-24e2ab19.so.1.0.0",
            "forest.libs/libgomp-a34b3233.so.1.0.0",
            "openmp",
        ),
        Clash(
            "forest llvmmatrix",
            "two-runtimes",
            "warning",
            "llvmmatrix.libs/libomp.so",
            "forest.libs/libgomp-a34b3233.so.1.0.0",
            "openmp",
        ),
        Clash(
            "intelforest llvmmatrix",
            "two-runtimes",
            "error",
            "llvmmatrix.libs/libomp.so",
            "intelforest.libs/libiomp5.so",
            "openmp",
        ),
        Clash(
            "llvmmatrix intelforest",
            "two-runtimes",
            "error",
            "intelforest.libs/libiomp5.so",
            "llvmmatrix.libs/libomp.so",
            "openmp",
        ),
    ],
    harmless=["plainforest plainmatrix", "plainmatrix plainforest", "matrix forest"],
)
