"""A server with one version of protobuf opens a worker with another. The global scope decides which code runs."""

from clash import Binary, Clash, Run, Story, Wheel

PUBLISH = """\
import os
import sys

flags = sys.getdlopenflags()
sys.setdlopenflags(flags | os.RTLD_GLOBAL)
from ._server import load, version
sys.setdlopenflags(flags)
"""
WORKER = """\
import os

path = os.path.join(os.path.dirname(__file__), "libworker.so")
"""
OLD, NEW = 3019004, 3021009
VERIFY = "_ZN6google8protobuf8internal13VerifyVersionEiiPKc"
ADD = "_ZN6google8protobuf14DescriptorPool24InternalAddGeneratedFileEPKc"


def server(name, version, init="from ._server import load, version\n"):
    return Wheel(
        name,
        [Binary(f"{name}/_server.abi3.so", ["server.cpp", "protobuf.cpp"], [f"-DPROTOBUF_VERSION={version}"])],
        {f"{name}/__init__.py": init},
    )


def worker(name, version):
    return Wheel(
        name,
        [Binary(f"{name}/libworker.so", ["worker.cpp", "protobuf.cpp"], [f"-DPROTOBUF_VERSION={version}"])],
        {f"{name}/__init__.py": WORKER},
    )


def run(served, name, flags, **seen):
    bits = " | ".join(f"os.RTLD_{flag}" for flag in flags.split())
    published = " GLOBAL" if served == "server" else ""
    return Run(
        f"import os, {served}, {name}; print({served}.load({name}.path, {bits}), {served}.version())",
        [f"import {served}/_server.abi3.so{published}", f"dlopen {name}/libworker.so {flags}"],
        **seen,
    )


STORY = Story(
    wheels=[
        server("server", OLD, PUBLISH),
        server("quietserver", OLD),
        worker("worker", NEW),
        worker("sameworker", OLD),
        server("client", OLD),
    ],
    runs=[
        run("quietserver", "worker", "NOW", says=f"{NEW} {OLD}\n"),
        run(
            "server",
            "worker",
            "NOW",
            signal="SIGABRT",
            fails=f"[libprotobuf FATAL service.pb.cc] This program requires version {NEW} of the Protocol Buffer "
            f"runtime library, but the installed version is {OLD} (headers {NEW}).",
        ),
        # The same version for both does not help: both register the same file in one descriptor pool.
        run(
            "server",
            "sameworker",
            "NOW",
            signal="SIGABRT",
            fails="[libprotobuf ERROR descriptor_database.cc] File already exists in database: service.proto",
        ),
        run("server", "worker", "NOW DEEPBIND", says=f"{NEW} {OLD}\n"),
        # A worker in the global scope breaks modules that are loaded later.
        Run(
            "import os, quietserver, worker\n"
            "quietserver.load(worker.path, os.RTLD_NOW | os.RTLD_GLOBAL)\n"
            "import client",
            [
                "import quietserver/_server.abi3.so",
                "dlopen worker/libworker.so NOW GLOBAL",
                "import client/_server.abi3.so",
            ],
            signal="SIGABRT",
            fails="[libprotobuf ERROR descriptor_database.cc] File already exists in database: service.proto",
        ),
    ],
    clashes=[
        Clash("server worker", "capture", "error", "worker/libworker.so", "server/_server.abi3.so", VERIFY),
        # Only the server opens the worker's library, whichever is imported first.
        Clash("worker server", "capture", "error", "worker/libworker.so", "server/_server.abi3.so", VERIFY),
        Clash("server sameworker", "capture", "error", "sameworker/libworker.so", "server/_server.abi3.so", ADD),
        Clash(
            "worker client",
            "capture",
            "error",
            "client/_server.abi3.so",
            "worker/libworker.so",
            VERIFY,
            ["--global=worker::worker/libworker.so"],
        ),
    ],
    harmless=["quietserver worker"],
)
