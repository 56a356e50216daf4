// Tests demangled names, and names that are built to expand without limit.
#include "mangling/demangle.h"

#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::elf {
namespace {

TEST(Demangle, GivesTheNameAsItsAuthorWroteIt) {
  EXPECT_EQ(demangle("_ZN4llvm19raw_svector_ostream10write_implEPKcm"),
            "llvm::raw_svector_ostream::write_impl(char const*, unsigned long)");
  EXPECT_EQ(demangle("_ZTVN10__cxxabiv117__class_type_infoE"), "vtable for __cxxabiv1::__class_type_info");
  EXPECT_EQ(demangle("_Z1aB5cxx11v"), "a[abi:cxx11]()");
  EXPECT_EQ(demangle("_Z1fIJifdEEvDpT_"), "void f<int, float, double>(int, float, double)");
  EXPECT_EQ(demangle("_RNvC6_123foo3bar"), "123foo::bar");
}

TEST(Demangle, BrieflyGivesStringsTheirShortNames) {
  EXPECT_EQ(demangle_briefly("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv"),
            "std::__cxx11::string::_M_dispose()");
  EXPECT_EQ(demangle_briefly("_Z1fRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES6_"),
            "f(std::__cxx11::string const&, std::__cxx11::string const&)");
  EXPECT_EQ(demangle_briefly("memcpy"), "memcpy");
}

TEST(Demangle, LeavesOtherNamesAlone) {
  for (const char* name : {"", "main", "_Z", "_ZN", "_ZN4llvm", "?f@@YAXXZ", "_D3std5stdio", "__Z1fv", "_R"})
    EXPECT_EQ(demangle(name), name);
}

// S_, S0_, S1_ ... in base 36 (5.1.10 of the ABI).
std::string substitution(int number) {
  if (number == 0) return "S_";
  std::string digits;
  for (int rest = number - 1;; rest = rest / 36) {
    digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest % 36]);
    if (rest < 36) return "S" + digits + "_";
  }
}

// A function in which each parameter is a template with the previous parameter twice: 2^levels characters when written.
std::string doubled(int levels) {
  std::string name = "_Z1f";
  for (int i = 0; i < levels; ++i) {
    const std::string last = i == 0 ? "i" : substitution(2 * i - 1);
    name += {'2', static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26), 'I'};
    name += last + last + "E";
  }
  return name;
}

TEST(Demangle, WritesNamesThatRepeatThemselvesALittle) {
  EXPECT_EQ(demangle(doubled(2)), "f(aa<int, int>, ab<aa<int, int>, aa<int, int>>)");
  EXPECT_GT(demangle(doubled(10)).size(), 4000U);
}

TEST(Demangle, DoesNotWriteWhatHasNoEnd) {
  for (const int levels : {30, 40, 300}) EXPECT_EQ(demangle(doubled(levels)), doubled(levels));
  std::string rust = "_RINvC1a1f";
  for (int i = 0; i < 40; ++i) rust += "TB_B_E";
  EXPECT_EQ(demangle(rust + "E"), rust + "E");
}

TEST(Demangle, GoesDeepWithoutFalling) {
  for (const std::size_t depth : {std::size_t{100}, longest_mangled - 6, std::size_t{1000000}}) {
    const std::string pointers = "_Z1f" + std::string(depth, 'P') + "i";
    EXPECT_FALSE(demangle(pointers).empty());
    EXPECT_FALSE(demangle("_ZN" + std::string(depth, 'I') + "E").empty());
    for (const char nesting : {'F', 'I', 'J', 'K', 'N', 'O', 'R', 'X', 'Z'})
      EXPECT_FALSE(demangle("_Z1fI" + std::string(depth - 6, nesting) + "E").empty()) << nesting;
  }
}

}  // namespace
}  // namespace wheelcheck::elf
