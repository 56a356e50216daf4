// Tests the events of a file in order, as other files use them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "python/read.h"

namespace wheelcheck::python {
namespace {

using Texts = std::vector<std::string>;

// "f: set 0x100/0x100 likely"; the name of the unit is first.
Texts events(const std::string& source) {
  static constexpr const char* words[] = {"import", "call", "enter", "leave", "pause", "save", "set", "load"};
  const PythonFile file = read_source(source, {});
  Texts out;
  for (const PythonUnit& unit : file.units) {
    for (std::uint32_t i = unit.first; i < unit.first + unit.count; ++i) {
      const PythonEvent& event = file.events[i];
      std::string text = unit.name.empty() ? "" : unit.name + ": ";
      text += words[static_cast<int>(event.action)];
      if (!event.name.empty()) text += ' ' + event.name;
      for (const std::string& name : event.names) text += '+' + name;
      if (event.action == PythonAction::Call && event.target != no_python_index)
        text += ' ' + file.units[event.target].name;
      if (event.action == PythonAction::SetFlags) text += fmt::format(" {:#x}/{:#x}", event.bits, event.known);
      if (event.reach != Reach::Certain) text += fmt::format(" {}", name_of(event.reach));
      for (std::uint32_t c = event.condition; c != no_python_index; c = file.conditions[c].outer)
        text += fmt::format(" if{} {}", file.conditions[c].succeeds ? "" : " not", file.conditions[c].attempt);
      out.push_back(text);
    }
  }
  return out;
}

TEST(Events, ImportsAsWritten) {
  EXPECT_EQ(events("import a, b.c as d\nfrom . import e\nfrom ..f import g as h, i\nfrom j import *\n"),
            (Texts{"import a", "import b.c", "import .+e", "import ..f+g+i", "import j+*"}));
  EXPECT_EQ(events("import importlib\nimportlib.import_module('a' + '.b')\n__import__('c')\n"),
            (Texts{"import importlib", "import a.b", "import c"}));
  EXPECT_EQ(events("from . mixins import x\nfrom .. a . b import c\nimport d . e\n"),
            (Texts{"import .mixins+x", "import ..a.b+c", "import d.e"}));
  // SWIG before 4.0.
  EXPECT_EQ(events("import imp\nmod = imp.load_module('_m', file, path, description)\n"),
            (Texts{"import imp", "import .+_m"}));
}

TEST(Events, WhatFollowsATryWhoseHandlersReturnNeedsItsSuccess) {
  const std::string start =
      "import ctypes\ndef preload():\n  try:\n    from . import _gpu_build\n  except ImportError:\n";
  const std::string end = "  ctypes.CDLL('libx.so', ctypes.RTLD_GLOBAL)\npreload()\n";
  EXPECT_EQ(events(start + "    return\n" + end),
            (Texts{"import ctypes", "call preload", "preload: import .+_gpu_build", "preload: load if 0"}));
  EXPECT_EQ(events(start + "    pass\n" + end),
            (Texts{"import ctypes", "call preload", "preload: import .+_gpu_build", "preload: load"}));
}

TEST(Events, TheElseOfALoopThatSearchesIsOnlyPossible) {
  const std::string start = "import ctypes, os\nfor f in os.listdir(d):\n  if f.endswith('.so'):\n    ctypes.CDLL(f)\n";
  const std::string end = "else:\n  ctypes.CDLL('libx.so')\n";
  EXPECT_EQ(events(start + "    break\n" + end),
            (Texts{"import ctypes", "import os", "call os.listdir", "load likely", "load possible"}));
  EXPECT_EQ(events(start + end),
            (Texts{"import ctypes", "import os", "call os.listdir", "load likely", "load likely"}));
}

TEST(Events, FlagsThatWereSavedAreNotKnown) {
  EXPECT_EQ(
      events("import sys\nold = sys.getdlopenflags()\nsys.setdlopenflags(old | 256)\nsys.setdlopenflags(old & ~256)\n"
             "sys.setdlopenflags(old)\nsys.setdlopenflags(unknown)\nsys.setdlopenflags(258)\n"),
      (Texts{"import sys", "save", "set 0x100/0x100", "set 0x0/0x100", "set 0x0/0x0", "set 0x0/0x0",
             "set 0x102/0xffffffff"}));
  const PythonFile file = read_source("import sys\nsys.setdlopenflags(sys.getdlopenflags() | 256)\n", {});
  ASSERT_EQ(file.events.size(), 3U);
  EXPECT_EQ(file.events[1].action, PythonAction::SaveFlags) << "what is asked for comes before the call";
  EXPECT_EQ(file.events[2].target, file.events[1].target);
}

TEST(Events, FunctionsClassesAndContexts) {
  EXPECT_EQ(events("import sys\n"
                   "from .rtld import guard\n"
                   "def f():\n"
                   "  sys.setdlopenflags(258)\n"
                   "def idle():\n"
                   "  return 1\n"
                   "class C:\n"
                   "  def __enter__(self):\n"
                   "    import a\n"
                   "  def __exit__(self, *e):\n"
                   "    import b\n"
                   "f()\n"
                   "idle()\n"
                   "with C(), guard(1):\n"
                   "  import c\n"),
            (Texts{"import sys", "import .rtld+guard", "call f", "call C.__enter__", "enter .rtld.guard", "import c",
                   "leave .rtld.guard", "call C.__exit__", "f: set 0x102/0xffffffff", "C.__enter__: import a",
                   "C.__exit__: import b"}));
}

TEST(Events, ConditionsOnATry) {
  EXPECT_EQ(events("try:\n  import a\n  has = True\nexcept ImportError:\n  import b\n  has = False\nelse:\n  import c\n"
                   "if has:\n  import d\nelif x:\n  import e\nif not has:\n  import f\n"),
            (Texts{"import a", "import b if not 0", "import c if 0", "import d if 0", "import e likely if not 0",
                   "import f if not 0"}));
  EXPECT_EQ(events("has = False\ntry:\n  import a\n  has = True\nexcept ImportError:\n  pass\nif has:\n  import b\n"),
            (Texts{"import a", "import b if 0"}));
  EXPECT_EQ(events("try:\n  import a\nfinally:\n  import b\n"), (Texts{"import a", "import b"}));
}

TEST(Events, ConditionsThatNobodyKnows) {
  EXPECT_EQ(events("import os\nif os.environ.get('X'):\n  import a\nelse:\n  import b\nif unknown():\n  import c\n"
                   "if False:\n  import d\n"),
            (Texts{"import os", "import a possible", "import b likely", "import c likely"}));
}

// pymeshlab 2025.7: a file with one function, which imports polyscope when it is called.
TEST(Events, TheBodyComesFirstEvenWithoutEvents) {
  const PythonFile file = read_source("def f():\n  import polyscope\n", {});
  ASSERT_EQ(file.units.size(), 2U);
  EXPECT_EQ(file.units[0].count, 0U);
  EXPECT_EQ(file.units[1].name, "f");
  EXPECT_TRUE(read_source("def f():\n  pass\n", {}).units.empty());
}

TEST(Events, SuppressIsATry) {
  const PythonFile file =
      read_source("import contextlib\nwith contextlib.suppress(ImportError):\n  from . import a\n", {});
  const auto found = std::ranges::find(file.events, ".", &PythonEvent::name);
  ASSERT_NE(found, file.events.end());
  EXPECT_NE(found->attempt, no_python_index);
}

TEST(Events, AModuleWhoseNameDependsOnTheCallIsUncertain) {
  EXPECT_EQ(events("import importlib\ndef f(n):\n  importlib.import_module(f'a.{n}')\nf('b')\nf('c')\n"),
            (Texts{"import importlib", "call f", "call f", "f: import a.b likely", "f: import a.c likely"}));
  EXPECT_EQ(events("import importlib\ndef f(n):\n  importlib.import_module('a.{}'.format(n))\nf('b')\nf('c')\n"),
            (Texts{"import importlib", "call f", "call f", "f: import a.b likely"}));
}

}  // namespace
}  // namespace wheelcheck::python
