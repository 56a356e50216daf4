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
            "def area(a):\n"
            "  pass\n"
            "\n"
            "class Shape:\n"
            "  0\n"
            "  def size(self):\n"
            "    pass\n"
            "\n"
            "def load():\n"
            "  return ctypes.CDLL('libx.so')\n");
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
           "class L(CDLL):\n  x = 1\ndef f():\n  L('libx.so')\n",
           "with find_library as load:\n  x = 1\ndef f():\n  load('libx.so')\n",
           "for load in (CDLL, PyDLL):\n  x = 1\ndef f():\n  load('libx.so')\n",
       })
    EXPECT_EQ(loading_code(text), text);
}

TEST(LoadingCode, ATypeIsNoLoader) {
  EXPECT_EQ(loading_code("cache: dict[str, CDLL] = {}\ndef f():\n  cache.clear()\n"),
            "cache: dict[str, CDLL] = {}\ndef f():\n  pass\n");
  EXPECT_EQ(loading_code("x = cdll.libx\ny = cdll['liby']\ndef f():\n  x.g(y)\n"),
            "x = cdll.libx\ny = cdll['liby']\ndef f():\n  pass\n");
  for (const std::string text :
       {"load: Any = CDLL\ndef f():\n  load('libx.so')\n", "load = lambda: CDLL\ndef f():\n  load()('libx.so')\n"})
    EXPECT_EQ(loading_code(text), text);
}

TEST(LoadingCode, WhatAnImportRunsStays) {
  const std::string text = "def g():\n  import b\ndef f():\n  g()\nf()\ncdll\n";
  EXPECT_EQ(loading_code(text), text);
  EXPECT_EQ(loading_code("def f():\n  import b\nregister(f)\ncdll\n"), "def f():\n  pass\nregister(f)\ncdll\n");
  EXPECT_EQ(loading_code("class f:\n  def __init__(self):\n    g()\ncdll\n"),
            "class f:\n  def __init__(self):\n    pass\ncdll\n");
}

TEST(LoadingCode, TextThatIsNoPythonComesBack) {
  for (const std::string text : {"dlopen('open\n", "f(\n", "\"\"\"", "def f():\n  \""})
    EXPECT_EQ(loading_code(text), text);
}

TEST(LoadingCode, ALineMayBeLong) {
  for (const std::string part : {"a=", "a.append(b).", "for a in ", "a:b=", "a,", "'dlopen'", "dlopen "}) {
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
