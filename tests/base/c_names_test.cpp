// The tables of names are searched by bisection, so they must be sorted.
#include "model/c_names.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {
extern const EmbeddedFile embedded_c_names[];
extern const std::size_t embedded_c_names_count;

namespace {

TEST(CNames, AreAllFound) {
  std::size_t names = 0;
  for (std::size_t i = 0; i < embedded_c_names_count; ++i) {
    const std::string_view file = embedded_c_names[i].name;
    for (const std::string_view line : split(embedded_c_names[i].text, '\n')) {
      if (line.empty()) continue;
      ++names;
      const std::string_view name = line.substr(0, line.find(' '));
      if (file == "glibc_versions.txt") {
        const std::string version = "GLIBC_" + std::string(line.substr(line.rfind(' ') + 1));
        EXPECT_EQ(glibc_has(name, version.substr(0, version.find(','))), true) << name;
        continue;
      }
      if (name == "#") continue;
      if (file == "cxx_versions.txt") {
        const std::string_view version = line.substr(line.rfind(' ') + 1);
        const std::string family = version[0] == 'X' ? "GLIBCXX_" : version[0] == 'A' ? "CXXABI_" : "GCC_";
        EXPECT_EQ(cxx_runtime_has(name, family + std::string(version.substr(1, version.find(',') - 1))), true) << name;
        continue;
      }
      EXPECT_TRUE(file == "cpython.txt" ? cpython_name(name).known
                                        : c_name(file == "musl.txt" ? Libc::Musl : Libc::Glibc, name).has_value())
          << file << ": " << name;
    }
  }
  EXPECT_GT(names, 8000U);
}

TEST(CNames, HaveTheirReleases) {
  EXPECT_EQ(c_name(Libc::Musl, "qsort_r")->since, "1.2.3");
  EXPECT_EQ(c_name(Libc::Glibc, "no_such_name"), std::nullopt);
  EXPECT_EQ(glibc_has("memcpy", "GLIBC_2.14"), true);
  EXPECT_EQ(glibc_has("memcpy", "GLIBC_2.3"), false);
  EXPECT_EQ(glibc_has("no_such_name", "GLIBC_2.2.5"), false);
  EXPECT_EQ(glibc_has("strlcpy", "GLIBC_2.38"), std::nullopt) << "newer than the table";
  EXPECT_EQ(glibc_has("_dl_argv", "GLIBC_PRIVATE"), std::nullopt);
  EXPECT_TRUE(only_libm_has("scalbln"));
  EXPECT_FALSE(only_libm_has("scalbn")) << "libc has it too";
  EXPECT_FALSE(only_libm_has("memcpy"));
  EXPECT_EQ(cxx_runtime_has("_ZSt4cout", "GLIBCXX_3.4"), true);
  EXPECT_EQ(cxx_runtime_has("_ZSt4cout", "GLIBCXX_3.4.9"), false);
  EXPECT_EQ(cxx_runtime_has("no_such_name", "CXXABI_1.3"), false);
  EXPECT_EQ(cxx_runtime_has("no_such_name", "GCC_3.0"), false);
  EXPECT_EQ(cxx_runtime_has("_ZSt4cout", "GLIBCXX_3.4.99"), std::nullopt) << "newer than the table";
  EXPECT_FALSE(cpython_name("").known);
  EXPECT_EQ(cpython_name("PyBuffer_SizeFromFormat").first(), 9U);
  EXPECT_EQ(cpython_name("PyArg_Parse").first(), known_cpythons().oldest);
  EXPECT_GE(known_cpythons().newest, 15U);
}

}  // namespace
}  // namespace wheelcheck
