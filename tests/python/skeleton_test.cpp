// Tests what the prefilter keeps of a file for its imports, and that nothing that an import runs is lost.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "python/prefilter/prune.h"
#include "python/read.h"

namespace wheelcheck::python {
namespace {

TEST(Skeleton, FunctionsThatNobodyCallsLoseTheirBodies) {
  EXPECT_EQ(skeleton("import a\n"
                     "def f(x):\n"
                     "  return x\n"
                     "\n"
                     "# a comment\n"
                     "class C:\n"
                     "  def m(self):\n"
                     "    if self:\n"
                     "      g()\n"
                     "  n = 1\n"),
            "import a\n"
            "def f():\n"
            "  pass\n"
            "\n"
            "\n"
            "class C:\n"
            "  def m():\n"
            "    pass\n"
            "\n"
            "  n = 1\n");
}

TEST(Skeleton, FunctionsStayThatTheImportMayCall) {
  for (const std::string text :
       {"def f():\n  g()\nf()\n", "def f():\n  g()\nh = f\nh()\n",
        "def g():\n  x\ndef f():\n  g()\nwith f():\n  pass\n", "class C:\n  def __init__(self):\n    g()\nC()\n",
        "async def f():\n  import a\n", "def f():\n  global x\n  x = 1\n", "def f(): return 1\n",
        "if 1:\n  def f():\n    g()\n  f()\n"})
    EXPECT_EQ(skeleton(text), text);
  EXPECT_EQ(skeleton("def f():\n  g()\nregister(f)\nx(f, 1)\n"), "def f():\n  pass\nregister(f)\nx(f, 1)\n");
}

TEST(Skeleton, AnAliasCallsNothing) {
  EXPECT_EQ(skeleton("def f():\n  g()\nclass C:\n  kernel = f\n"), "def f():\n  pass\nclass C:\n  kernel = f\n");
  for (const std::string text :
       {"def f():\n  g()\nb = a\na = f\nb()\n", "def f():\n  g()\nclass C:\n  a = f\nC().a()\n",
        "def f():\n  g()\nclass C:\n  __init__ = f\nC()\n", "class A:\n  def __init__(self):\n    g()\nB = A\nB()\n"})
    EXPECT_EQ(skeleton(text), text);
}

TEST(Skeleton, TablesOfNumbersLoseMostElements) {
  std::string row = "1.5e-3, -2, ";
  for (int i = 0; i < 5; ++i) row += row;
  EXPECT_EQ(without_numbers("a = [" + row + "3]\nb = 1\n"), "a = [ 3]\nb = 1\n");
  EXPECT_EQ(without_numbers("a = np.array([[" + row + "], [" + row + "\n3]], x)\n"), "a = np.array([ [ \n3]], x)\n");
  EXPECT_EQ(without_numbers("a = [[" + row + "3], [4, 5], [6, 7]]\n"), "a = [ [6, 7]]\n");
  EXPECT_EQ(without_numbers("f(x, [" + row + "g(), 4, 5])\n"), "f(x, [ g(), 4, 5])\n");
  for (const std::string& text :
       std::vector<std::string>{"a = [1, 2, 3]\n", "a = " + row + "3\n", "f('a', 1, b, ', 2,')\n"})
    EXPECT_EQ(without_numbers(text), text);
}

TEST(Skeleton, ParametersStayThatMayCall) {
  EXPECT_EQ(skeleton("def f(x: int,\n      y=(1,)):\n  return x\n"), "def f(x: int,\n      y=(1,)):\n  pass\n");
  EXPECT_EQ(skeleton("async def f(x=g()):\n  return x\n"), "async def f(x=g()):\n  pass\n");
  EXPECT_EQ(skeleton("async def f(x: int,\n            y=1):\n  return x\n"), "async def f():\n\n  pass\n");
}

TEST(Skeleton, ImportsInDocumentationAndTextsAreNone) {
  EXPECT_EQ(skeleton("def f():\n  \"\"\">>> import a\"\"\"\n  g()  # import\n"), "def f():\n  pass\n\n");
  EXPECT_EQ(skeleton("def f():\n  g('an import', 'global')\n"), "def f():\n  pass\n");
  for (const std::string text : {"def f():\n  __import__('a')\n", "def f():\n  importlib.import_module('a')\n"})
    EXPECT_EQ(skeleton(text), text);
}

TEST(Skeleton, DocumentationGoesAndLinesStay) {
  EXPECT_EQ(skeleton("\"\"\"Text\n  def f():\n    x\n\"\"\"\nx = '''\ndef g():\n  y\n'''\nr'z'\ny = (1,\n2)\n"),
            "\n\n\n\nx = '''\ndef g():\n  y\n'''\n\ny = (1,\n2)\n");
  EXPECT_EQ(skeleton("def f():\n  \"\"\"Text.\"\"\"\nf()\n"), "def f():\n  0\nf()\n");
}

TEST(Skeleton, TextThatIsNoPythonComesBack) {
  for (const std::string text : {"x = 'open\n", "f(\n", "\"\"\"", "x = \\", "def", "def f():\n  \"", ""})
    EXPECT_EQ(skeleton(text), text) << text;
}

TEST(Skeleton, WithoutFunctionsNoBodyStays) {
  EXPECT_EQ(without_functions("import a\n"
                              "def f(x):\n"
                              "  import b\n"
                              "  return x\n"
                              "class C:\n"
                              "  import c\n"
                              "  def g(self):\n"
                              "    import d\n"
                              "f(1)\n"),
            "import a\n"
            "def f():\n"
            "  pass\n"
            "\n"
            "class C:\n"
            "  import c\n"
            "  def g():\n"
            "    pass\n"
            "f(1)\n");
  EXPECT_EQ(without_functions("def f(\n"), "def f(\n");
}

TEST(Skeleton, ImportsAreTheSameWithIt) {
  const std::string source =
      "'''Doc'''\n"
      "import a.b as c\n"
      "def helper():\n"
      "  '''Doc'''\n"
      "  return 1\n"
      "def load():\n"
      "  from . import x\n"
      "  helper()\n"
      "try:\n"
      "  import fast\n"
      "  HAS = True\n"
      "except ImportError:\n"
      "  HAS = False\n"
      "if HAS:\n"
      "  load()\n"
      "else:\n"
      "  c.setup()\n";
  const PythonFile whole = read_source(source, {}), cut = read_imports(source, {});
  ASSERT_EQ(whole.events.size(), cut.events.size());
  for (std::size_t i = 0; i < whole.events.size(); ++i) {
    EXPECT_EQ(whole.events[i].action, cut.events[i].action);
    EXPECT_EQ(whole.events[i].line, cut.events[i].line);
    EXPECT_EQ(whole.events[i].reach, cut.events[i].reach);
    EXPECT_EQ(whole.events[i].condition, cut.events[i].condition);
    EXPECT_EQ(whole.events[i].name, cut.events[i].name);
    EXPECT_EQ(whole.events[i].names, cut.events[i].names);
  }
}

}  // namespace
}  // namespace wheelcheck::python
