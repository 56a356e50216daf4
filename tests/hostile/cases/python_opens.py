"""Libraries that the import of a package opens with ctypes or cffi: for another machine, without a definition, or text.
CPython ends the import of each with OSError, unless the case is called calm."""

from cases.elf_lookup import FREE, Import, in_package, part
from elf_maker import Library
from hostile import Case, elf_case

ROW = "libraries that Python code surely opens: for another machine, with undefined names, or no ELF files"
LIBRARY = "hostile/libx.so"
START = "import ctypes, os, sys\nhere = os.path.dirname(__file__)\n"
PATH = "os.path.join(here, 'libx.so')"
OTHER = Library(machine="aarch64", soname="libx.so", exports=["x"]).build()
LACKS = Library(soname="libx.so", exports=["x"], imports=[FREE, Import("nowhere", version=None)]).build()
TEXT = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 12345\n"

OPENS = {
    "join": f"ctypes.CDLL({PATH})\n",
    "load-library": f"ctypes.cdll.LoadLibrary({PATH})\n",
    "pathlib": "from pathlib import Path\nctypes.CDLL(str(Path(__file__).parent / 'libx.so'))\n",
    "resources": "from importlib import resources\nctypes.CDLL(str(resources.files('hostile') / 'libx.so'))\n",
    "system": "import platform\next = {'Linux': 'so', 'Darwin': 'dylib'}[platform.system()]\n"
    "ctypes.CDLL(os.path.join(here, f'libx.{ext}'))\n",
    "function": f"def load(): return ctypes.CDLL({PATH})\nlib = load()\n",
    "parameter": "def load(name): return ctypes.CDLL(os.path.join(here, name))\nlib = load('libx.so')\n",
    "found": "def find(name):\n    for d in (here, os.path.join(here, 'lib')):\n        p = os.path.join(d, name)\n"
    "        if os.path.exists(p): return p\n    raise OSError\nctypes.CDLL(find('libx.so'))\n",
    "class": "class Lib:\n    def __init__(self, n): self.lib = ctypes.CDLL(os.path.join(here, n))\nlib = Lib('libx.so')\n",
    "loop": "for n in ['libx.so']: ctypes.CDLL(os.path.join(here, n))\n",
    "environment": f"ctypes.CDLL(os.environ.get('HOSTILE_LIB', {PATH}))\n",
    "raises-again": f"try: ctypes.CDLL({PATH})\nexcept OSError as e: raise ImportError('x') from e\n",
    "raises-twice": f"try:\n    try: ctypes.CDLL({PATH})\n    except OSError: raise\nexcept OSError as e: raise ImportError from e\n",
    "cffi": f"from cffi import FFI\nffi = FFI()\nlib = ffi.dlopen({PATH})\n",
    "sibling": "from .sub import load\nload()\n",
    "sibling-body": "from . import body\n",
}  # fmt: skip
MORE = {
    "hostile/sub.py": f"{START}def load(): return ctypes.CDLL({PATH})\n".encode(),
    "hostile/body.py": f"{START}lib = ctypes.CDLL({PATH})\n".encode(),
}
CALM = {
    "machine": f"import platform\nif platform.machine() == 'aarch64': ctypes.CDLL({PATH})\n",
    "machines": f"import platform\nif platform.machine() in ('arm64', 'aarch64'): ctypes.CDLL({PATH})\n",
    "table": "import platform\nn = {'aarch64': 'libx.so', 'x86_64': None}[platform.machine()]\n"
    "if n: ctypes.CDLL(os.path.join(here, n))\n",
    "uname": f"if os.uname().machine == 'aarch64': ctypes.CDLL({PATH})\n",
    "version": f"if sys.version_info < (3, 8): ctypes.CDLL({PATH})\n",
    "pointer": f"import struct\nif struct.calcsize('P') == 4: ctypes.CDLL({PATH})\n",
    "maxsize": f"if sys.maxsize < 2**32: ctypes.CDLL({PATH})\n",
    "caught": f"try: ctypes.CDLL({PATH})\nexcept OSError: pass\n",
    "caught-around": f"try:\n    try: ctypes.CDLL({PATH})\n    except OSError as e: raise ImportError from e\n"
    "except ImportError: pass\n",
    "perhaps-raised": f"try: ctypes.CDLL({PATH})\nexcept OSError as e:\n    if 'cuda' in str(e): raise\n",
    "caller-catches": f"def load(p): return ctypes.CDLL(p)\ntry: load({PATH})\nexcept OSError: pass\n",
    "two-names": "n = 'libx.so' if os.path.exists('/opt/x') else 'liby.so'\nif os.path.exists(n): ctypes.CDLL(os.path.join(here, n))\n",
    "system": f"if sys.platform == 'darwin': ctypes.CDLL({PATH})\n",
    "function": f"def load(): return ctypes.CDLL({PATH})\n",
}  # fmt: skip


def opens(name: str, text: str, data: bytes, **told) -> Case:
    module = Library(needed=["libc.so.6"])
    return elf_case(f"opens-{name}", "finding", ROW, module, member="hostile/core.so",
                    more={LIBRARY: data, **MORE, **in_package(START + text)}, **told)  # fmt: skip


def about(case: Case, member: str = LIBRARY) -> Case:
    case.member = member
    return case


def cases():
    for name, code in OPENS.items():
        yield about(opens(f"machine-{name}", code, OTHER, code="WC109", fails=True))
        yield about(opens(f"lacks-{name}", code, LACKS, code="WC306", says="nowhere", fails=True))
        yield about(opens(f"text-{name}", code, TEXT, code="WC718", fails=True))
    for name, code in CALM.items():
        yield about(opens(f"calm-{name}", code, OTHER, code="WC109", fails=False))
    for name in ("join", "pathlib", "raises-again"):
        absent = opens(f"absent-{name}", OPENS[name].replace("libx", "libz"), part(), code="WC545", says="libz.so",
                       fails=False)  # fmt: skip
        yield about(absent, "hostile/__init__.py")
    # A library that is opened for itself gives no symbols to a module that does not require it.
    local = Library(imports=[FREE, Import("part", version=None)], needed=["libc.so.6"])
    text = START + "ctypes.CDLL(os.path.join(here, 'libpart.so.1'){})\n"
    for name, mode, expect in (("local", "", "finding"), ("global", ", mode=ctypes.RTLD_GLOBAL", "lower")):
        told = {"code": "WC306", "says": "part", "fails": True, "loads": False} if expect == "finding" else {"depends": True}
        case = elf_case(f"opens-symbols-{name}", expect, ROW, local,
                        more={"hostile/libpart.so.1": part(defines=()), **in_package(text.format(mode))}, **told)  # fmt: skip
        yield case
    # The search for a library ends at one that is loaded, if Python opened it by its path.
    wants = Library(imports=[FREE, Import("part", "libpart.so.1", None)], needed=["libpart.so.1", "libc.so.6"])
    libs = "libs = os.path.join(here, '..', 'hostile.libs')\n"
    for name, code, expect in (
        ("listed", libs + "for f in os.listdir(libs):\n    if '.so' in f: ctypes.CDLL(os.path.join(libs, f))\n", "lower"),
        ("path", libs + "ctypes.CDLL(os.path.join(libs, 'libpart.so.1'))\n", "lower"),
        ("name", "ctypes.CDLL('libpart.so.1')\n", "finding"),
    ):  # fmt: skip
        told = {"code": "WC506", "says": "libpart.so.1", "fails": True, "loads": False} if expect == "finding" else {"depends": True}
        yield elf_case(f"opens-before-{name}", expect, ROW, wants,
                       more={"hostile.libs/libpart.so.1": part(defines=()), **in_package(START + code)}, **told)  # fmt: skip
