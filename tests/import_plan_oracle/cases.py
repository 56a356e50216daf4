"""Packages that change how libraries are opened, as real packages do: path -> text; None for an empty .so."""

SETTER = """
    import ctypes
    import sys

    _can = hasattr(sys, 'getdlopenflags') and hasattr(sys, 'setdlopenflags')
    if _can:
      _default = sys.getdlopenflags()

    def set_dlopen_flags():
      if _can:
        sys.setdlopenflags(_default | ctypes.RTLD_GLOBAL)

    def reset_dlopen_flags():
      if _can:
        sys.setdlopenflags(_default)
"""
CALLER = """
    import ctypes
    import sys
    import traceback

    try:
      from pkg.python import helper
      _use = True
    except ImportError:
      _use = False

    _default = sys.getdlopenflags()
    try:
      if _use:
        helper.set_dlopen_flags()
      else:
        sys.setdlopenflags(_default | ctypes.RTLD_LOCAL)
      try:
        ModuleNotFoundError
      except NameError:
        ModuleNotFoundError = ImportError
      try:
        from pkg.python._internal import *
      except ModuleNotFoundError:
        pass
      if _use:
        helper.reset_dlopen_flags()
      else:
        sys.setdlopenflags(_default)
    except ImportError as error:
      raise ImportError(f'{traceback.format_exc()} failed to load') from error
"""
TENSORFLOW = {
    "pkg/__init__.py": "from pkg.python import loader\nfrom pkg.python import _after\n",
    "pkg/python/__init__.py": "",
    "pkg/python/loader.py": CALLER,
    "pkg/python/_internal.so": None,
    "pkg/python/_after.so": None,
}
TORCH = """
    import ctypes
    import os
    import platform
    import sys

    USE_GLOBAL_DEPS = True
    USE_RTLD_GLOBAL_WITH_LIBTORCH = False

    def _preload(folder, name):
        for path in sys.path:
            candidate = os.path.join(path, folder, name)
            if os.path.exists(candidate):
                ctypes.CDLL(candidate)

    def _load_global_deps():
        if platform.system() == "Windows":
            return
        lib_ext = ".dylib" if platform.system() == "Darwin" else ".so"
        lib_name = f"libpkg_global_deps{lib_ext}"
        here = os.path.abspath(__file__)
        path = os.path.join(os.path.dirname(here), "lib", lib_name)
        try:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            for folder, name in {"cublas": "libcublas.so.*[0-9]"}.items():
                _preload(folder, name)
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)

    if (USE_RTLD_GLOBAL_WITH_LIBTORCH or os.getenv("PKG_USE_RTLD_GLOBAL")) and (
        platform.system() != "Windows"
    ):
        import os as _dl_flags
        old_flags = sys.getdlopenflags()
        sys.setdlopenflags(_dl_flags.RTLD_GLOBAL | _dl_flags.RTLD_LAZY)
        from pkg._C import *
        sys.setdlopenflags(old_flags)
        del old_flags
    else:
        if USE_GLOBAL_DEPS:
            _load_global_deps()
        from pkg._C import *
    from pkg import _ops
"""
OPS = """
    import contextlib
    import ctypes
    import os
    import sys

    _SET_GLOBAL_FLAGS = hasattr(sys, "getdlopenflags") and hasattr(sys, "setdlopenflags")

    @contextlib.contextmanager
    def dl_open_guard():
        if not _SET_GLOBAL_FLAGS:
            yield
            return
        old_flags = sys.getdlopenflags()
        sys.setdlopenflags(old_flags | ctypes.RTLD_GLOBAL)
        try:
            yield
        finally:
            sys.setdlopenflags(old_flags)

    def load_library(path):
        with dl_open_guard():
            ctypes.CDLL(path)
"""
GUARD = """
    import os
    import sys

    class Guard:
        def __init__(self, extra=os.RTLD_GLOBAL):
            self.saved = None

        def __enter__(self):
            try:
                self.saved = sys.getdlopenflags()
                sys.setdlopenflags(self.saved | os.RTLD_GLOBAL)
            except AttributeError:
                pass

        def __exit__(self, *args):
            if self.saved:
                sys.setdlopenflags(self.saved)
                self.saved = None
"""


def modules(*names: str) -> dict[str, None]:
    return {f"pkg/{name}.so": None for name in names}


CASES: dict[str, dict[str, str | None]] = {
    "setter in another file": {**TENSORFLOW, "pkg/python/helper.py": SETTER},
    "setter that the wheel lacks": TENSORFLOW,
    "library made global, branch of the environment": {
        "pkg/__init__.py": TORCH,
        "pkg/_ops.py": OPS + "    from pkg import _later\n",
        "pkg/lib/libpkg_global_deps.so": None,
        **modules("_C", "_later"),
    },
    "generator as a context": {
        "pkg/__init__.py": """
            from .ops import dl_open_guard as guard
            from . import _before
            with guard():
                from . import _inside
                from .sub import f
            from . import _after
        """,
        "pkg/ops.py": OPS,
        "pkg/sub.py": "from . import _deep\nf = 1\n",
        **modules("_before", "_inside", "_deep", "_after"),
    },
    "class as a context": {
        "pkg/__init__.py": "from pkg import _rtld\nwith _rtld.Guard():\n    from . import _a\nfrom . import _b\n",
        "pkg/_rtld.py": GUARD,
        **modules("_a", "_b"),
    },
    "class as a context of its own file": {
        "pkg/__init__.py": GUARD + "\n    with Guard():\n        from . import _a\n    from . import _b\n",
        **modules("_a", "_b"),
    },
    "restored in finally": {
        "pkg/__init__.py": """
            import sys, os
            _old = sys.getdlopenflags()
            try:
                sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
                from . import _a
            except ImportError:
                from . import _b
            finally:
                sys.setdlopenflags(_old)
            from . import _c
        """,
        **modules("_a", "_b", "_c"),
    },
    "restored after an import that fails": {
        "pkg/__init__.py": """
            import sys, os
            _old = sys.getdlopenflags()
            sys.setdlopenflags(_old | 0x100)
            try:
                import pkg._missing
                import pkg._a
            except ImportError:
                import pkg._b
            else:
                import pkg._c
            finally:
                sys.setdlopenflags(_old)
            import pkg._d
        """,
        **modules("_a", "_b", "_c", "_d"),
    },
    "numbers": {
        "pkg/__init__.py": """
            import sys
            sys.setdlopenflags(258)
            from . import _a
            sys.setdlopenflags(10)
            from . import _b
            sys.setdlopenflags(sys.getdlopenflags() | 1 << 8)
            from . import _c
            sys.setdlopenflags(sys.getdlopenflags() & ~0x108)
            from . import _d
        """,
        **modules("_a", "_b", "_c", "_d"),
    },
    "nested saves": {
        "pkg/__init__.py": """
            import os, sys
            outer = sys.getdlopenflags()
            sys.setdlopenflags(outer | os.RTLD_GLOBAL)
            from . import inner, _b
            sys.setdlopenflags(outer)
            from . import _c
        """,
        "pkg/inner.py": """
            import os, sys
            saved = sys.getdlopenflags()
            sys.setdlopenflags(saved | os.RTLD_DEEPBIND)
            from . import _a
            sys.setdlopenflags(saved)
        """,
        **modules("_a", "_b", "_c"),
    },
    "flags that a module leaves behind": {
        "pkg/__init__.py": "from . import _a, leaky, _b\n",
        "pkg/leaky.py": "import sys, os\nsys.setdlopenflags(sys.getdlopenflags() | os.RTLD_GLOBAL)\n",
        **modules("_a", "_b"),
    },
    "function that imports": {
        "pkg/__init__.py": """
            def load():
                from . import _b
                from .sub import setup
                setup()
            def never():
                from . import _never
            from . import _a
            load()
            from . import _d
        """,
        "pkg/sub/__init__.py": "from .impl import setup\n",
        "pkg/sub/impl.py": "def setup():\n    import pkg.sub._c\n",
        "pkg/sub/_c.so": None,
        **modules("_a", "_b", "_d", "_never"),
    },
    "conditions of the platform and the type checker": {
        "pkg/__init__.py": """
            import sys
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from . import _typing
            if sys.platform == "win32":
                from . import _windows
            elif sys.platform.startswith("linux"):
                from . import _linux
            else:
                from . import _other
            if sys.version_info[0] < 3:
                from . import _two
            if __name__ == "__main__":
                from . import _main
        """,
        **modules("_typing", "_windows", "_linux", "_other", "_two", "_main"),
    },
    "fast module with a slow one in its place": {
        "pkg/__init__.py": """
            try:
                from ._fast import f
            except ImportError:
                from ._slow import f
            try:
                import pkg.absent
                HAS = True
            except ImportError:
                HAS = False
            if not HAS:
                from . import _instead
            else:
                from . import _with
        """,
        "pkg/_fast.py": "from . import _c_fast\nf = 1\n",
        "pkg/_slow.py": "from . import _c_slow\nf = 1\n",
        **modules("_c_fast", "_c_slow", "_instead", "_with"),
    },
    "package before module, module before source": {
        "pkg/__init__.py": "import pkg.a, pkg.b\n",
        "pkg/a/__init__.py": "from . import _in_package\n",
        "pkg/a.so": None,
        "pkg/b.py": "import pkg._of_source\n",
        "pkg/b.so": None,
        "pkg/a/_in_package.so": None,
        **modules("_of_source"),
    },
    "cycles and relative names": {
        "pkg/__init__.py": "from .one import x\nfrom .deep.er import y\n",
        "pkg/one.py": "from . import two\nfrom ._a import *\nx = 1\n",
        "pkg/two.py": "from . import one\nfrom ._b import *\n",
        "pkg/deep/__init__.py": "from .. import _c\n",
        "pkg/deep/er.py": "from ..deep import _d\ny = 1\n",
        "pkg/deep/_d.so": None,
        **modules("_a", "_b", "_c"),
    },
    "import_module": {
        "pkg/__init__.py": "import importlib\nimportlib.import_module('pkg._a')\n__import__('pkg.sub')\n",
        "pkg/sub.py": "from importlib import import_module\nNAME = 'pkg.' + '_b'\nimport_module(NAME)\n",
        **modules("_a", "_b"),
    },
    "libraries of a loop": {
        "pkg/__init__.py": """
            import ctypes, os
            _here = os.path.dirname(__file__)
            for _name in ("libone.so", "libtwo.so", "libabsent.so"):
                _path = os.path.join(_here, "lib", _name)
                try:
                    ctypes.CDLL(_path, mode=ctypes.RTLD_GLOBAL)
                except OSError:
                    pass
            from . import _a
        """,
        "pkg/lib/libone.so": None,
        "pkg/lib/libtwo.so": None,
        **modules("_a"),
    },
}
