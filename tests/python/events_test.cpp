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
Texts events(const std::string& source, Detail detail = Detail::Events) {
  static constexpr const char* words[] = {"import", "call", "enter", "leave", "pause", "save", "set", "load", "open"};
  const PythonFile file = detail == Detail::Files ? read_imports(source, {}, detail) : read_source(source, {});
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
  EXPECT_EQ(events("import importlib.resources as r\nr.files('a.b')\nr.read_text(package='c', resource='d')\n"),
            (Texts{"import importlib.resources", "import a.b", "import c"}));
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

// The files that code opens, each with its unit.
Texts files(const std::string& source) {
  Texts out = events(source, Detail::Files);
  std::erase_if(out, [](const std::string& text) { return !text.contains("open "); });
  return out;
}

TEST(OpenedFiles, PathsBesideTheCode) {
  const std::string head = "import os\nfrom pathlib import Path\nhere = os.path.dirname(os.path.abspath(__file__))\n";
  for (const auto& [code, path] : std::vector<std::pair<std::string, std::string>>{
           {"open(os.path.join(here, 'x.txt'))", "x.txt"},
           {"open(here + '/data/x.txt', 'rb')", "data/x.txt"},
           {"open(f'{here}/x.txt', encoding='utf-8')", "x.txt"},
           {"open(os.path.join(os.path.dirname(here), 'VERSION'))", "../VERSION"},
           {"open(os.path.join(here, '..', 'VERSION'))", "../VERSION"},
           {"open(os.path.join(os.path.split(__file__)[0], 'x.txt'))", "x.txt"},
           {"open(os.path.join(__path__[0], 'x.txt'))", "x.txt"},
           {"(Path(__file__).parent / 'data' / 'x.txt').read_text()", "data/x.txt"},
           {"Path(__file__).resolve().parents[1].joinpath('x.txt').read_bytes()", "../x.txt"},
           {"Path(__file__).with_name('x.txt').open()", "x.txt"},
           {"with (Path(__file__).parent / 'x.txt').open('r') as f:\n  pass", "x.txt"},
           {"import pandas as pd\npd.read_csv(os.path.join(here, 'x.csv'))", "x.csv"},
           {"from numpy import load\nload(os.path.join(here, 'x.npy'))", "x.npy"},
           {"from importlib.resources import files\n(files('a.b') / 'x.txt').read_text()", "/a/b/x.txt"},
           {"import importlib.resources as r\nr.files(__name__).joinpath('x.txt').read_text()", "x.txt"},
           {"import importlib.resources as r\nr.read_text('a.b', 'x.txt')", "/a/b/x.txt"},
           {"from . import data\nimport importlib.resources\nimportlib.resources.open_text(data, 'x')", "data/x"},
           {"import pkgutil\npkgutil.get_data(__package__, 'x.txt')", "x.txt"},
           {"import pkg_resources\nopen(pkg_resources.resource_filename('a', 'd/x.txt'))", "/a/d/x.txt"},
           {"os.listdir(os.path.join(here, 'data'))", "data"}})
    EXPECT_EQ(files(head + code + '\n'), (Texts{"open " + path})) << code;
}

TEST(OpenedFiles, OtherPathsAreNotKnown) {
  const std::string head = "import os, sys\nhere = os.path.dirname(__file__)\n";
  for (const std::string code :
       {"open('x.txt')", "open(os.path.join(here, name))", "open(os.path.join(sys.prefix, 'x'))", "open(__file__)",
        "open(here + 'x' + __file__)", "open(os.path.join(os.getcwd(), 'x'))", "open('\\x01*/x')",
        "open(here.replace('a', 'b') + '/x')", "def open(p): pass\nopen(here + '/x')",
        "from other import files\nfiles(here + '/x')"})
    EXPECT_EQ(files(head + code + '\n'), Texts()) << code;
}

TEST(OpenedFiles, FunctionsAndConditions) {
  const std::string head = "import os\nhere = os.path.dirname(__file__)\n";
  EXPECT_EQ(files(head + "def f():\n  return open(here + '/x')\n"), (Texts{"f: open x"}));
  EXPECT_EQ(files(head + "class C:\n  def f(self):\n    return open(here + '/x')\n"), (Texts{"C.f: open x"}));
  EXPECT_EQ(files(head + "if os.path.exists(here):\n  open(here + '/x')\n"), (Texts{"open x likely"}));
  EXPECT_EQ(files(head + "def f():\n  open(here + '/x', 'wb')\n"), (Texts{"f: open x+w likely"}));
  EXPECT_EQ(files(head + "open(here + '/y')\ndef f(d):\n  open(d + '/x', 'wb')\n"),
            (Texts{"open y", "f: open */x+w likely"}));
  EXPECT_EQ(files(head + "def f(mode):\n  open(here + '/x', mode)\n"), (Texts{"f: open x+w likely"}));
  EXPECT_EQ(files(head + "def read(name):\n  return open(os.path.join(here, name))\nread('x')\nread('y')\n"), Texts());
}

TEST(OpenedFiles, CodeThatCreatesFilesMayCreateThem) {
  const std::string head = "import os\nhere = os.path.dirname(__file__)\n";
  const std::string read = "def f():\n  return open(here + '/x')\n";
  for (const std::string other :
       {"def g():\n  open(path, 'w')\n", "def g():\n  os.system('make')\n", "def g(p):\n  p.write_text('')\n",
        "import shutil\ndef g():\n  shutil.copy(a, b)\n", "def g():\n  download_all()\n"}) {
    EXPECT_EQ(files(head + read + other), (Texts{"f: open x likely"})) << other;
    EXPECT_EQ(files(head + other + "open(here + '/y')\n"), (Texts{"open y"})) << other;
    EXPECT_EQ(files(head + other + "g()\nopen(here + '/y')\n"), (Texts{"open y likely"})) << other;
  }
}

// symdex 0.1.3: the function that reads schema.sql makes the directory of a database.
TEST(OpenedFiles, CodeThatCreatesDirectoriesCreatesNoFilesBesideItself) {
  const std::string head = "import os\nhere = os.path.dirname(__file__)\n";
  for (const std::string other : {"def g(d):\n  os.makedirs(d)\n", "def g(p):\n  p.parent.mkdir()\n"}) {
    EXPECT_EQ(files(head + other + "def f():\n  return open(here + '/x')\n"), (Texts{"f: open x"})) << other;
    EXPECT_EQ(files(head + other + "def f():\n  return open(here + '/d/x')\n"), (Texts{"f: open d/x likely"}));
    EXPECT_EQ(files(head + other + "def f():\n  return os.listdir(here + '/d')\n"), (Texts{"f: open d likely"}));
  }
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
