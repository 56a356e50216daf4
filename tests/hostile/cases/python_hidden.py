"""Python code that sets flags of dlopen in a spelling, or in a file, that a reader may pass over. CPython runs each."""

import base64
import codecs
import zlib

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
    "long-s": "import sys\nsys.\u017fetdlopenflags(0x102)\n",
    "long-s-of-module": f"import \u017fys\n{FLAGS}\n",
    "hexadecimal-letter": "import sys\ngetattr(sys, 'setdlopen\\x66lags')(0x102)\n",
    "octal-letter": "import sys\ngetattr(sys, 'setdlopen\\146lags')(0x102)\n",
    "named-letter": "import sys\ngetattr(sys, 'setdlopen\\N{LATIN SMALL LETTER F}lags')(0x102)\n",
    "named-letters": "import sys\ngetattr(sys, 's\\N{latin small letter e}tdlopen\\N{Latin Small Letter F}lags')(0x102)\n",
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
    "modules": "import sys\nsys.modules['sys'].setdlopenflags(0x102)\n",
    "modules-get": "import sys\nsys.modules.get('sys').setdlopenflags(0x102)\n",
    "dict": "import sys\nsys.__dict__['setdlopenflags'](0x102)\n",
    "dict-get": "import sys\nsys.__dict__.get('setdlopenflags')(0x102)\n",
    "vars": "import sys\nvars(sys)['setdlopenflags'](0x102)\n",
    "globals": "import sys\nglobals()['sys'].setdlopenflags(0x102)\n",
    "globals-star": "from sys import *\nglobals()['setdlopenflags'](0x102)\n",
    "partial": "import functools, sys\nfunctools.partial(sys.setdlopenflags, 0x102)()\n",
    "partial-later": "import sys\nfrom functools import partial\nf = partial(sys.setdlopenflags)\nf(0x102)\n",
    "map": "import sys\nlist(map(sys.setdlopenflags, [0x102]))\n",
    "attrgetter": "import operator, sys\noperator.attrgetter('setdlopenflags')(sys)(0x102)\n",
    "getattribute": "import sys\nsys.__getattribute__('setdlopenflags')(0x102)\n",
    "call-of-function": "import sys\nsys.setdlopenflags.__call__(0x102)\n",
    "list-of-arguments": "import sys\nsys.setdlopenflags(*[0x102])\n",
    "named": "import sys\n(f := sys.setdlopenflags)(0x102)\n",
    "comprehension": "import sys\n[f(0x102) for f in [sys.setdlopenflags]]\n",
    "loop": "import sys\nfor f in (sys.setdlopenflags,): f(0x102)\n",
    "dict-of-functions": "import sys\n{'f': sys.setdlopenflags}['f'](0x102)\n",
    "static-method": "import sys\nclass A: f = staticmethod(sys.setdlopenflags)\nA.f(0x102)\n",
    "conditional": "import sys\n(sys.setdlopenflags if sys else None)(0x102)\n",
    "returned": "import sys\ndef f(): return sys.setdlopenflags\nf()(0x102)\n",
    "module-as-argument": "import sys\ndef f(s): s.setdlopenflags(0x102)\nf(sys)\n",
    "two-texts": "import sys\ngetattr(sys, 'setdlopen' 'flags')(0x102)\n",
    "async": "import asyncio, sys\nasync def f(): sys.setdlopenflags(0x102)\nasyncio.run(f())\n",
    "match": "import sys\nmatch sys.setdlopenflags(0x102):\n    case None: pass\n",
    "assert": "import sys\nassert sys.setdlopenflags(0x102) is None\n",
    "generator": "import sys\nlist(sys.setdlopenflags(i) for i in [0x102])\n",
    "annotation": "import sys\nx: sys.setdlopenflags(0x102)\n",
    "annotation-with-value": "import sys\nx: sys.setdlopenflags(0x102) = 1\n",
    "annotation-of-parameter": "import sys\ndef f(a: sys.setdlopenflags(0x102)): pass\n",
    "annotation-of-result": "import sys\ndef f() -> sys.setdlopenflags(0x102): pass\n",
    "yield-from": "import sys\ndef f(): yield from [sys.setdlopenflags(0x102)]\nlist(f())\n",
    "starred": "import sys\na, *b = 1, sys.setdlopenflags(0x102)\n",
    "delete": "import sys\na = {None: 1}\ndel a[sys.setdlopenflags(0x102)]\n",
    "raise": "import sys\ntry: raise ValueError(sys.setdlopenflags(0x102))\nexcept ValueError: pass\n",
    "except-star": "import sys\ntry: 1 / 0\nexcept (sys.setdlopenflags(0x102), ZeroDivisionError)[1]: pass\n",
    "global-statement": "import sys\ndef f():\n    global g\n    g = sys.setdlopenflags\nf()\ng(0x102)\n",
    "metaclass-body": "import sys\nclass A:\n    class B:\n        sys.setdlopenflags(0x102)\n",
    "at-exit": "import atexit, sys\natexit.register(sys.setdlopenflags, 0x102)\n",
    "callback": "import contextlib, sys\nwith contextlib.ExitStack() as s: s.callback(sys.setdlopenflags, 0x102)\n",
    "augmented": "import sys\nflags = 2\nflags |= 0x100\nsys.setdlopenflags(flags)\n",
    "global-name": "import os, sys\nsys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_NOW)\n",
}
CODE = f"import sys; {FLAGS}"
PACKED = base64.b64encode(CODE.encode()).decode()
# Texts that exec or eval runs: WC717.
RUN = {
    "exec": f"exec('{CODE}')\n",
    "exec-of-builtins": f"import builtins\nbuiltins.exec('{CODE}')\n",
    "exec-of-name": f"code = '{CODE}'\nexec(code)\n",
    "exec-of-compile": f"exec(compile('{CODE}', 'x', 'exec'))\n",
    "exec-of-compiled": f"code = compile('{CODE}', 'x', 'exec')\nexec(code)\n",
    "eval-of-compile": f"eval(compile('{FLAGS}', 'x', 'eval'))\n",
    "exec-of-base64": f"import base64\nexec(base64.b64decode('{PACKED}'))\n",
    "exec-of-base64-name": f"import base64\nx = '{PACKED}'\nexec(compile(base64.b64decode(x), 'x', 'exec'))\n",
    "exec-of-hex": f"exec(bytes.fromhex('{CODE.encode().hex()}'))\n",
    "exec-of-zlib": f"import zlib\nexec(zlib.decompress({zlib.compress(CODE.encode(), 9)!r}).decode())\n",
    "exec-of-rot13": f"import codecs\nexec(codecs.decode({codecs.encode(CODE, 'rot13')!r}, 'rot13'))\n",
    "exec-of-marshal": "import marshal\nexec(marshal.loads(b'\\xe3\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'))\n",
    "exec-of-literal": f"import ast\nexec(ast.literal_eval('b{PACKED!r}') and __import__('base64').b64decode('{PACKED}'))\n",
}
HEX = CODE.encode().hex()
RUN |= {
    "run-builtins-item": f"__builtins__['exec']('{CODE}')\n",
    "run-import-of-builtins": f"__import__('builtins').exec('{CODE}')\n",
    "run-modules": f"import sys\nsys.modules['builtins'].exec('{CODE}')\n",
    "run-map": f"list(map(exec, ['{CODE}']))\n",
    "run-partial": f"import functools\nfunctools.partial(exec, '{CODE}')()\n",
    "run-key": f"max(['{CODE}', 'pass'], key=exec)\n",
    "run-lambda": f"(lambda c: exec(c))('{CODE}')\n",
    "run-match": f"match '{CODE}':\n    case c: exec(c)\n",
    "run-match-in-two-lines": f"match '{CODE}':\n    case c:\n        exec(c)\n",
    "run-lines": f"for c in '{CODE}'.splitlines():\n    exec(c)\n",
    "run-documentation": f"def f():\n    '{CODE}'\nexec(f.__doc__)\n",
    "run-own-documentation": f"'{CODE}'\nexec(__doc__)\n",
    "run-function-type": f"import types\ntypes.FunctionType(compile('{CODE}', '', 'exec'), globals())()\n",
    "run-function-of-marshal": "import marshal, types\n"
    "types.FunctionType(marshal.loads(b'\\xe3\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'), globals())()\n",
    "run-decoder-as": f"from base64 import b64decode as d\nexec(d('{PACKED}'))\n",
    "run-decoder-name": f"import base64\nd = base64.b64decode\nexec(d('{PACKED}'))\n",
    "run-decoder-getattr": f"import base64\nexec(getattr(base64, 'b64decode')('{PACKED}'))\n",
    "run-codecs-hex": f"import codecs\nexec(codecs.decode('{HEX}', 'hex'))\n",
    "run-value-of-a-dictionary": f"import codecs\ntexts = {{'first': '{HEX}'}}\nexec(codecs.decode(texts['first'], 'hex'))\n",
    "run-codecs-lookup": f"import codecs\nexec(codecs.lookup('hex').decode(b'{HEX}')[0])\n",
    "run-codecs-base64": f"import codecs\nexec(codecs.decode(b'{PACKED}', 'base64'))\n",
    "run-utf-16": f"exec({CODE.encode('utf-16')!r}.decode('utf-16'))\n",
    "run-utf-7": f"exec({CODE.encode('utf-7').replace(b's', b'+AHM-')!r}.decode('UTF-7'))\n",
    "run-ebcdic": f"exec({CODE.encode('cp500')!r}.decode('cp500'))\n",
    "run-a2b": f"import binascii\nexec(binascii.a2b_hex('{HEX}'))\n",
    "run-quopri": f"import quopri\nexec(quopri.decodestring(b'{HEX}' and b'{''.join(f'={c:02X}' for c in CODE.encode())}'))\n",
}  # fmt: skip
# Code that generates code, and methods of that name.
NOT_HIDDEN = {
    # A library of the system may be global; both are notes.
    "partial-mode": "import ctypes, functools\nfunctools.partial(ctypes.CDLL, mode=0x102)('libm.so.6')\n",
    "dict-of-arguments": "import ctypes\nctypes.CDLL('libm.so.6', **{'mode': 0x102})\n",
    "exec-of-file": "exec(open('version.py').read())\n",
    "exec-of-format": "def f(name):\n    exec('def %s(): pass' % name)\nf('a')\n",
    "method-eval": f"import base64\nclass A:\n    def eval(self, x): pass\nA().eval(base64.b64decode('{PACKED}'))\n",
    "eval-of-output": f"import subprocess\nx = ['python', '-c', '{CODE}']\nout = subprocess.check_output(x)\neval(out)\n",
    "decoded-data": f"import base64\ndata = base64.b64decode('{PACKED}')\nexec('x = 1')\n",
    "names-in-list": "__all__ = ['eval', 'setdlopenflags', 'exec']\n",
    "argument-of-that-name": "def f(**k): pass\nf(eval=1, exec=2, doc='setdlopenflags')\n",
    "alias-of-decoder": f"import base64\nd = base64.b64decode\ndata = d('{PACKED}')\nexec('x = 1')\n",
    "encoding-of-data": "x = '0123456789abcdef0123456789'.encode('utf-16')\nexec('y = 1')\n",
    "function-type": "import types\nx = isinstance(print, types.FunctionType), 'setdlopenflags'\n",
    "function-from-pipe": "import types\nfrom base64 import b64decode\nfrom marshal import loads\n\n\ndef run(pipe):\n"
    "    code = loads(b64decode(pipe.readline()))\n    names = {'__builtins__': __builtins__, '__isolated__': True}\n"
    "    types.FunctionType(code, names)()\n",  # PyInstaller 6.22.3
    "function-from-parameter": "import codecs, marshal, types\n\n\ndef load(code):\n"
    "    raw = code.encode('raw_unicode_escape')\n    code = marshal.loads(raw)\n"
    "    return types.FunctionType(code, globals())\n",  # Keras 2
    "function-of-dumps": "import marshal, types\n\n\ndef write(f, out):\n    text = marshal.dumps(f.__code__)\n    out(text)\n"
    "def read(get):\n    text = get()\n    code = marshal.loads(text)\n    names = {'__builtins__': __builtins__}\n"
    "    return types.FunctionType(code, names)\n",  # pyfory 1.7.7
    "compiled-pattern": "import re\nre.compile('setdlopenflags')\nfrom types import FunctionType\n",
    "escapes-in-pattern": "import re\nre.compile(r'\\x66\\N{LATIN SMALL LETTER A}')\n",
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
        *(case(name, "hostile/victim.py", code, code="WC717", fails=True) for name, code in RUN.items()),
        *(case(name, "hostile/victim.py", code, "ok") for name, code in NOT_HIDDEN.items()),
        case("script", "hostile-1.0.data/scripts/tool", "#!python" + script),
        case("script-env", "hostile-1.0.data/scripts/tool", "#!/usr/bin/env python3" + script),
        case("script-shell", "hostile-1.0.data/scripts/tool.sh", "#!/bin/sh" + script, "ok"),
        case("purelib", "hostile-1.0.data/purelib/hostile/victim.py", f"import sys\n{FLAGS}\n"),
    ]
