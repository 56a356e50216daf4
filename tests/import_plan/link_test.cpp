// Tests which calls of sys.setdlopenflags take effect, through which files, and on which modules.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "import_plan/distribution_files.h"
#include "tests/import_plan/support.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::Source;
using test::WheelBuilder;
using Texts = std::vector<std::string>;

// "pkg/flags.py:11 through pkg/load.py:15, likely: pkg._internal"
Texts linked(const std::vector<Source>& sources, bool all = false) {
  WheelBuilder builder("pkg-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  for (const char* const module : {"_internal", "_other", "_after"})
    builder.elf(
        ElfBuilder(std::string("pkg/") + module + ".so").role(ExtensionModule{std::string("pkg.") + module, 3}));
  const WheelFacts wheel = test::with_python(builder, sources, all).build();
  Texts result;
  std::string cut;
  for (const GlobalImports& one : import_plan::link_global_imports(wheel, cut)) {
    const auto path = [&](MemberIndex member) { return wheel.members[member.value].path.text(); };
    std::string text = fmt::format("{}:{}", path(one.file), one.line);
    if (one.through) text += fmt::format(" through {}:{}", path(*one.through), one.through_line);
    text += fmt::format(", {}:", name_of(one.reach));
    for (const ElfIndex elf : one.modules) text += ' ' + std::get<ExtensionModule>(wheel.elfs[elf.value].role).module;
    result.push_back(text);
  }
  if (!cut.empty()) result.push_back(cut);
  return result;
}
Texts linked(const std::string& text) { return linked({{"pkg/__init__.py", text}}); }

TEST(Link, ASetterInAnotherFileCountsFromItsCallToItsReset) {
  EXPECT_EQ(linked({test::setter, test::caller}),
            (Texts{"pkg/flags.py:11 through pkg/load.py:14, likely: pkg._internal"}));
  EXPECT_EQ(linked({test::setter, test::caller, {"pkg/__init__.py", "from pkg import load\n"}}, true),
            (Texts{"pkg/flags.py:11 through pkg/load.py:14, likely: pkg._internal"}));
}

TEST(Link, SaysThatTheWalkWasCut) {
  EXPECT_EQ(linked(test::calls_without_end("sys.setdlopenflags(258)")).back(),
            "the walk through the imports of Python code ended at its limit of 1000000 steps");
}

TEST(Link, AHelperThatTheWheelLacksSetsNothing) {
  EXPECT_EQ(linked({test::caller}), Texts{});
  EXPECT_EQ(linked({test::setter}), Texts{}) << "nobody calls it";
}

TEST(Link, FlagsHoldFromTheCallUntilTheyAreSetAgain) {
  EXPECT_EQ(linked("import os, sys\n"
                   "from . import _other\n"
                   "old = sys.getdlopenflags()\n"
                   "sys.setdlopenflags(old | os.RTLD_GLOBAL)\n"
                   "from . import _internal\n"
                   "sys.setdlopenflags(old)\n"
                   "from . import _after\n"),
            (Texts{"pkg/__init__.py:4, certain: pkg._internal"}));
  EXPECT_EQ(linked("import sys\nsys.setdlopenflags(258)\nimport pkg._internal\nsys.setdlopenflags(2)\n"
                   "import pkg._after\n"),
            (Texts{"pkg/__init__.py:2, certain: pkg._internal"}));
  EXPECT_EQ(linked("import sys\nsys.setdlopenflags(10)\nimport pkg._internal\n"), Texts{}) << "DEEPBIND is not GLOBAL";
}

TEST(Link, RestoreInFinallyHoldsAfterIt) {
  EXPECT_EQ(linked("import os, sys\n"
                   "old = sys.getdlopenflags()\n"
                   "try:\n"
                   "    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)\n"
                   "    import pkg._internal\n"
                   "except ImportError:\n"
                   "    import pkg._other\n"
                   "finally:\n"
                   "    sys.setdlopenflags(old)\n"
                   "import pkg._after\n"),
            (Texts{"pkg/__init__.py:4, certain: pkg._internal"}));
}

TEST(Link, ContextManagersSetAndRestore) {
  const std::string body = "with guard():\n    import pkg._internal\nimport pkg._after\n";
  const std::string generator =
      "import contextlib, os, sys\n"
      "@contextlib.contextmanager\n"
      "def guard(extra=os.RTLD_GLOBAL):\n"
      "    old = sys.getdlopenflags()\n"
      "    sys.setdlopenflags(old | extra)\n"
      "    try:\n"
      "        yield\n"
      "    finally:\n"
      "        sys.setdlopenflags(old)\n";
  EXPECT_EQ(linked(generator + body), (Texts{"pkg/__init__.py:5, likely: pkg._internal"}));
  const std::string of_class =
      "import os, sys\n"
      "class guard:\n"
      "    def __enter__(self):\n"
      "        self.old = sys.getdlopenflags()\n"
      "        sys.setdlopenflags(self.old | os.RTLD_GLOBAL)\n"
      "    def __exit__(self, *args):\n"
      "        sys.setdlopenflags(self.old)\n";
  EXPECT_EQ(linked(of_class + body), (Texts{"pkg/__init__.py:5, likely: pkg._internal"}));
  for (const std::string& text : {generator, of_class})
    EXPECT_EQ(linked({{"pkg/rtld.py", text}, {"pkg/__init__.py", "from .rtld import guard  # dlopen\n" + body}}),
              (Texts{"pkg/rtld.py:5 through pkg/__init__.py:2, likely: pkg._internal"}));
  EXPECT_EQ(linked(generator + "guard()\nimport pkg._internal\n"), Texts{}) << "a generator that nobody starts";
}

TEST(Link, SettersAreFoundThroughPackagesThatHandThemOn) {
  EXPECT_EQ(linked({{"pkg/__init__.py", "from .flags import set_dlopen_flags\n"},
                    test::setter,
                    {"pkg/load.py", "import pkg  # dlopen\npkg.set_dlopen_flags()\nimport pkg._internal\n"}}),
            (Texts{"pkg/flags.py:11 through pkg/load.py:2, likely: pkg._internal"}));
}

TEST(Link, BranchesThatOnlyTheEnvironmentChoosesAreNotRun) {
  EXPECT_EQ(linked("import os, sys\n"
                   "USE = False\n"
                   "if USE or os.getenv('USE_GLOBAL'):\n"
                   "    sys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_LAZY)\n"
                   "    from pkg._internal import *\n"
                   "else:\n"
                   "    from pkg._internal import *\n"),
            Texts{});
}

TEST(Link, WhatImportsOfImportsOpenCountsWhereAllFilesAreRead) {
  const std::vector<Source> sources = {{"pkg/__init__.py", "import sys\nsys.setdlopenflags(258)\nfrom . import sub\n"},
                                       {"pkg/sub.py", "from ._internal import f\nfrom .more import g\n"},
                                       {"pkg/more.py", "from . import _other\nfrom . import sub\n"}};
  EXPECT_EQ(linked(sources, true), (Texts{"pkg/__init__.py:2, certain: pkg._internal pkg._other"}));
  EXPECT_EQ(linked(sources), (Texts{"pkg/__init__.py:2, certain:"}));
}

TEST(Link, EndsWhateverTheCallsAre) {
  std::string chain = "import sys\ndef f0():\n  sys.setdlopenflags(258)\n";
  for (int i = 1; i < 400; ++i) {
    chain += fmt::format("def f{}():\n  f{}()\n  f{}()\n  f{}()\n", i, i - 1, i - 1, i);
  }
  linked(chain + "f399()\n");
  std::vector<Source> files;
  for (int i = 0; i < 500; ++i)
    files.push_back(
        {fmt::format("pkg/m{}.py", i), fmt::format("import sys\nfrom . import m{}\nsys.setdlopenflags(258)\n"
                                                   "from ....x import y\nimport pkg.m{}.z\n",
                                                   (i + 1) % 500, i)});
  EXPECT_EQ(linked(files).size(), 500U);
}

}  // namespace
}  // namespace wheelcheck
