"""Python code that sets flags of dlopen in a spelling, or in a file, that a reader may pass over. CPython runs each."""

from hostile import Case, pure

ROW = "Python code that loads libraries in unusual places and spellings"
FLAGS = "sys.setdlopenflags(0x102)"
INIT = {"hostile/__init__.py": b"value = 1\n"}
SITE = "hostile-1.0.data/data/lib/python3.11/site-packages"

MODULES = {
    "one-line": f"import sys; {FLAGS}\n",
    "from-one-line": "from sys import setdlopenflags; setdlopenflags(0x102)\n",
    "behind-text": f'"text"; import sys; {FLAGS}\n',
    "continued": f"import sys; \\\n{FLAGS}\n",
    "alias-one-line": "import sys as s; f = s.setdlopenflags; f(0x102)\n",
    "bracketed-import": "from sys import (setdlopenflags\n as f); f(0x102)\n",
    "try-one-line": f"try: import sys; {FLAGS}\nexcept OSError: pass\n",
    "format-string": 'import sys\nf"{sys.setdlopenflags(0x102)}"\n',
    "cr": f"import sys\r{FLAGS}\r",
    "cr-behind-comment": f"import sys # comment\r{FLAGS}\r",
    "form-feed": f"import sys\n\f{FLAGS}\n",
    "byte-order-mark": f"\ufeffimport sys; {FLAGS}\n",
    "wide-letters": "import sys\nsys.\uff53\uff45\uff54dlopenflags(0x102)\n",
    "bold-letter": "import sys\nsys.setd\U0001d425openflags(0x102)\n",
    "wide-module": f"import \uff53ys\n{FLAGS}\n",
    "import-function": "__import__('sys').setdlopenflags(0x102)\n",
    "import-module": "import importlib\nimportlib.import_module('sys').setdlopenflags(0x102)\n",
    "import-builtins": "import builtins\nbuiltins.__import__('sys').setdlopenflags(0x102)\n",
    "sys-of-os": "import os\nos.sys.setdlopenflags(0x102)\n",
    "sys-from-os": "from os import sys\nsys.setdlopenflags(0x102)\n",
    "star": "from sys import *\nsetdlopenflags(0x102)\n",
    "getattr": "import sys\ngetattr(sys, 'setdlopenflags')(0x102)\n",
    "default": f"import sys\ndef f(a={FLAGS}): pass\n",
    "sum": "import sys\nsys.setdlopenflags(256 + 2)\n",
}
PATH_FILES = {
    "import": f"import sys; {FLAGS}\n",
    "tab": f"import\tsys; {FLAGS}\n",
    "third-line": f"# comment\n./other\nimport sys; {FLAGS}\n",
    "cr": f"other\rimport sys; {FLAGS}",
    "byte-order-mark": f"\ufeffimport sys; {FLAGS}",
    "line-separator": f"other\u2028import sys; {FLAGS}",
    "import-function": "import os; __import__('sys').setdlopenflags(0x102)\n",
}


def case(name: str, member: str, text: str, expect: str = "finding", **told) -> Case:
    told = {"member": member, "code": "WC205", "fails": False, **told} if expect == "finding" else told
    return Case(f"hidden-{name}", expect, ROW, pure({**INIT, member: text.encode()}).build(), **told)


def cases() -> list[Case]:
    line = PATH_FILES["import"]
    script = f"\nimport sys\n{FLAGS}\n"
    return [
        *(case(name, "hostile/victim.py", code) for name, code in MODULES.items()),
        *(case(f"path-{name}", "hostile.pth", code) for name, code in PATH_FILES.items()),
        case("path-purelib", "hostile-1.0.data/purelib/hostile.pth", line),
        case("path-platlib", "hostile-1.0.data/platlib/hostile.pth", line),
        case("path-data", f"{SITE}/hostile.pth", line),
        case("path-comment", "hostile.pth", "#" + line, "ok"),
        case("path-blank", "hostile.pth", " " + line, "ok"),
        case("path-in-package", "hostile/other.pth", line, "ok"),
        case("path-exec", "hostile.pth", f"import sys; exec('{FLAGS}')\n", code="WC717", fails=True),
        case("exec", "hostile/victim.py", f"exec('import sys; {FLAGS}')\n", code="WC717", fails=True),
        case("script", "hostile-1.0.data/scripts/tool", "#!python" + script),
        case("script-env", "hostile-1.0.data/scripts/tool", "#!/usr/bin/env python3" + script),
        case("script-shell", "hostile-1.0.data/scripts/tool", "#!/bin/sh" + script, "ok"),
        case("purelib", "hostile-1.0.data/purelib/hostile/victim.py", f"import sys\n{FLAGS}\n"),
    ]
