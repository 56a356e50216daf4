"""A server with one protobuf opens a worker with another: what is published decides whose code runs."""

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
        # One version for both is no help: it is one pool of descriptors, and both bring the same file.
        run(
            "server",
            "sameworker",
            "NOW",
            signal="SIGABRT",
            fails="[libprotobuf ERROR descriptor_database.cc] File already exists in database: service.proto",
        ),
        run("server", "worker", "NOW DEEPBIND", says=f"{NEW} {OLD}\n"),
        # A worker that is published spoils what comes later.
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
        # Nothing but the server opens the worker's library, whichever is imported first.
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
