// Tests source that is much more expensive than its size: the work is limited, and the limit is reported.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "python/read.h"

namespace wheelcheck::python {
namespace {

const std::string loads = "import ctypes\nctypes.CDLL('libm.so.6')\n";

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}
bool is_cut(const std::string& source) { return read_source(source, {}).cut != PythonCut::None; }

TEST(Cost, BoundsProductsOfTuples) {
  std::string source = "import ctypes, os\nif os.getenv('A'): v = '" + std::string(500, 'a') + "'\nelse: v = '" +
                       std::string(500, 'b') + "'\n";
  for (int i = 0; i < 8; ++i) source += "v = (v, v, v, v, v, v, v, v)\n";
  source += repeated("ctypes.CDLL(v[0])\n", 100);
  EXPECT_TRUE(is_cut(source));
}

TEST(Cost, IsSmallForRecursionWithGrowingArguments) {
  EXPECT_FALSE(
      is_cut("def spin(t, orb=None):\n"
             "    if isinstance(t, np.ndarray) and t.ndim == 2:\n"
             "        return spin((t, t), orb)\n"
             "    elif isinstance(t, np.ndarray) and t.ndim == 4:\n"
             "        u = t - t.transpose(1, 0, 2, 3)\n"
             "        return spin((u, t, u), orb)\n"
             "other = spin\n"));
}

TEST(Cost, EndsParsesThatGrowWithoutBound) {
  EXPECT_TRUE(is_cut(loads + "x=" + repeated("(a,", 300'000)));
  EXPECT_TRUE(is_cut(loads + repeated("[", 1'000'000)));
  EXPECT_TRUE(is_cut(loads + repeated("lambda:not ,", 40'000)));
}

TEST(Cost, IsSilentAboutOrdinaryCode) {
  EXPECT_FALSE(is_cut(loads));
  const PythonFile file = read_source(loads + repeated("def f(a, b=(1, 2)):\n    return [a, b]\n", 5'000), {});
  EXPECT_EQ(file.cut, PythonCut::None);
  ASSERT_EQ(file.calls.size(), 1U);
  EXPECT_EQ(file.calls[0].library, "libm.so.6");
  std::string names = "import ctypes\nfor n in (";
  for (int i = 0; i < 60; ++i) names += "('lib" + std::to_string(i) + ".so', " + std::to_string(i) + "), ";
  const PythonFile list = read_source(names + "):\n  ctypes.CDLL(n[0])\n", {});
  EXPECT_EQ(list.cut, PythonCut::None);
  EXPECT_FALSE(list.calls.empty());
}

// gamfit 0.1.274 searches CUDA in a product of directories and names. What that call opens is not a constant; the next
// one still is.
TEST(Cost, OneCostlyArgumentDoesNotEndAFile) {
  std::string groups;
  for (int i = 0; i < 8; ++i) {
    std::string names;
    for (const char one : {'a', 'b'})
      names += fmt::format("['lib{0}{1}.so.3', 'lib{0}{1}.so.2', 'lib{0}{1}.so.1', 'lib{0}{1}.so'], ", i, one);
    groups += fmt::format("('p{}', [{}]), ", i, names);
  }
  const PythonFile file = read_source("import ctypes\nGROUPS = [" + groups + R"(]
def first(directory, names):
    for name in names:
        path = directory / name
        if path.exists():
            return path
def unique(paths):
    out = []
    for path in paths:
        out.append(path.resolve())
    return out
def of_system(directory):
    out = []
    for _, groups in GROUPS:
        for names in groups:
            out.append(first(directory, names))
    return unique(out)
def of_packages(root):
    out = []
    for part, groups in GROUPS:
        directory = root / part / 'lib'
        for names in groups:
            out.append(first(directory, names))
    return unique(out)
def candidates(driver):
    for directory in directories():
        found = of_system(directory)
        if found:
            return tuple(unique([driver, *found]))
    for root in roots():
        found = of_packages(root)
        if found:
            return tuple(unique([driver, *found]))
def load(paths):
    for path in paths:
        ctypes.CDLL(str(path))
load(candidates(None))
ctypes.CDLL('liba.so')
)",
                                      {});
  EXPECT_EQ(file.cut, PythonCut::None);
  ASSERT_FALSE(file.calls.empty());
  EXPECT_EQ(file.calls.back().library, "liba.so");
}

}  // namespace
}  // namespace wheelcheck::python
