// What is left of a file for its calls that load, and that the calls are the same with it.
#include "python/loading.h"

#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::python {
namespace {

TEST(LoadingCode, FunctionsThatHaveNothingToDoWithLoadingLoseTheirBodies) {
  EXPECT_EQ(loading_code("import ctypes\n"
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
           std::pair("def f(a=[CDLL]):\n  return a\n", "def f(a=[CDLL]):\n  return a\n"),
       })
    EXPECT_EQ(loading_code(text), left) << text;
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
    EXPECT_EQ(loading_code(text), left) << text;
  for (const std::string line :
       {"a = f()", "a = f(1)[0]", "a = b[0](1)", "a = 'b'.join(c)", "a = f(1)(2)", "a = f\"{g()}\"", "a = b; f()",
        "a = [b := c]", "a = await b", "a = yield", "a, b = c = yield from d", "case a: b = 1", "f().a = 1",
        "a = self(1)", "a = f \\\n  (1)", "a = [f\n  (1)]"}) {
    const std::string text = line + "\nCDLL('x')\n";
    EXPECT_EQ(loading_code(text), text);
  }
}

TEST(LoadingCode, WhatIsRaisedGoes) {
  EXPECT_EQ(loading_code("def f():\n  if a:\n    raise E('no '\n            f'{b}')\n  CDLL('x')\n"),
            "def f():\n  if a:\n    raise\n\n  CDLL('x')\n");
  for (const std::string text : {"def f():\n  CDLL('x')\ndef g():\n  raise f()\n", "raise E(CDLL('x'))\n",
                                 "class E:\n  def __init__(self):\n    CDLL('x')\ndef g():\n  raise E\n"})
    EXPECT_EQ(loading_code(text), text);
}

TEST(LoadingCode, WordsInCommentsAndDocumentationAreNone) {
  for (const char* text : {"# dlopen\nx = 1\n", "'''Calls dlopen.'''\n", "def f():\n  r'cdll'\n", "x = 1  # CDLL"})
    EXPECT_EQ(loading_code(text), std::nullopt) << text;
  for (const std::string text : {"x = 'dlopen'\n", "my_dlopen_2()\n"}) EXPECT_EQ(loading_code(text), text);
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
    EXPECT_EQ(loading_code(text), text);
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
    EXPECT_EQ(loading_code(text), text);
}

TEST(LoadingCode, ATypeIsNoLoader) {
  EXPECT_EQ(loading_code("cache: dict[str, CDLL] = {}\ndef f():\n  cache.clear()\n"),
            "cache: dict[str, CDLL] = {}\n\n\n");
  EXPECT_EQ(loading_code("x = cdll.libx\ny = cdll['liby']\ndef f():\n  x.g(y)\n"),
            "x = cdll.libx\ny = cdll['liby']\n\n\n");
  for (const std::string text :
       {"load: Any = CDLL\ndef f():\n  load('libx.so')\n", "load = lambda: CDLL\ndef f():\n  load()('libx.so')\n"})
    EXPECT_EQ(loading_code(text), text);
}

TEST(LoadingCode, WhatAnImportRunsStays) {
  const std::string text = "def g():\n  import b\ndef f():\n  g()\nf()\ncdll\n";
  EXPECT_EQ(loading_code(text), text);
  EXPECT_EQ(loading_code("def f():\n  import b\nregister(f)\ncdll\n"), "def f():\n  pass\nregister(f)\ncdll\n");
  EXPECT_EQ(loading_code("class f:\n  def __init__(self):\n    g()\ncdll\n"),
            "class f:\n  def __init__():\n    pass\ncdll\n");
}

TEST(LoadingCode, TextThatIsNoPythonComesBack) {
  for (const std::string text : {"dlopen('open\n", "f(\n", "\"\"\"", "def f():\n  \""})
    EXPECT_EQ(loading_code(text), text);
}

TEST(LoadingCode, ALineMayBeLong) {
  for (const std::string part :
       {"a=", "a.append(b).", "for a in ", "a:b=", "a,", "f'{a}' ", "a = b; ", "'dlopen'", "dlopen "}) {
    std::string text = "x = CDLL(";
    while (text.size() < std::size_t{1} << 20) text += part;
    loading_code(text);
    std::string line = text.substr(text.find('(') + 1);
    loading_code("CDLL\n" + line + "0\n");
    loading_code("CDLL\ndef f():\n  " + line + "0\n");
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
    const std::string loads = "def f_1():\n  CDLL('x')\n";
    for (const std::string& chain : {text + "def f():\n  CDLL('x')\n  f" + std::to_string(length - 1) + "()\n",
                                     other_way + "def f0():\n  CDLL('x')\n"})
      EXPECT_EQ(loading_code(chain), chain);
  }
}

}  // namespace
}  // namespace wheelcheck::python
