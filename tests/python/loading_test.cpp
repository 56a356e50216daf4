// What is left of a file for its calls that load, and that the calls are the same with it.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "python/prefilter/prune.h"

namespace wheelcheck::python {
namespace {

std::optional<std::string> calls_of(std::string_view source) { return loading_code(source, Detail::Calls); }
std::optional<std::string> events_of(std::string_view source) { return loading_code(source, Detail::Events); }

TEST(LoadingCode, FunctionsThatHaveNothingToDoWithLoadingLoseTheirBodies) {
  EXPECT_EQ(events_of("import ctypes\n"
                      "def area(a):\n"
                      "  return a * a\n"
                      "\n"
                      "class Shape:\n"
                      "  '''Documentation.'''\n"
                      "  def size(self):\n"
                      "    return area(self.a)  # a comment\n"
                      "\n"
                      "def load():\n"
                      "  return ctypes.CDLL('libx.so')\n"),
            "import ctypes\n"
            "\n"
            "\n"
            "\n"
            "class Shape:\n"
            "  0\n"
            "\n"
            "\n"
            "\n"
            "def load():\n"
            "  return ctypes.CDLL('libx.so')\n");
  for (const auto& [text, left] : {
           std::pair("@mark\ndef f(a, b=1):\n  return a\nCDLL\n", "@mark\ndef f():\n  pass\nCDLL\n"),
           std::pair("def f(a,\n      b):\n\n  return a\nCDLL(f)\n", "def f(a,\n      b):\n\n  return a\nCDLL(f)\n"),
           std::pair("def f(a,\n      b):\n\n  return a\nuse(f)\nCDLL\n", "def f():\n\n\n  pass\nuse(f)\nCDLL\n"),
           std::pair("def f(a=g()):\n  return a\nCDLL\n", "def f(a=g()):\n  pass\nCDLL\n"),
           std::pair("def f(a=[CDLL]):\n  return a\n", "def f(a=[CDLL]):\n  return\n"),
       })
    EXPECT_EQ(events_of(text), left) << text;
}

TEST(LoadingCode, AssignmentsToNamesThatStandNowhereElseGo) {
  for (const auto& [text, left] : {
           std::pair("a = 1\nb = [c for c in d]\nself.c.d = {1: (2, 3)}\nCDLL('x')\n", "\n\n\nCDLL('x')\n"),
           std::pair("a: int = 5\nb += 1 if c else 2\nd = e = not e\nCDLL('x')\n", "\n\n\nCDLL('x')\n"),
           std::pair("if a:\n  b = 1\n  c = 2\nelse:\n  d = 3\nCDLL('x')\n", "if a:\n  0\n\nelse:\n  0\nCDLL('x')\n"),
           std::pair("if a:\n\tb = 1\n\tc = 2\nCDLL('x')\n", "if a:\n\t0\n\t0\nCDLL('x')\n"),
           std::pair("a = 1\nb = a\nc = b\nd = c\nCDLL(b)\n", "a = 1\nb = a\n\n\nCDLL(b)\n"),
           std::pair("def f():\n  a = [\n    1]\n  CDLL('x')\n", "def f():\n  0\n\n  CDLL('x')\n"),
       })
    EXPECT_EQ(events_of(text), left) << text;
  for (const std::string line :
       {"a = f()", "a = f(1)[0]", "a = b[0](1)", "a = 'b'.join(c)", "a = f(1)(2)", "a = f\"{g()}\"", "a = b; f()",
        "a = [b := c]", "a = await b", "a = yield", "a, b = c = yield from d", "case a: b = 1", "f().a = 1",
        "a = self(1)", "a = f \\\n  (1)", "a = [f\n  (1)]"}) {
    const std::string text = line + "\nCDLL('x')\n";
    EXPECT_EQ(events_of(text), text);
  }
}

TEST(LoadingCode, WhatIsRaisedGoes) {
  EXPECT_EQ(events_of("def f():\n  if a:\n    raise E('no '\n            f'{b}')\n  CDLL('x')\n"),
            "def f():\n  if a:\n    raise\n\n  CDLL('x')\n");
  for (const std::string text : {"def f():\n  CDLL('x')\ndef g():\n  raise f()\n", "raise E(CDLL('x'))\n",
                                 "class E:\n  def __init__(self):\n    CDLL('x')\ndef g():\n  raise E\n"})
    EXPECT_EQ(events_of(text), text);
}

TEST(LoadingCode, WordsInCommentsAndDocumentationAreNone) {
  for (const char* text : {"# dlopen\nx = 1\n", "'''Calls dlopen.'''\n", "def f():\n  r'cdll'\n", "x = 1  # CDLL"})
    EXPECT_EQ(events_of(text), std::nullopt) << text;
  for (const std::string text : {"x = 'dlopen'\n", "ctypes._dlopen()\n"}) EXPECT_EQ(events_of(text), text);
  for (const char* text : {"my_dlopen_2()\n", "x = 'dlopen failed'\n", "f(find_library_file)\n"})
    EXPECT_EQ(events_of(text), std::nullopt) << text;
}

TEST(LoadingCode, WhatLoadingUsesStays) {
  for (const std::string text : {
           "def name():\n  return 'libx.so'\ndef f():\n  CDLL(name())\n",
           "def name():\n  return 'libx.so'\nn = name()\ndef f():\n  CDLL(n)\n",
           "def name():\n  return 'libx.so'\nCDLL(name())\n",
           "def name():\n  return 'libx.so'\nnames = []\nnames.append(name())\nCDLL(names)\n",
           "def set_it():\n  global n\n  n = 'libx.so'\ndef f():\n  CDLL(n)\n",
           "class C:\n  def set_it(self):\n    self.n = 'libx.so'\n  def f(self):\n    CDLL(self.n)\n",
           "class C:\n  def add(self):\n    self.n.append('libx.so')\n  def f(self):\n    CDLL(self.n)\n",
           "class C:\n  def __init__(self):\n    self.n = 'libx.so'\nCDLL(C().n)\n",
           "def is_there():\n  return sys\nif is_there():\n  CDLL('libx.so')\n",
           "for n in names():\n  CDLL(n)\ndef names():\n  return ['libx.so']\n",
           "def name():\n  return 'x'\ndef f():\n  CDLL(f'lib{name()}.so')\n",
           "def name():\n  return 'x'\ndef f():\n  n = name()\n  CDLL(rf'lib{n}.so')\n",
       })
    EXPECT_EQ(events_of(text), text);
}

TEST(LoadingCode, WhoUsesWhatLoadsStays) {
  for (const std::string text : {
           "def load(n):\n  CDLL(n)\ndef f():\n  load('libx.so')\ndef g():\n  f()\n",
           "class C:\n  def __init__(self, n):\n    CDLL(n)\ndef f():\n  C('libx.so')\n",
           "class C:\n  def load(self, n):\n    CDLL(n)\ndef f(c):\n  c.load('libx.so')\n",
           "load = ctypes.CDLL\ndef f():\n  load('libx.so')\n",
           "load = ctypes.CDLL\nother = load\ndef f():\n  other('libx.so')\n",
           "from ctypes import CDLL as load\ndef f():\n  load('libx.so')\n",
           "load = partial(ctypes.CDLL, mode=1)\ndef f():\n  load('libx.so')\n",
           "class C:\n  def set_it(self):\n    self.load = CDLL\n  def f(self):\n    self.load('libx.so')\n",
           "def loader():\n  return CDLL\nload = loader()\ndef f():\n  load('libx.so')\n",
           "load = getattr(ctypes, 'CDLL')\ndef f():\n  load('libx.so')\n",
           "def each(load):\n  load('libx.so')\ndef f():\n  each(CDLL)\n",
           "def each(load=CDLL):\n  load('libx.so')\n",
           "class L(CDLL):\n  x()\ndef f():\n  L('libx.so')\n",
           "with find_library as load:\n  x()\ndef f():\n  load('libx.so')\n",
           "for load in (CDLL, PyDLL):\n  x()\ndef f():\n  load('libx.so')\n",
       })
    EXPECT_EQ(events_of(text), text);
}

TEST(LoadingCode, ATypeIsNoLoader) {
  for (const std::string text : {
           "from ctypes import CDLL\nx: CDLL = None\n",
           "def f():\n  from ctypes import CDLL, byref\n  byref(x)\n",
           "cache: dict[str, CDLL] = {}\ndef f():\n  cache.clear()\n",
           "def f(a: CDLL, b: Optional[CDLL] = None, *c: CDLL) -> list[CDLL]:\n  return a\n",
           "async def f(a: 'CDLL') -> 'CDLL': return a\n",
           "class C:\n  def f(self):\n    self.a: Union[\n      CDLL,\n      None,\n    ] = None\n",
       })
    EXPECT_EQ(events_of(text), std::nullopt) << text;
  EXPECT_EQ(events_of("def f(a: CDLL):\n  return a\nCDLL('libx.so')\n"), "\n\nCDLL('libx.so')\n");
  EXPECT_EQ(events_of("x = cdll.libx\ny = cdll['liby']\ndef f():\n  x.g(y)\n"),
            "x = cdll.libx\ny = cdll['liby']\n\n\n");
  for (const std::string text :
       {"load: Any = CDLL\ndef f():\n  load('libx.so')\n", "load = lambda: CDLL\ndef f():\n  load()('libx.so')\n",
        "def f(load=lambda a, b: CDLL):\n  load(1, 2)('libx.so')\n", "def f(load: type = CDLL):\n  load('libx.so')\n",
        "def f(a: CDLL('libx.so')) -> cdll['liby']:\n  0\n", "a: CDLL('libx.so')\n",
        "def f(a: g(CDLL)) -> None:\n  0\n", "match a:\n  case 1: g(CDLL)\n"})
    EXPECT_EQ(events_of(text), text);
}

TEST(LoadingCode, WhatAnImportRunsStays) {
  const std::string text = "def g():\n  import b\ndef f():\n  g()\nf()\ncdll\n";
  EXPECT_EQ(events_of(text), text);
  EXPECT_EQ(events_of("def f():\n  import b\nregister(f)\ncdll\n"), "def f():\n  pass\nregister(f)\ncdll\n");
  EXPECT_EQ(events_of("class f:\n  def __init__(self):\n    g()\ncdll\n"),
            "class f:\n  def __init__():\n    pass\ncdll\n");
}

TEST(CallsAlone, OnlyWhatTheyNeedStays) {
  for (const auto& [text, left] : {
           // Statements of a function
           std::pair(
               "def f(a):\n  log(a)\n  b = a.c()\n  n = g(a)\n  CDLL(n)\n  return b\ndef g(a):\n  h()\n  return a\n",
               "def f(a):\n  0\n\n  n = g(a)\n  CDLL(n)\n  return\ndef g(a):\n  0\n  return a\n"),
           // and of the module
           std::pair("log(1)\na = f()\nb = g()\nCDLL(b)\n", "\n\nb = g()\nCDLL(b)\n"),
           // What is said of a module is not said of this file
           std::pair("import os\ndef load(n):\n  return n\nCDLL(os.load(1))\n",
                     "import os\ndef load():\n  pass\nCDLL(os.load(1))\n"),
           // Functions that an import runs
           std::pair("def f():\n  import b\nf()\nCDLL('x')\n", "\n\n\nCDLL('x')\n"),
           std::pair("@mark\n@mark(1)\ndef f():\n  pass\nCDLL('x')\n", "\n\n\n\nCDLL('x')\n"),
           std::pair("@mark\ndef f():\n  pass\nif f:\n  CDLL('x')\n", "@mark\ndef f():\n  pass\nif f:\n  CDLL('x')\n"),
           std::pair("def f():\n  CDLL('x')\n  raise E(f'{a}')\n", "def f():\n  CDLL('x')\n  raise\n"),
       })
    EXPECT_EQ(calls_of(text), left) << text;
}

TEST(CallsAlone, ANameOfOnesOwnIsNoLoader) {
  for (const char* text : {"def f(cdll):\n  cdll.g()\n", "def f(self):\n  self.cdll.g()\n", "cdll = g()\ncdll.h()\n"})
    EXPECT_EQ(calls_of(text), std::nullopt) << text;
  for (const std::string text :
       {"from ctypes import cdll\ndef f():\n  cdll.g()\n", "from ctypes import *\ndef f(cdll):\n  cdll.g()\n",
        "def f(g=CDLL):\n  g('x')\n", "def f(lib):\n  lib.cdll.g()\n"})
    EXPECT_EQ(calls_of(text), text);
}

TEST(CallsAlone, WhatMayCallALoaderStays) {
  for (const std::string text : {
           "def f():\n  load = CDLL\n  load('x')\n",
           "def f():\n  for load in (CDLL, PyDLL):\n    load('x')\n",
           "def f():\n  from ctypes import CDLL as load\n  load('x')\n",
           "def f():\n  def load():\n    CDLL('x')\n  load()\n",
           "def f():\n  class Load:\n    def __init__(self):\n      CDLL('x')\n  Load()\n",
           "def each(load):\n  load('x')\n  return load('y')\ndef f():\n  each(CDLL)\n",
           "def f(n):\n  CDLL(n)\ng = f\ndef h():\n  f('x')\n  g('y')\n",
           "def f(n):\n  CDLL(n)\ndef g():\n  raise E(f('x'))\n",
           "def f(n):\n  CDLL(n)\ndef g():\n  raise (a := f('x'))\n",
           "def f():\n  (load := CDLL)\n  load('x')\n",
           "def f(libs=ctypes.cdll):\n  libs['x']\n",
       })
    EXPECT_EQ(calls_of(text), text);
}

TEST(CallsAlone, WhatDecidesStays) {
  for (const std::string text : {
           "def on():\n  return sys.platform\ndef f():\n  if on():\n    return\n  CDLL('x')\n",
           "def all():\n  return ['x']\nfor n in all():\n  CDLL('y')\n",
           "try:\n  import a\n  flag = True\nexcept E:\n  flag = False\nif flag:\n  CDLL('x')\n",
           "def f():\n  names = []\n  names.append('x')\n  CDLL(names)\n",
           "class C:\n  def set_it(self):\n    self.n = 'x'\n  def f(self):\n    CDLL(self.n)\n",
           "def f():\n  global n\n  n = 'x'\ndef g():\n  CDLL(n)\n",
           "def f():\n  returned = g()\n  raised = h()\n  CDLL(returned + raised)\n",
           "def f():\n  yield g()\n  CDLL('x')\n",
           "def f():\n  if a:\n    raise (n := 'x')\n  CDLL(n)\n",
       })
    EXPECT_EQ(calls_of(text), text);
}

TEST(LoadingCode, TextThatIsNoPythonComesBack) {
  for (const std::string text : {"dlopen('open\n", "f(\n", "\"\"\"", "def f():\n  \""})
    EXPECT_EQ(events_of(text), text);
}

TEST(LoadingCode, ALineMayBeLong) {
  for (const std::string part :
       {"a=", "a.append(b).", "for a in ", "a:b=", "a,", "f'{a}' ", "a = b; ", "'dlopen'", "dlopen "}) {
    std::string text = "x = CDLL(";
    while (text.size() < std::size_t{1} << 20) text += part;
    calls_of(text);
    std::string line = text.substr(text.find('(') + 1);
    calls_of("CDLL\n" + line + "0\n");
    calls_of("CDLL\ndef f():\n  " + line + "0\n");
  }
}

TEST(LoadingCode, AChainOfFunctionsIsFollowedToItsEndOrKeptWhole) {
  for (const int length : {10, 1000}) {
    std::string text;  // each is found by the one above it, a round later
    for (int i = 0; i < length; ++i)
      text += "def f" + std::to_string(i) + "():\n  return f" + std::to_string(i - 1) + "()\n";
    std::string other_way;
    for (int i = length; i > 0; --i)
      other_way += "def f" + std::to_string(i) + "():\n  return f" + std::to_string(i - 1) + "()\n";
    for (const std::string& chain :
         {text + "def f():\n  CDLL(f" + std::to_string(length - 1) + "())\n", other_way + "def f0():\n  CDLL('x')\n"}) {
      EXPECT_EQ(events_of(chain), chain);
      EXPECT_EQ(calls_of(chain), chain);
    }
  }
}

}  // namespace
}  // namespace wheelcheck::python
