// Tests names of libraries in the string literals of Python code.
#include "python/names.h"

#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::python {
namespace {

std::string words(std::string_view source) {
  std::string result;
  for (const PythonName& one : library_names(source)) result += one.text + '@' + std::to_string(one.line) + ' ';
  return result;
}

TEST(LibraryNames, AreFoundInTablesAndLists) {
  EXPECT_EQ(words("SONAMES = (\n  'libcudart.so.13',\n  \"libcudart.so.12\", r'libnvrtc.so')\n"),
            "libcudart.so.13@2 libcudart.so.12@3 libnvrtc.so@3 ");
}

TEST(LibraryNames, HaveAStarForWhatIsFilledIn) {
  EXPECT_EQ(words("x = f'libcublas.so.{major}'\ny = Fr\"{d}/libfoo{a['k']}.so\"\nz = f'lib{{x}}.so'\n"),
            "libcublas.so.*@1 */libfoo*.so@2 lib{x}.so@3 ");
  EXPECT_EQ(words("'libcudart.so.%d' % v; 'libcudart.so.{}'.format(v); 'libfoo.so{}'"),
            "libcudart.so.%d@1 libcudart.so.{}@1 libfoo.so{}@1 ");
}

TEST(LibraryNames, AreNotTakenFromCommentsProseAndOtherWords) {
  EXPECT_EQ(words("# 'liba.so'\nx = 'needs liba.so'  # \"libb.so\"\n'''open\nlibc.so\n'''\ny = 'a.sock'\n'libd.so'"),
            "libd.so@7 ");
}

TEST(LibraryNames, KeepTheLineThroughLongLiteralsAndEscapes) {
  EXPECT_EQ(words("\"\"\"a\n\\\"\"\"\nb\"\"\"\n'\\'' 'liba.so'\n'x\\\ny' 'libb.so'\n'open\n'libc.so'\n"),
            "liba.so@4 libb.so@6 libc.so@8 ");
}

TEST(LibraryNames, EndWithTheTextWhateverItHolds) {
  for (const char* source : {"'liba.so", "'''liba.so", "'\\", "f'{", "\"\"\"", "'liba.so\\", "f'}}{.so'", "'.so'"})
    EXPECT_LE(library_names(source).size(), 1U) << source;
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "'a.so' ";
  EXPECT_EQ(library_names(many).size(), 4096U);
  EXPECT_TRUE(library_names("'" + std::string(1'000'000, '{') + ".so'").empty());
}

std::string refusals(std::string_view source) {
  std::string result;
  for (const PythonRefusal& one : refusals_in(source))
    result += std::to_string(one.line) + ": " + one.condition + " | " + one.text + '\n';
  return result;
}

// numba/__init__.py, jax/_src/lib/__init__.py
TEST(Refusals, HaveTheComparisonAndTheMessage) {
  EXPECT_EQ(
      refusals("import numpy\nif v < (1, 21):\n    msg = ('needs version '\n           '1.21')\n"
               "    raise ImportError(msg)\nelif v > (1, 24):\n\n    raise RuntimeError(\n        'jaxlib version '\n"
               "        f'{v} is newer')\nx = 1\n"),
      "5: if v < (1, 21): | if v < (1, 21): msg = ('needs version ' '1.21') raise ImportError(msg)\n"
      "8: elif v > (1, 24): | elif v > (1, 24):  raise RuntimeError( 'jaxlib version ' f'{v} is newer')\n");
}

TEST(Refusals, NeedAComparisonAndTheWordVersion) {
  EXPECT_EQ(refusals("if numpy is None:\n  raise ImportError('version')\n"), "");
  EXPECT_EQ(refusals("if x > 1:\n  raise ImportError('too many')\n"), "");
  EXPECT_EQ(refusals("if version > 1:\n  raise ValueError('solver')\n"), "");
  EXPECT_EQ(refusals("if version > 1:\n  pass\nraise ImportError('x')\n"), "");
  EXPECT_EQ(refusals("if version > 1:\n" + std::string(20, '\n') + "  raise ImportError('far')\n"), "");
}

// transformers/dependency_versions_check.py of 4.30.2 and of 4.46
TEST(Refusals, AreCallsThatRequireAReleaseToo) {
  const std::string loop =
      "\nfor pkg in pkgs:\n    if pkg in deps:\n        if pkg == 'tokenizers':\n            pass\n\n"
      "        require_version_core(deps[pkg])\n    else:\n        raise ValueError(pkg)\n";
  EXPECT_EQ(refusals("pkgs = 'python numpy tokenizers'.split()\n" + loop),
            "8: require_version_core(deps[pkg]) | pkgs = 'python numpy tokenizers'.split()\n");
  const std::string names = "'a',\n'b',\n'c',\n'd',\n'e',\n'f',\n'g',\n'h',\n";
  EXPECT_EQ(refusals("pkgs = [\n" + names + "    'tokenizers',\n]\npkgs.append('x')\n" + loop),
            "19: require_version_core(deps[pkg]) | pkgs = [ 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'tokenizers', ]\n");
  EXPECT_EQ(refusals("versions.require_version('numpy<2',\n    'To fix it')\n"),
            "1: versions.require_version('numpy<2', | versions.require_version('numpy<2', 'To fix it')\n");
  EXPECT_EQ(refusals("def require_version(requirement):\n  return 'x'\n"), "");
  EXPECT_EQ(refusals("def check(pkg):\n  require_version(deps[pkg])\n"), "");
  EXPECT_EQ(refusals("pkgs = ['numpy']\nfor pkg in pkgs:\n    pass\nif x:\n    require_version(deps[pkg])\n"), "");
  EXPECT_EQ(refusals(loop), "") << "no list";
  EXPECT_EQ(refusals("pkgs = ['numpy']\n" + std::string(50, '\n') + loop), "") << "far from the loop";
  EXPECT_EQ(refusals("from x import require_version\nrequire_version"), "");
}

TEST(Refusals, EndWithTheTextAndAreBounded) {
  EXPECT_EQ(refusals("raise ImportError"), "");
  const std::string open = "if version > 1:\n  raise ImportError((((" + std::string(10'000, 'x');
  ASSERT_EQ(refusals_in(open).size(), 1U);
  EXPECT_EQ(refusals_in(open)[0].text.size(), 600U);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "if version > 1:\n  raise ImportError('x')\n";
  EXPECT_EQ(refusals_in(many).size(), 64U);
}

}  // namespace
}  // namespace wheelcheck::python
