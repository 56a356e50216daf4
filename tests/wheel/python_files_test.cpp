// Tests which Python files of a wheel are read, and when their events are included.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/zip_builder.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

using testing::ElementsAre;

using Files = std::map<std::string, std::string>;

class PythonFiles : public testing::Test {
 protected:
  WheelFacts facts_of(const Files& files, unsigned jobs = 1, const Limits& limits = {},
                      const std::string& wheel = "foo-1.0-py3-none-any.whl") const {
    std::vector<test::ZipMember> members;
    for (const auto& [name, body] : files) {
      test::ZipMember& member = members.emplace_back();
      member.name = name;
      member.data = body;
    }
    auto facts = read(test::write_file(directory_.path(wheel), test::make_zip(members)), limits, jobs);
    EXPECT_TRUE(facts) << facts.error().message;
    return facts ? std::move(*facts) : WheelFacts();
  }

 private:
  test::TemporaryDirectory directory_;
};

TEST_F(PythonFiles, SaysWhatImportsDoWhereAFileSetsRtldGlobal) {
  const Files files = {{"foo/a.py", "import ctypes\nfrom . import b\nctypes.CDLL('libx.so')\n"},
                       {"foo/b.py", "import sys\nfrom . import c\nsys.setdlopenflags(2)\n"}};
  Files global = files;
  global["foo/flags.py"] = "import os, sys\nsys.setdlopenflags(os.RTLD_GLOBAL)\n";
  const auto told = [&](const Files& all) {
    std::vector<std::string> rows;
    for (const PythonFile& file : facts_of(all).python)
      rows.push_back(fmt::format("{} calls, {}", file.calls.size(), file.events.empty() ? "no events" : "events"));
    return rows;
  };
  EXPECT_THAT(told(files), ElementsAre("1 calls, no events", "1 calls, events"));
  EXPECT_THAT(told(global), ElementsAre("1 calls, events", "1 calls, events", "1 calls, events"));
}

// The second word of bytecode is a set of flags since CPython 3.7, and the time of the source before (PySide2 5.12.0).
TEST_F(PythonFiles, SaysOfBytecodeWhetherTheSourceIsCompared) {
  const auto cuts = [&](const std::string& flags) {
    std::size_t count = 0;
    for (const PythonFile& file :
         facts_of({{"foo/x.py", "x = 1\n"}, {"foo/__pycache__/x.cpython-311.pyc", "\xa7\r\r\n" + flags}}).python)
      count += file.cut == PythonCut::Bytecode ? 1U : 0U;
    return count;
  };
  using std::string_literals::operator""s;
  EXPECT_EQ(cuts("\1\0\0\0"s), 1U);
  EXPECT_EQ(cuts("\3\0\0\0"s), 0U);
  EXPECT_EQ(cuts("\0\0\0\0"s), 0U);
  EXPECT_EQ(cuts("\x19\x62\x17\x5c"s), 0U);
}

TEST_F(PythonFiles, SaysTheSameOfMoreFilesThatLoadThanMayWait) {
  Files files = {{"foo/flags.py", "import sys\nsys.setdlopenflags(0x102)\n"}};
  std::string filler = "#";  // does not pack well, so that the budget of the wheel covers it
  for (std::uint32_t i = 0, dice = 1; i < 1'000'000; ++i) {
    dice = dice * 1'664'525 + 1'013'904'223;
    filler += static_cast<char>('!' + (dice >> 16) % 90);
  }
  filler += '\n';
  for (int i = 0; i < 10; ++i)
    files[fmt::format("foo/{}.py", i)] =
        fmt::format("import ctypes\nfrom . import b\n{}ctypes.CDLL('{}')\n", filler, i);
  for (const unsigned jobs : {1U, 3U}) {
    std::vector<std::string> libraries;
    for (const PythonFile& file : facts_of(files, jobs).python) {
      EXPECT_FALSE(file.events.empty());
      if (file.calls.front().library) libraries.push_back(*file.calls.front().library);
    }
    EXPECT_THAT(libraries, ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
  }
}

TEST_F(PythonFiles, ReadsNoMoreThanTheBudgetOfTheWheel) {
  Files files;
  for (int i = 0; i < 10; ++i)
    files[fmt::format("foo/{}.py", i)] =
        fmt::format("import ctypes\n#{}\nctypes.CDLL('{}')\n", std::string(1'000'000, 'x'), i);
  for (const bool imports : {false, true}) {
    for (const unsigned jobs : {1U, 3U}) {
      std::vector<bool> cut;
      for (const PythonFile& file : facts_of(files, jobs, {.imports = imports}).python)
        cut.push_back(file.cut != PythonCut::None);
      EXPECT_THAT(cut, ElementsAre(false, true, true, true, true, true, true, true, true, true)) << imports;
    }
  }
}

TEST_F(PythonFiles, ReadsLessDenseOrBrokenCodeWhereImportsAreFollowed) {
  const auto repeated = [](std::string_view text, int count) {
    std::string all = "import os\n";
    for (int i = 0; i < count; ++i) all += text;
    return all + "\n";
  };
  const std::string plain = repeated("value = other\n", 3'000), dense = repeated("a,b=b,a;", 40'000);
  const std::string broken = repeated(" sys.setdlopenf4", 6'000);
  const auto cut = [&](const Files& files, unsigned jobs) {
    std::vector<bool> all;
    for (const PythonFile& file : facts_of(files, jobs, {.imports = true}).python)
      all.push_back(file.cut != PythonCut::None);
    return all;
  };
  for (const unsigned jobs : {1U, 3U}) {
    EXPECT_THAT(cut({{"foo/a.py", plain}, {"foo/b.py", plain}}, jobs), ElementsAre(false, false));
    EXPECT_THAT(cut({{"foo/a.py", dense}}, jobs), ElementsAre(true));
    // The broken file is longer, so it is read first. It leaves nothing of the budget.
    EXPECT_THAT(cut({{"foo/a.py", plain}, {"foo/b.py", broken}}, jobs), ElementsAre(true, true));
  }
}

TEST_F(PythonFiles, ReportsALongFileOnlyIfItMayLoadLibraries) {
  const std::string long_text = std::string(1 << 20, '#');
  const auto facts =
      facts_of({{"foo/a.py", "ctypes.CDLL('x')\n" + long_text}, {"foo/b.py", "import os\n" + long_text}});
  ASSERT_EQ(facts.python.size(), 1U);
  EXPECT_NE(facts.python[0].cut, PythonCut::None);
}

TEST_F(PythonFiles, PassesOverTestSuitesUnlessImportsAreFollowed) {
  Files files;
  for (const char* path : {"foo/a.py", "foo/b/tests/c.py", "foo/my_tests/d.py", "foo/tests.py", "tests/e.py"})
    files[path] = "import ctypes\nctypes.CDLL('libx.so')\n";
  const auto paths = [&](const Limits& limits) {
    std::vector<std::string> read;
    const WheelFacts facts = facts_of(files, 1, limits);
    for (const PythonFile& file : facts.python) read.push_back(facts.members[file.member.value].path.text());
    return read;
  };
  EXPECT_THAT(paths({}), ElementsAre("foo/a.py", "foo/my_tests/d.py", "foo/tests.py"));
  EXPECT_EQ(paths({.imports = true}).size(), 5U);
}

// CPython Lib/site.py, addpackage. Python 3.13 splits lines at form feeds and the like, older versions do not.
TEST_F(PythonFiles, ReadsLinesOfPathFilesThatPythonRuns) {
  const std::string code = "import ctypes; ctypes.CDLL('libx.so')";
  const auto lines = [&](const std::string& name, const std::string& text) {
    std::vector<std::uint32_t> found;
    for (const PythonFile& file : facts_of({{name, text}}).python)
      for (const PythonCall& call : file.calls) found.push_back(call.line);
    return found;
  };
  for (const char* name : {"a.pth", "foo-1.0.data/purelib/a.pth", "foo-1.0.data/platlib/a.pth",
                           "foo-1.0.data/data/lib/python3.11/site-packages/a.pth"})
    EXPECT_THAT(lines(name, "./b\n# x\n" + code), ElementsAre(3)) << name;
  for (const char* name : {"foo/a.pth", "foo-1.0.data/purelib/foo/a.pth", "foo-1.0.data/data/share/a.pth", "a.pth.txt"})
    EXPECT_THAT(lines(name, code), ElementsAre()) << name;
  for (const std::string start : {"#", "./", " ", "x;"})
    EXPECT_THAT(lines("a.pth", start + code), ElementsAre()) << start;
  for (const std::string start : {"x\r", "\xEF\xBB\xBF\r\n"})
    EXPECT_THAT(lines("a.pth", start + code), ElementsAre(2)) << start;
  for (const std::string start : {"\xEF\xBB\xBF", "x\f", "x\x1D", "x\xC2\x85", "x\xE2\x80\xA8", "import os;\f"})
    EXPECT_THAT(lines("a.pth", start + code), ElementsAre(1)) << start;
  EXPECT_THAT(lines("a.pth", "import\tctypes; ctypes.CDLL('a.so')\nctypes.CDLL('b.so')\n"), ElementsAre(1));
}

TEST_F(PythonFiles, ReadsScriptsOfPython) {
  const std::string code = "\nimport ctypes\nctypes.CDLL('libx.so')\n";
  const auto read = [&](const std::string& name, const std::string& text) { return facts_of({{name, text}}).python; };
  const std::string script = "foo-1.0.data/scripts/tool";
  for (const char* first : {"#!python", "#!/usr/bin/env python3", "#!/usr/bin/python3 -E"})
    EXPECT_EQ(read(script, first + code).at(0).calls.size(), 1U) << first;
  EXPECT_TRUE(read(script, "#!/bin/sh" + code).empty());
  EXPECT_TRUE(read("foo-1.0.data/data/bin/tool", "#!python" + code).empty());
  EXPECT_EQ(read(script, "#!python" + code + std::string(1 << 20, '#')).at(0).cut, PythonCut::Size);
}

TEST_F(PythonFiles, ReadsLinesAndNamesAsPythonDoes) {
  const auto lines = [&](const std::string& text) {
    std::vector<std::uint32_t> found;
    for (const PythonFile& file : facts_of({{"foo/a.py", text}}).python)
      for (const PythonCall& call : file.calls) found.push_back(call.line);
    return found;
  };
  EXPECT_THAT(lines("import ctypes # x\rctypes.CDLL('a.so')\r"), ElementsAre(2));
  EXPECT_THAT(lines("import ctypes\r\nctypes.CDLL('a.so')\r\n"), ElementsAre(2));
  EXPECT_THAT(lines("import ctypes\nctypes.\uFF23\uFF24\uFF2C\uFF2C('a.so')\n"), ElementsAre(2));
  EXPECT_THAT(lines("import \U0001D41Ctypes\nctypes.CDLL('\u00FC.so')\n"), ElementsAre(2));
}

// Each file costs as much as its tokens, after the lines that cannot load libraries are removed.
TEST_F(PythonFiles, CountsTheTokensOfDenseCode) {
  std::string table = "x = [", calls = "import ctypes\n";
  for (int i = 0; i < 300'000; ++i) table += "1,";
  while (calls.size() < 600'000) calls += "ctypes.CDLL(a,b)\n";
  const auto cut = [&](const std::string& text) {
    return facts_of({{"foo/a.py", text}}).python.at(0).cut == PythonCut::Size;
  };
  EXPECT_FALSE(cut(table + "]\nimport ctypes\nctypes.CDLL('a.so')\n"));
  EXPECT_TRUE(cut(calls));
}

// bdkpython 3.1.1: 1.2 MB of uniffi, of which a few lines load a library.
TEST_F(PythonFiles, ReadsALongFileThatLoadsInFewLines) {
  constexpr std::size_t max = 1 << 16;
  const std::string loads = "import ctypes\nlib = ctypes.CDLL('libfoo.so')\n";
  std::string others, calls = loads;
  for (int i = 0; others.size() <= max; ++i) others += fmt::format("def f{}(a):\n  return a + {}\n", i, i);
  while (calls.size() <= max) calls += "ctypes.CDLL(a, b)\n";
  const auto read = [&](const std::string& text, bool imports) {
    Limits limits;
    limits.imports = imports;
    limits.source_bytes = max;
    return facts_of({{"foo/a.py", text}}, 1, limits).python.at(0);
  };
  for (const bool imports : {false, true}) {
    const PythonFile file = read(others + loads, imports);
    EXPECT_EQ(file.cut, PythonCut::None);
    ASSERT_EQ(file.calls.size(), 1U);
    EXPECT_EQ(file.calls[0].library, "libfoo.so");
    EXPECT_EQ(read(calls, imports).cut, PythonCut::Size);
  }
}

// All imports are read where the package code of a wheel for a platform certainly imports a module that is missing.
TEST_F(PythonFiles, ReadsAllImportsIfAModuleIsMissing) {
  const auto reads = [&](const std::string& path, const std::string& source,
                         const std::string& wheel = "foo-1.0-cp311-cp311-manylinux_2_17_s390x.whl") {
    Files files = {{"foo/__init__.py", "from . import a, b\n"}, {"foo/a.py", "import os\n"}, {"foo/b.py", "x = 1\n"}};
    files[path] = source;
    return facts_of(files, 1, {}, wheel).all_python;
  };
  EXPECT_TRUE(reads("foo/a.py", "from ._core import x\n"));
  EXPECT_TRUE(reads("foo/a.py", "from ._core import x\n" + std::string(1 << 20, '#'))) << "a long file";
  EXPECT_TRUE(reads("foo/__init__.py", "from . import a, _core\n"));
  EXPECT_TRUE(reads("foo/a.py", "import importlib\nimportlib.import_module('foo._core')\n"));
  EXPECT_TRUE(reads("foo/a.py", "import ctypes\nlib = ctypes.CDLL('libfoo.so.1')\n")) << "WC545";
  EXPECT_FALSE(reads("foo/a.py", "import ctypes\ntry:\n  lib = ctypes.CDLL('libfoo.so.1')\nexcept OSError:\n  pass\n"));
  EXPECT_FALSE(reads("foo/a.py", "import ctypes\nlib = ctypes.CDLL('libcuda.so.1')\n"));
  EXPECT_FALSE(reads("foo/a.py", "from .b import x\n"));
  EXPECT_FALSE(reads("foo/a.py", "try:\n  from ._core import x\nexcept ImportError:\n  pass\n"));
  EXPECT_FALSE(reads("foo/a.py", "def f():\n  from ._core import x\n"));
  EXPECT_FALSE(reads("foo/a.py", "\"\"\"\nfrom ._core import x\n\"\"\"\n"));
  EXPECT_FALSE(reads("foo/tests/a.py", "from ._core import x\n"));
  EXPECT_FALSE(reads("foo/a.py", "from ._core import x\n", "foo-1.0-py3-none-any.whl"));
  EXPECT_FALSE(reads("foo/a.py", "from ._core import x\n", "foo-1.0-cp311-cp311-win_amd64.whl"));
}

// The search for missing modules costs no more than the wheel: the file counts as not read.
TEST_F(PythonFiles, SaysThatAFileWasNotSearchedForMissingModules) {
  const std::string platform = "foo-1.0-cp311-cp311-manylinux_2_17_s390x.whl";
  std::string dense = "from ._core import x\n";
  for (int i = 0; i < 60'000; ++i) dense += "a,b=b,a;";
  const WheelFacts facts = facts_of({{"foo/__init__.py", ""}, {"foo/a.py", dense}}, 1, {}, platform);
  ASSERT_EQ(facts.python.size(), 1U);
  EXPECT_NE(facts.python[0].cut, PythonCut::None);
}

TEST_F(PythonFiles, ReadsImportsOfTestSuitesIfOtherCodeImportsOne) {
  const Limits limits{.imports = true};
  const std::pair<const char*, std::size_t> cases[] = {{"import os\n", 1},
                                                       {"from .tests import a\n", 2},
                                                       {"from . import tests\n", 2},
                                                       {"import foo.tests.a\n", 2},
                                                       {"from . import testsuite\n", 1}};
  for (const auto& [source, read] : cases)
    EXPECT_EQ(facts_of({{"foo/__init__.py", source}, {"foo/tests/a.py", "import json\n"}}, 1, limits).python.size(),
              read)
        << source;
}

}  // namespace
}  // namespace wheelcheck
