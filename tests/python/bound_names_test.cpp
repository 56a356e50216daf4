// Tests which names a module may have.
#include "python/prefilter/bound_names.h"

#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::python {
namespace {

bool has(std::string_view source, std::string_view name) {
  const auto lines = lines_of(source);
  const std::string names = bound_names(*lines);
  return names.contains(" * ") || names.contains(' ' + std::string(name) + ' ');
}

TEST(BoundNames, EveryFormOfABinding) {
  for (const char* const source : {"def x(): pass\n",
                                   "async def x():\n  pass\n",
                                   "class x(B):\n  y = 1\n",
                                   "x = 1\n",
                                   "a = x = 1\n",
                                   "a, (x, b) = f()\n",
                                   "x: int = 1\n",
                                   "x += 1\n",
                                   "import x\n",
                                   "import a as x\n",
                                   "import x.y\n",
                                   "from a import (b,\n  x)\n",
                                   "from .a import b as x\n",
                                   "for x in y: pass\n",
                                   "with f() as x: pass\n",
                                   "if a:\n  x = 1\nelse:\n  pass\n",
                                   "try:\n  import x\nexcept ImportError: pass\n",
                                   "if (x := f()): pass\n",
                                   "y = (x := 1)\n",
                                   "def f():\n  global x\n  x = 1\n",
                                   "class A:\n  pass\nx = 1\n"})
    EXPECT_TRUE(has(source, "x")) << source;
}

TEST(BoundNames, ModulesThatMayHaveAny) {
  for (const char* const source :
       {"from a import *\n", "def __getattr__(name): return 1\n", "globals()['x'] = 1\n", "exec(code)\n",
        "def f():\n  setattr(module, 'x', 1)\n", "import sys\nsys.modules[__name__] = 1\n"})
    EXPECT_TRUE(has(source, "x")) << source;
}

TEST(BoundNames, NothingOfFunctionsClassesAttributesAndTexts) {
  for (const char* const source : {"", "'''x'''\n", "# x = 1\n", "def f(x):\n  x = 1\n", "class A:\n  x = 1\n",
                                   "class A:\n  def x(self): pass\n", "a.x = 1\n", "f(x)\n", "from . import y\n",
                                   "def f():\n  def x(): pass\n", "class A:\n  def __getattr__(self, x): pass\n"})
    EXPECT_FALSE(has(source, "x")) << source;
}

}  // namespace
}  // namespace wheelcheck::python
