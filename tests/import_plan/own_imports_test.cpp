// Tests which missing modules are found, by words and by events, and which files certainly run.
#include "import_plan/own_imports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "import_plan/modules.h"
#include "tests/import_plan/support.h"

namespace wheelcheck::import_plan {
namespace {

using test::ElfBuilder;
using test::Source;
using test::WheelBuilder;
using testing::ElementsAre;
using Texts = std::vector<std::string>;

WheelFacts wheel(const std::vector<Source>& sources, const Texts& others = {}) {
  WheelBuilder builder("foo-1.0-cp311-cp311-manylinux_2_17_s390x.whl");
  for (const std::string& other : others) builder.member(other);
  return test::with_python(builder, sources).build();
}

Texts missing(const WheelFacts& facts) {
  Texts out;
  for (const MissingModule& each : missing_modules(facts)) out.push_back(each.module);
  return out;
}

// Each finds the module of one file, first by words, then by events.
void expect_missing(const std::string& path, const std::string& text, const Texts& modules) {
  std::vector<Source> sources = {{"foo/__init__.py", ""}, {path, text}};
  if (path != "foo/sub/__init__.py") sources.push_back({"foo/sub/__init__.py", ""});
  const WheelFacts facts = wheel(sources, {"foo/six.py"});
  EXPECT_EQ(missing(facts), modules) << text;
  EXPECT_TRUE(OwnModules(facts.members).may_lack(text, path) || modules.empty()) << text;
}

TEST(OwnLibraries, AreFoundByNameAndByTheDirectoryOfACall) {
  const WheelFacts facts = WheelBuilder("pkg-1.0-cp311-cp311-linux_x86_64.whl")
                               .member("pkg/sub/load.py")
                               .elf(ElfBuilder("other/libx.so"))
                               .elf(ElfBuilder("pkg/libx.so"))
                               .elf(ElfBuilder("pkg/sub/libx.so"))
                               .elf(ElfBuilder("pkg/sub/liby_1.so"))
                               .elf(ElfBuilder("pkg/sub/tool").role(Program{}))
                               .build();
  const auto at = [&](std::string_view path) { return *find_member(facts.members, path); };
  const OwnLibraries libraries(facts);
  const auto paths = [&](const std::vector<ElfIndex>& files) {
    std::vector<std::string> out;
    for (const ElfIndex file : files) out.push_back(path_of(facts, file));
    return out;
  };
  const auto named = [&](std::string_view library) { return paths(libraries.named(at("pkg/sub/load.py"), library)); };
  const auto at_path = [&](std::string_view library) {
    return paths(libraries.at_path(at("pkg/sub/load.py"), library));
  };
  EXPECT_THAT(named("libx.so"), ElementsAre("pkg/sub/libx.so")) << "the nearest";
  EXPECT_THAT(named("*/other/libx.so"), ElementsAre("other/libx.so"));
  EXPECT_THAT(named("/usr/lib/libx.so"), ElementsAre());
  EXPECT_THAT(named("lib*.so"), ElementsAre("pkg/sub/libx.so", "pkg/sub/liby_1.so"));
  EXPECT_THAT(named("*/tool"), ElementsAre()) << "a program is not opened";
  EXPECT_THAT(named("*"), ElementsAre());
  EXPECT_THAT(at_path("*/pkg/libx.so"), ElementsAre("pkg/libx.so"));
  EXPECT_THAT(at_path("libx.so"), ElementsAre()) << "it is searched for";
  EXPECT_THAT(at_path("*/*.so"), ElementsAre()) << "any file";
}

TEST(OwnModules, EveryFormOfAnImport) {
  const std::string init = "foo/sub/__init__.py", file = "foo/sub/x.py";
  expect_missing(file, "from ._core import a\n", {"._core"});
  expect_missing(file, "from.._core import(a)\n", {".._core"});
  expect_missing(file, "from . _core import a\n", {"._core"});
  expect_missing(file, "from \\\n  ._core \\\n  import a\n", {"._core"});
  expect_missing(file, "x = 1; from ._core import a\n", {"._core"});
  expect_missing(file, "import os, foo.core as c, foo.sub.y\n", {"foo.core", "foo.sub.y"});
  expect_missing(file, "import os, \\\n  foo.core\n", {"foo.core"});
  expect_missing(file, "class A:\n  import foo.core\n", {"foo.core"});
  expect_missing(file, "import importlib\nimportlib.import_module('foo.core')\n", {"foo.core"});
  expect_missing(file, "__import__(\"foo.core\")\n", {"foo.core"});
  expect_missing(init, "from . import (x,  # other\n  y as z)\n", {".x", ".y"});
  expect_missing(init, "from . import x, \\\n  y\n", {".x", ".y"});
  expect_missing(init, "from .. import six\nfrom . import *\n", {});
  expect_missing(file, "from . import x\n", {});
  expect_missing(file, "from .. import core\n", {});
  expect_missing(file, "from .... import core\nfrom ....a import b\n", {});
  expect_missing(file, "import bar.core\nfrom os import path\nfrom foo.six.moves import a\n", {});
  expect_missing("foo/data/x.py", "from ._core import a\n", {});
}

TEST(OwnModules, WordsThatImportNothing) {
  const WheelFacts facts = wheel({{"foo/__init__.py", ""}, {"foo/x.py", ""}});
  const OwnModules modules(facts.members);
  for (const char* const text : {"", "import", "import ", "from import", "important = 1\n", "from .x import y\n",
                                 "from . import", "import_module(", "__import__('", "import importlib\n", "from"})
    EXPECT_FALSE(modules.may_lack(text, "foo/__init__.py")) << text;
  EXPECT_FALSE(modules.may_lack("from .y import z\n", "foo/x.txt"));
  EXPECT_FALSE(modules.may_lack("from .y import z\n", "foo/tests/x.py"));
}

TEST(OwnModules, OnlyWhatCertainlyFails) {
  for (const std::string text :
       {"try:\n  from ._core import a\nexcept ImportError:\n  pass\n", "if x:\n  from ._core import a\n",
        "def f():\n  from ._core import a\n", "import contextlib\nwith contextlib.suppress(E):\n  import foo.core\n"})
    expect_missing("foo/x.py", text, {});
}

Texts run(const WheelFacts& facts) {
  Texts out;
  for (const auto& [file, script] : files_that_run(facts))
    out.push_back(facts.members[file.value].path.text() + (script.empty() ? "" : " " + script));
  return out;
}

TEST(CertainImports, FollowWhatNothingCatches) {
  WheelFacts facts =
      wheel({{"foo/__init__.py", "from . import a\nimport foo.sub.b\ntry:\n  from . import c\nexcept E:\n  pass\n"},
             {"foo/a.py", "def f():\n  from . import d\nf()\n"},
             {"foo/c.py", "import os\n"},
             {"foo/cli.py", "from . import c\n"},
             {"foo/d.py", "import os\n"},
             {"foo/sub/__init__.py", "import os\n"},
             {"foo/sub/b.py", "from .. import sub\n"},
             {"foo/tests/__init__.py", "import os\n"},
             {"setup.py", "import foo.d\n"},
             {"single.py", "import foo.d\n"}});
  const std::set<MemberIndex> imported = imported_files(facts);
  EXPECT_EQ(imported.size(), 4U);
  facts.scripts = {{.name = "foo", .object = "foo.cli:main"}, {.name = "two", .object = "foo.cli"}};
  EXPECT_EQ(run(facts), (Texts{"foo/__init__.py", "foo/a.py", "foo/c.py foo", "foo/cli.py foo", "foo/d.py",
                               "foo/sub/__init__.py", "foo/sub/b.py", "single.py"}));
}

}  // namespace
}  // namespace wheelcheck::import_plan
