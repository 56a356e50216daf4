"""Published failures: the issue, the real failure, and the finding that explains it. The wheels are imitations."""

from __future__ import annotations

import dataclasses
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))

import zip_maker
from elf_maker import Import, Library, R, W, X
from zip_maker import Archive, Member

PYPI = ("--index", "pypi")
REFUSED = "PyPI answers 400"


@dataclasses.dataclass
class Report:
    source: str  # owner/repository#number on GitHub, or a distribution and its version
    outcome: str  # what pip, packaging, the loader or PyPI did
    file: str
    data: bytes
    code: str  # of the finding; "" for none of `silent`
    options: tuple[str, ...] = ()
    severity: str = "error"
    silent: tuple[str, ...] = ()  # codes that must not be reported
    says: str = ""  # in message, evidence or fix of the finding
    unsaid: str = ""  # nowhere in it


def wheel(
    file: str,
    *lines: str,
    files: dict[str, bytes] | None = None,
    version: str = "2.1",
    text: bytes | None = None,
    tag: str = "",
    suffix: bytes = b"",
    twin: bool = False,
    record: bytes | None = None,
    dist_info: str = "",
    info: bytes | None = None,  # the WHEEL file
    bare: bool = False,  # without NAME/__init__.py
) -> bytes:
    parts = file.removesuffix(".whl").split("-")
    name, release = parts[0], parts[1]
    head = [f"Metadata-Version: {version}", f"Name: {name}", f"Version: {release}", "License: MIT"]
    found = zip_maker.wheel_members(
        {**({} if bare else {f"{name}/__init__.py": b"x = 1\n"}), **(files or {})},
        tag=tag or "-".join(parts[-3:]),
        metadata=("\n".join([*head, *lines]) + "\n\n").encode() if text is None else text,
        dist_info=dist_info or f"{name}-{release}.dist-info",
        record_text=record,
        wheel=info,
    )
    if twin:
        found.append(Member(f"{name}/__init__.py", b"x = 2\n"))
    return Archive(found, suffix=suffix).build()


def module(*imports: Import, init: str = "PyInit_core", **how) -> bytes:
    return Library(imports=list(imports) or None, exports=[init], **how).build()


def name_only(name: str) -> Import:
    return Import(name, None, None)


def uploads() -> list[Report]:
    def refused(source: str, code: str, file: str, *lines: str, **how) -> Report:
        return Report(source, REFUSED, file, wheel(file, *lines, **how), code, PYPI)

    def classifier(source: str, text: str) -> Report:
        return refused(source, "WC855", "foo-1.0-py3-none-any.whl", f"Classifier: {text}")

    def direct(source: str, text: str) -> Report:
        return refused(source, "WC856", "foo-1.0-py3-none-any.whl", f"Requires-Dist: {text}")

    def platform(source: str, file: str) -> Report:
        return refused(source, "WC850", file)

    return [
        platform("pypa/packaging-problems#684", "wignersymbol-0.0.6-cp38-cp38-linux_x86_64.whl"),
        platform("pypi/warehouse#6719", "pyarrow_ppc64le-0.14.0-cp36-cp36m-linux_ppc64le.whl"),
        platform("natcap/invest#2713", "natcap_invest-3.20.1-cp310-cp310-linux_x86_64.whl"),
        platform("sunpy/sunpy#6042", "sunpy-3.0.7-cp310-cp310-linux_x86_64.whl"),
        platform("pypi/legacy#120", "mypkg-1.0-cp27-none-linux_i686.whl"),
        direct(
            "biglocalnews/civic-scraper#137",
            "legistar @ https://github.com/opencivicdata/python-legistar-scraper/zipball/master",
        ),
        direct(
            "golemfactory/yapapi#335",
            "goth @ git+https://github.com/golemfactory/goth.git@master ; "
            '(python_version >= "3.8.0" and python_version < "4.0.0") and (extra == "integration-tests")',
        ),
        direct(
            "nucypher/nucypher#2524",
            "jsonschema2rst @ git+git://github.com/inspirehep/jsonschema2rst.git@d211d97 ; extra == 'deploy'",
        ),
        direct(
            "apache/dolphinscheduler#12238",
            "sphinx-multiversion @ git+https://github.com/Holzhaus/sphinx-multiversion#egg=sphinx-multiversion ; "
            "extra == 'all'",
        ),
        direct("caikit/caikit-nlp#54", "peft@git+https://github.com/mayank31398/peft.git@mpt-os-test#3ddc770"),
        direct("blackjax-devs/blackjax#521", "optax @ git+https://github.com/deepmind/optax.git"),
        classifier("MDAnalysis/membrane-curvature#105", "Topic :: Scientific/Engineering :: Biophysics"),
        classifier("mitogen-hq/mitogen#891", "Frameworks :: Ansible"),
        classifier(
            "pypi/warehouse#17343",
            "License :: OSI Approved :: GNU General Public License v3 or later (GPL-3.0-or-later)",
        ),
        classifier("open-feature/python-sdk#15", "License :: OSI Approved :: Apache"),
        classifier("crypto-org-chain/chainlibpy#8", "License :: OSI Approved :: Apache-2.0"),
        classifier("pypi/warehouse#3430", "Topic :: Testing"),
        classifier("asdf-format/asdf#697", "'Programming Language :: Python'"),
        refused("zalando-incubator/kopf#6", "WC854", "kopf-0.1.dev9+g21a7230-py3-none-any.whl"),
        refused(
            "sgl-project/sglang#23749",
            "WC854",
            "sglang_kernel-0.4.1.post1+cu129-cp310-abi3-manylinux2014_aarch64.whl",
        ),
        refused("mottosso/Qt.py#453", "WC851", "Qt.py-2.0.0-py3-none-any.whl"),
        refused("pypi/warehouse#19746", "WC703", "foo-1.0-py3-none-any.whl", suffix=b"\0" * 8),
        refused("loonghao/shotgrid-mcp-server#61", "WC703", "foo-1.0-py3-none-any.whl", twin=True),
        Report(
            "pypi/warehouse#10030",
            "PyPI accepts it since 2022",
            "simplepackage_py-1.0.0-py2.py3-none-any.whl",
            wheel(
                "simplepackage_py-1.0.0-py2.py3-none-any.whl",
                text=b"Metadata-Version: 2.1\nName: simplepackage.py\nVersion: 1.0.0\n\n",
            ),
            "",
            PYPI,
            silent=("WC851", "WC706"),
        ),
        Report(
            "pypi/warehouse#6240",
            "PyPI accepts dependencies on local versions",
            "foo-0.0.2-py3-none-any.whl",
            wheel("foo-0.0.2-py3-none-any.whl", "Requires-Dist: dep==0.0.1+cuda9"),
            "",
            PYPI,
            silent=("WC854", "WC856", "WC706"),
        ),
        Report(
            "gijzelaerr/python-snap7#296",
            "PyPI accepts the renamed wheel, whose WHEEL file still says linux_x86_64",
            "python_snap7-1.1-py3-none-manylinux1_x86_64.whl",
            wheel("python_snap7-1.1-py3-none-manylinux1_x86_64.whl", tag="py3-none-linux_x86_64"),
            "WC701",
            severity="warning",
        ),
    ]


def metadata() -> list[Report]:
    def said(source: str, outcome: str, code: str, *lines: str, options=(), silent=(), **how) -> Report:
        file = "foo-1.0-py3-none-any.whl"
        return Report(source, outcome, file, wheel(file, *lines, **how), code, options, silent=silent)

    torch = "Requires-Dist: torch @ https://download.pytorch.org/whl/cpu/torch-1.7.1%2Bcpu-cp36-cp36m-linux_x86_64.whl"
    return [
        said(
            "apache/airflow#12789",
            "packaging refuses the requirement",
            "WC706",
            "Requires-Dist: azure-datalake-store (>=0.045azure-mgmt-datalake-store>=0.5.0); extra == 'all'",
        ),
        said(
            "MrMino/wheelfile#21",
            "packaging refuses the requirement",
            "WC706",
            'Requires-Dist: packaging ~= 20.8zipfile38 ; python_version<"3.8"',
        ),
        said("notatallshaw/nab#201", "packaging refuses the specifier", "WC706", "Requires-Python: !=3.3*"),
        said("dgasmith/opt_einsum#258", "packaging refuses the field", "WC706", "License-Expression: MIT"),
        said("pypa/pip#3513", "no name and version", "WC706", text=b"", record=b""),
        said(
            "pypa/pip#6352",
            "packaging 22 and later takes it",
            "",
            "Requires-Dist: microscope-core (===0.1.8+8.g7ff6e39)",
            silent=("WC706",),
        ),
        said("pypa/pipenv#4640", "a valid requirement (PEP 508)", "", torch, silent=("WC706", "WC856")),
        said("pypa/pipenv#4640", REFUSED, "WC856", torch, options=PYPI),
        said(
            "dateutil/dateutil#720",
            "pip and PyPI accept it",
            "",
            "Requires: six",
            "Requires-Dist: six (>=1.5)",
            options=PYPI,
            silent=("WC706", "WC854"),
        ),
    ]


def libraries() -> list[Report]:
    suffix = "cpython-311-x86_64-linux-gnu.so"

    def said(source: str, outcome: str, file: str, code: str, path: str, elf: bytes, **how) -> Report:
        more = how.pop("files", {})
        return Report(source, outcome, file, wheel(file, files={path: elf, **more}), code, **how)

    cp311 = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"
    missing = "ImportError: cannot open shared object file"
    return [
        said(
            "sighingnow/libclang#59",
            "ImportError: version `GLIBC_2.29' not found",
            "foo-16.0.6-py2.py3-none-manylinux2014_aarch64.whl",
            "WC102",
            "foo/native/libclang.so",
            Library(machine="aarch64", imports=[Import("exp", "libc.so.6", "GLIBC_2.29")], exports=["f"]).build(),
        ),
        said(
            "vllm-project/vllm#41103",
            "ImportError: version `GLIBC_2.34' not found",
            "foo-0.20.0-cp38-abi3-manylinux_2_31_x86_64.whl",
            "WC102",
            "foo/core.abi3.so",
            module(Import("dlopen", "libc.so.6", "GLIBC_2.34"), name_only("PyModule_Create2")),
        ),
        said(
            "opencv/opencv-python#370",
            missing,
            cp311,
            "WC824",
            f"foo/core.{suffix}",
            module(needed=["libGL.so.1", "libc.so.6"]),
            severity="warning",
            says="libGL.so.1",
        ),
        said(
            "fisher60/friendo-bot#68",
            missing,
            cp311,
            "WC824",
            f"foo/core.{suffix}",
            module(needed=["libgthread-2.0.so.0", "libc.so.6"]),
            severity="warning",
            says="libgthread-2.0.so.0",
        ),
        said(
            "MTG/essentia#1541",
            missing,
            cp311,
            "WC824",
            f"foo/core.{suffix}",
            module(needed=["libatomic.so.1", "libc.so.6"]),
            severity="warning",
            says="libatomic.so.1",
        ),
        said(
            "OpenNMT/CTranslate2#1849",
            "ImportError: cannot enable executable stack (glibc 2.41)",
            cp311,
            "WC601",
            f"foo/core.{suffix}",
            module(stack=R | W | X),
        ),
        said(
            "pypa/cibuildwheel#1225",
            "ImportError: undefined symbol from glibc 2.31 on",
            cp311,
            "WC306",
            f"foo/core.{suffix}",
            module(name_only("__pow_finite"), needed=["libm.so.6", "libc.so.6"]),
            says="__pow_finite",
        ),
        said(
            "microsoft/rego-cpp#226",
            "musl: symbol not found",
            "foo-1.4.0-cp311-cp311-musllinux_1_2_x86_64.whl",
            "WC306",
            "foo/core.cpython-311-x86_64-linux-musl.so",
            module(name_only("__cxa_thread_atexit_impl"), needed=["libc.musl-x86_64.so.1"]),
            says="__cxa_thread_atexit_impl",
        ),
        said(
            "PixarAnimationStudios/OpenUSD#4149",
            "pip of CPython 3.14t installs it, and the import fails",
            "foo-1.0-cp314-none-manylinux_2_17_x86_64.whl",
            "WC808",
            "foo/core.so",
            module(name_only("PyModule_Create2")),
        ),
        said(
            "tree-sitter/tree-sitter-python#341",
            "no interpreter of the tag imports that suffix",
            "foo-1.0-cp310-abi3-manylinux_2_17_x86_64.whl",
            "WC802",
            "foo/core.cpython-314t-x86_64-linux-gnu.so",
            module(name_only("PyModule_Create2")),
        ),
        said(
            "tenstorrent/tt-xla#5172",
            "SIGSEGV in dlopen",
            cp311,
            "WC708",
            f"foo/core.{suffix}",
            module(dynamic=[("INIT", 0x40)]),
            says="not code",
        ),
    ]


def all_reports() -> list[Report]:
    return [*uploads(), *metadata(), *libraries()]
