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

}  // namespace
}  // namespace wheelcheck::python
