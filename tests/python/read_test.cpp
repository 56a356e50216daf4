// Tests read_source with small sources: the calls, their libraries and flags, and their reach.
#include "python/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace wheelcheck::python {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Both ways of reading find the same calls.
std::vector<PythonCall> calls(const std::string& source) {
  std::vector<PythonCall> all = read_source(source, MemberIndex{7}).calls;
  const std::optional<PythonFile> file = read_loads(source, MemberIndex{7}, Detail::Calls);
  const std::vector<PythonCall> loads = file ? file->calls : std::vector<PythonCall>();
  const auto detail = [](const std::vector<PythonCall>& calls) {
    std::vector<std::tuple<LoadCall, std::uint32_t, std::optional<std::string>, std::optional<std::uint32_t>, bool,
                           Reach, std::string>>
        rows;
    for (const PythonCall& call : calls)
      rows.emplace_back(call.call, call.line, call.library, call.flags, call.global, call.reach, call.text);
    return rows;
  };
  EXPECT_EQ(detail(all), detail(loads)) << source;
  return all;
}

PythonCall only(const std::string& source) {
  std::vector<PythonCall> found = calls(source);
  EXPECT_EQ(found.size(), 1U) << source;
  return found.empty() ? PythonCall{} : found.front();
}
// The names of all libraries, "?" if there is none.
std::vector<std::string> names(const std::string& source) {
  std::vector<std::string> result;
  for (const PythonCall& call : calls(source)) result.push_back(call.library.value_or("?"));
  return result;
}
Reach reach(const std::string& source) { return only("import ctypes, sys, os, platform\n" + source).reach; }

TEST(ReadSource, ReadsEscapesOfNames) {
  EXPECT_THAT(names("import ctypes\nctypes.CDLL('\\x6cib\\146oo\\u002eso\\U0000002e1')"), ElementsAre("libfoo.so.1"));
  EXPECT_THAT(names("import ctypes\nctypes.CDLL('lib\\x6g.so')"), ElementsAre("lib\\x6g.so"));
  EXPECT_THAT(names("import ctypes\nctypes.CDLL(r'lib\\x66.so')"), ElementsAre("lib\\x66.so"));
}

// TensorFlow's and PyTorch's functions for libraries of operators open them with dlopen.
TEST(ReadSource, FindsLibrariesOfOperators) {
  EXPECT_THAT(names("import tensorflow as tf\ntf.load_op_library('_ops.so')"), ElementsAre("_ops.so"));
  EXPECT_THAT(names("from tensorflow.python.framework import load_library\n"
                    "from tensorflow.python.platform import resource_loader\n"
                    "ops = load_library.load_op_library(resource_loader.get_path_to_datafile('_ops.so'))"),
              ElementsAre("*/_ops.so"));
  EXPECT_THAT(
      names("import os, torch\ntorch.ops.load_library(os.path.join(os.path.dirname(__file__), '_C.so'))").size(), 1U);
  EXPECT_THAT(names("import other\nother.load_library('x.so')"), IsEmpty());
}

// torchvision and torchcodec: the path is that of a module, which importlib or a function of another file finds.
TEST(ReadSource, FindsLibrariesOfOperatorsByTheNameOfAModule) {
  EXPECT_THAT(names("import torch\nfrom ._internally import _get_extension_path\n"
                    "try:\n  path = _get_extension_path('_C')\n  torch.ops.load_library(path)\n"
                    "except (ImportError, OSError):\n  pass"),
              ElementsAre("*/_C.so"));
  EXPECT_THAT(names("import torch\nfrom ._internally import _get_extension_path\n"
                    "def load():\n  for version in (8, 7, 6):\n    name = f'libcodec_core{version}'\n    try:\n"
                    "      torch.ops.load_library(_get_extension_path(name))\n      return\n"
                    "    except Exception:\n      pass\nload()"),
              ElementsAre("*/libcodec_core8.so", "*/libcodec_core7.so", "*/libcodec_core6.so"));
  EXPECT_THAT(names("import importlib.machinery, os, torch\n"
                    "def path_of(name):\n"
                    "  finder = importlib.machinery.FileFinder(os.path.dirname(__file__), None)\n"
                    "  return finder.find_spec(name).origin\n"
                    "torch.ops.load_library(path_of('_ops'))"),
              ElementsAre("*/_ops.so"));
  EXPECT_THAT(names("import torch\nfrom .other import choose\ntorch.ops.load_library(choose('_C'))"), ElementsAre("?"));
}

TEST(ReadSource, NextOfAGlobIsAFile) {
  EXPECT_THAT(names("import ctypes\nfrom pathlib import Path\n"
                    "found = next(Path(__file__).parent.glob('libc++abi*.so*'), None)\n"
                    "if found is not None:\n  ctypes.CDLL(str(found), mode=ctypes.RTLD_GLOBAL)"),
              ElementsAre("*/libc++abi*.so*"));
}

TEST(ReadSource, FindsEverySpellingOfTheGlobalFlag) {
  for (const char* source : {
           "import ctypes\nctypes.CDLL('libx.so', ctypes.RTLD_GLOBAL)",
           "import ctypes\nctypes.CDLL('libx.so', mode=ctypes.RTLD_GLOBAL)",
           "import ctypes as ct\nct.PyDLL('libx.so', mode=ct.RTLD_GLOBAL | 2)",
           "from ctypes import CDLL as C, RTLD_GLOBAL as G\nC('libx.so', G)",
           "from ctypes import *\nCDLL('libx.so', RTLD_GLOBAL)",
           "import ctypes\nfrom os import *\nctypes.CDLL('libx.so', RTLD_NOW | RTLD_GLOBAL)",
           "import ctypes, os\nload = ctypes.CDLL\nmode = os.RTLD_LAZY\nmode |= os.RTLD_GLOBAL\nload('libx.so', mode)",
           "import ctypes\nctypes.CDLL('libx.so', 258)",
           "import ctypes\nctypes.CDLL('libx.so', 0x1_02)",
           "import ctypes, DLFCN\nctypes.CDLL('libx.so', DLFCN.RTLD_GLOBAL)",
           "import ctypes\nctypes.CDLL('libx.so', getattr(ctypes, 'RTLD_GLOBAL', 0))",
           "import cffi\nanything = cffi.FFI()\nanything.dlopen('libx.so', anything.RTLD_GLOBAL | 256)",
           "from pkg._native import ffi\nffi.dlopen('libx.so', 0x100)",
       }) {
    const PythonCall call = only(source);
    EXPECT_TRUE(call.global) << source;
    EXPECT_EQ(call.library, "libx.so") << source;
    EXPECT_EQ(call.reach, Reach::Certain) << source;
  }
}

TEST(ReadSource, FollowsTheFlagsOfImports) {
  const auto found = calls(R"(import sys, ctypes
_flags = sys.getdlopenflags()
sys.setdlopenflags(_flags | ctypes.RTLD_GLOBAL)
import pkg._x
sys.setdlopenflags(_flags)
sys.setdlopenflags(_flags & ~ctypes.RTLD_GLOBAL)
)");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].global);
  EXPECT_EQ(found[0].line, 3U);
  EXPECT_EQ(found[0].flags, std::nullopt) << "the other bits are not known";
  EXPECT_FALSE(found[1].global);
  EXPECT_FALSE(found[2].global);
  EXPECT_EQ(only("import sys\nsys.setdlopenflags(10)").flags, 10U);
}

TEST(ReadSource, WorksNamesOutAsFarAsTheTextTells) {
  const std::string head = "import ctypes, os, glob, pathlib, platform\nfrom ctypes.util import find_library\n";
  const auto name = [&](const std::string& source) { return names(head + source); };
  EXPECT_THAT(name("ctypes.CDLL('lib' + 'x' '.so')"), ElementsAre("libx.so"));
  EXPECT_THAT(name("v = unknown()\nctypes.CDLL(f'libcudart.so.{v}')"), ElementsAre("libcudart.so.*"));
  EXPECT_THAT(name("ctypes.CDLL('lib%s.so.%d' % ('x', 3))"), ElementsAre("libx.so.3"));
  EXPECT_THAT(name("ctypes.CDLL('lib{}.so.{major}'.format('x', major=unknown))"), ElementsAre("libx.so.*"));
  EXPECT_THAT(name("ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'libx.so'))"),
              ElementsAre("*/lib/libx.so"));
  EXPECT_THAT(name("ctypes.CDLL(str(pathlib.Path(__file__).parent / 'libs' / 'libx.so'))"),
              ElementsAre("*/libs/libx.so"));
  EXPECT_THAT(name("for n in ('liba.so', 'libb.so'):\n  ctypes.CDLL(n)"), ElementsAre("liba.so", "libb.so"));
  EXPECT_THAT(name("for d, n in [('a', 'liba.so')]:\n  ctypes.CDLL(os.path.join(d, n))"), ElementsAre("a/liba.so"));
  EXPECT_THAT(name("for d, n in [('a', 'liba.so'), ('b', 'libb.so')]:\n  ctypes.CDLL(os.path.join(d, n))"),
              ElementsAre("a/liba.so", "b/libb.so"))
      << "the parts of a tuple belong together";
  EXPECT_THAT(name("def load(d, n):\n  ctypes.CDLL(os.path.join(d, n))\n"
                   "for d, n in [('a', 'liba.so'), ('b', 'libb.so')]:\n  load(d, n)\nload('c', 'libc.so')\n"),
              ElementsAre("a/liba.so", "b/libb.so", "c/libc.so", "*/*"))
      << "the arguments of a call belong together; other files may call the function as well";
  EXPECT_THAT(name("libs = ['liba.so']\nlibs.append('libb.so')\n[ctypes.CDLL(n) for n in libs]"),
              ElementsAre("liba.so", "libb.so"));
  EXPECT_THAT(name("ctypes.CDLL({'Linux': 'a.so', 'Darwin': 'b.dylib'}[platform.system()])"), ElementsAre("a.so"));
  EXPECT_THAT(name("ctypes.CDLL(glob.glob('/opt/libx.so*')[0])"), ElementsAre("/opt/libx.so*"));
  EXPECT_THAT(name("ctypes.CDLL((glob.glob('a/lib/libx.so*') + glob.glob('b/lib/libx.so*'))[0])"),
              ElementsAre("a/lib/libx.so*", "b/lib/libx.so*"))
      << "a pattern may find nothing";
  EXPECT_THAT(name("ctypes.cdll['libx.so']"), ElementsAre("libx.so"));
  EXPECT_THAT(name("ctypes.cdll.LoadLibrary('libx.so')"), ElementsAre("libx.so"));
  EXPECT_THAT(name("ctypes.CDLL(find_library('cudart'))"), testing::UnorderedElementsAre("libcudart.so.*", "cudart"));
  EXPECT_THAT(name("ctypes.CDLL(None)"), ElementsAre("?"));
  // Other files may call the function with other arguments.
  EXPECT_THAT(name("def load(n):\n  return ctypes.CDLL('lib' + n)\nload('x.so')"), ElementsAre("libx.so", "lib*"));
}

TEST(ReadSource, SaysHowSureACallIsToRun) {
  const std::string call = "ctypes.CDLL('x')\n";
  EXPECT_EQ(reach(call), Reach::Certain);
  EXPECT_EQ(reach("try:\n  " + call + "except OSError:\n  pass\n"), Reach::Certain);
  EXPECT_EQ(reach("class A:\n  x = " + call), Reach::Certain);
  EXPECT_EQ(reach("if sys.platform.startswith('linux'):\n  " + call), Reach::Certain);
  EXPECT_EQ(reach("if hasattr(sys, 'setdlopenflags'):\n  " + call), Reach::Certain);
  EXPECT_EQ(reach("if os.path.exists('x'):\n  " + call), Reach::Likely);
  EXPECT_EQ(reach("try:\n  import x\nexcept ImportError:\n  " + call), Reach::Likely);
  EXPECT_EQ(reach("def f():\n  " + call + "f()\n"), Reach::Likely);
  EXPECT_EQ(reach("def f():\n  g()\ndef g():\n  " + call + "f()\n"), Reach::Likely);
  EXPECT_EQ(reach("class A:\n  def __enter__(self):\n    " + call + "with A():\n  pass\n"), Reach::Likely);
  EXPECT_EQ(reach("def f():\n  " + call), Reach::Possible);
  EXPECT_EQ(reach("f = lambda: " + call), Reach::Possible);
  EXPECT_EQ(reach("if os.environ.get('X'):\n  " + call), Reach::Possible);
  EXPECT_EQ(reach("if not os.environ.get('X'):\n  " + call), Reach::Likely);
  EXPECT_EQ(reach("def f():\n  if os.getenv('X'):\n    return\n  " + call + "f()\n"), Reach::Likely);
}

TEST(ReadSource, PassesOverWhatCannotRunOnLinux) {
  const std::string head = "import ctypes, sys, os, platform\nUSE = False\nWINDOWS = os.name == 'nt'\n";
  for (const char* source : {
           "if sys.platform == 'win32':\n  ctypes.CDLL('x')\n",
           "if platform.system() in ('Windows', 'Darwin'):\n  ctypes.CDLL('x')\n",
           "if USE:\n  ctypes.CDLL('x')\n",
           "if hasattr(sys, 'frozen'):\n  ctypes.CDLL('x')\n",
           "if getattr(sys, 'frozen', False):\n  ctypes.CDLL('x')\n",
           "if WINDOWS and unknown:\n  ctypes.CDLL('x')\n",
           "if not WINDOWS:\n  pass\nelse:\n  ctypes.CDLL('x')\n",
           "def f():\n  if sys.platform == 'linux':\n    return\n  ctypes.CDLL('x')\n",
           "x = ctypes.CDLL('x') if WINDOWS else None\n",
           "if __name__ == '__main__':\n  ctypes.CDLL('x')\n",
       })
    EXPECT_THAT(calls(head + source), IsEmpty()) << source;
}

TEST(ReadSource, IsNotMisledByWhatOnlyLooksLikeACall) {
  for (const char* source : {
           "# ctypes.CDLL('x', RTLD_GLOBAL)\n",
           "'''sys.setdlopenflags(258)'''\n",
           "FLAGS = {'RTLD_GLOBAL': 256, 'CDLL': 1}\n",
           "plugin.dlopen('x', 256)\n",
           "class A:\n  def dlopen(self, n): pass\nA().dlopen('x')\n",
           "def CDLL(n): pass\nCDLL('x')\n",
           "import mine as ctypes\nctypes.CDLL('x')\n",
           "def f(sys):\n  sys.setdlopenflags(256)\n",
       })
    EXPECT_THAT(calls(source), IsEmpty()) << source;
}

TEST(ReadSource, TellsTheCallAsItIsWritten) {
  const PythonCall call = only("import ctypes\n\nctypes.CDLL(\n    'libx.so',\n    mode=2)\n");
  EXPECT_EQ(call.text, "ctypes.CDLL( 'libx.so', mode=2)");
  EXPECT_EQ(call.line, 3U);
  EXPECT_EQ(call.flags, 2U);
  EXPECT_EQ(only("import ctypes\nctypes.CDLL('" + std::string(300, 'x') + "')").text.size(), 200U);
}

TEST(ReadSource, ReadsOnAfterASyntaxError) {
  const PythonFile file = read_source("import ctypes\nprint 'python 2'\nx = = 3\nctypes.CDLL('a')\n", MemberIndex{7});
  EXPECT_TRUE(file.broken);
  EXPECT_EQ(file.member, MemberIndex{7});
  ASSERT_EQ(file.calls.size(), 1U);
  EXPECT_EQ(file.calls[0].line, 4U);
}

TEST(ReadSource, StandsAnyBytes) {
  std::mt19937 random(1);
  const std::string seed =
      "import ctypes\nfor x in ['a', f'b{c}']:\n  with ctypes.CDLL(x, mode=256) as y:\n    return y[x] if x else {1: "
      "2}\n";
  for (int round = 0; round < 3000; ++round) {
    std::string text = seed;
    for (int change = 0; change < 12; ++change) {
      const std::size_t at = random() % text.size();
      if (round % 3 == 0) text[at] = static_cast<char>(random());
      if (round % 3 == 1) text.erase(at, 1 + random() % 5);
      if (round % 3 == 2) text.insert(at, seed.substr(random() % seed.size(), random() % 9));
      if (text.empty()) text = seed;
    }
    EXPECT_LE(read_source(text, MemberIndex{0}).calls.size(), 64U);
  }
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 300, '\0');
    std::ranges::generate(text, [&] { return static_cast<char>(random()); });
    read_source(text, MemberIndex{0});
  }
}

TEST(ReadSource, EndsWhateverTheShape) {
  const auto repeated = [](std::string_view piece, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return text;
  };
  for (const char* piece : {"(", "[{", "a(", "not ", "lambda:", "a.", "a+", "x=", "exec ", "\\\n", "@a\n", "'''", "f'{",
                            "if x:\n ", "async ", "\t\n", "a if ", "[for "})
    EXPECT_LE(read_source(repeated(piece, 60'000), MemberIndex{0}).calls.size(), 0U) << piece;
  std::string doubling = "import ctypes\na = 'x'\n";
  for (int i = 0; i < 2000; ++i) doubling += "a = a + a\n";
  EXPECT_EQ(calls(doubling + "ctypes.CDLL(a)").size(), 1U);
}

// Dense code without errors needs much more memory and time for a byte than other code.
TEST(ReadSource, ReadsDenseCode) {
  for (const char* const line :
       {"a,b=b,a\n", "a\n", "[[[[[[]]]]]]\n", "print(a)\n", "if a:b\n", "f'{a}{b}'\n", "(a,b),c=d\n", "f(*a,**b)\n"}) {
    std::string source = "import ctypes\n";
    while (source.size() < 30'000) source += line;
    const PythonFile file = read_source(source + "ctypes.CDLL('a.so')\n", MemberIndex{0});
    EXPECT_EQ(file.cut, PythonCut::None) << line;
    EXPECT_EQ(file.calls.size(), 1U) << line;
  }
}

TEST(ReadSource, ReadsAllStatementsOfALine) {
  for (const char* const source :
       {"import ctypes; ctypes.CDLL('a.so')", "from ctypes import CDLL; CDLL('a.so')",
        "import os\nimport ctypes; x = 1; "
        "ctypes.CDLL('a.so')",
        "'text'; import ctypes; ctypes.CDLL('a.so')", "import ctypes; \\\nctypes.CDLL('a.so')",
        "import ctypes as c; L = c.CDLL; L('a.so')", "import ctypes\nf\"{ctypes.CDLL('a.so')}\""})
    EXPECT_EQ(only(source).library, "a.so") << source;
  EXPECT_EQ(only("import sys; sys.setdlopenflags(0x102)").flags, 0x102U);
}

TEST(ReadSource, KnowsModulesThatCallsImport) {
  EXPECT_THAT(names("__import__('ctypes').CDLL('a.so')"), ElementsAre("a.so"));
  EXPECT_THAT(names("import importlib\nc = importlib.import_module('ctypes')\nc.CDLL('a.so')"), ElementsAre("a.so"));
  EXPECT_THAT(names("__import__('other').CDLL('a.so')"), IsEmpty());
}

// More than 65,535 tokens in one error. A tree-sitter runtime that counts the children of a node in 16 bits frees wrong
// memory.
TEST(ReadSource, StandsManyTokensInOneError) {
  for (const char* const part : {"(", "ctypes.CDLL(", "[", "x ", "1,", "if "}) {
    std::string source = "import ctypes\n";
    for (int i = 0; i < 80'000; ++i) source += part;
    read_source(source, MemberIndex{0});
  }
}

TEST(IsWorthParsing, AsksForAWordThatEveryCallNeeds) {
  EXPECT_TRUE(is_worth_parsing("x = ctypes.cdll"));
  EXPECT_TRUE(is_worth_parsing("sys.setdlopenflags(2)"));
  EXPECT_FALSE(is_worth_parsing("import ctypes, RTLD_GLOBAL"));
  EXPECT_FALSE(is_worth_parsing(""));
}

}  // namespace
}  // namespace wheelcheck::python
