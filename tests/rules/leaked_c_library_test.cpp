#include <fmt/format.h>

#include "tests/rules/scene.h"

namespace wheelcheck::test::leaked_c_library_test {
namespace {

ElfBuilder with_sqlite(std::string path) {
  ElfBuilder elf(std::move(path));
  for (const char* name : {"sqlite3_open", "sqlite3_close", "sqlite3_exec", "sqlite3_step", "sqlite3_free"})
    elf.exports(name);
  return elf;
}
std::vector<Finding> leaked(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("leaked-c-library");
}

TEST(LeakedCLibrary, FiresOnALibrarysInterface) {
  const auto findings = leaked(with_sqlite(module_so).exports("PyInit_x"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "exports 5 symbols of SQLite");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_THAT(evidence(findings[0], "SQLite"), testing::HasSubstr("sqlite3_close"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("PyInit_x; local: *;"));
}

// https://github.com/astral-sh/python-build-standalone/issues/114: the interpreter exports the same names.
TEST(LeakedCLibrary, WarnsWhereTheFilesOwnCallsCanReachTheInterpretersCopy) {
  const auto severity = [](const char* like, Bound bound, bool symbolic) {
    ElfBuilder elf(module_so);
    for (int i = 0; i < 5; ++i) elf.exports(fmt::format("{}{}", like, i));
    return leaked(elf.edit([&](ElfMember& file) {
             for (Export& symbol : file.facts.dynamic->exports) symbol.bound = bound;
             file.facts.dynamic->flags.symbolic = symbolic;
           }))
        .at(0);
  };
  EXPECT_EQ(severity("ffi_call_", Bound::AtFirstCall, false).severity, Severity::Warning);
  EXPECT_THAT(
      severity("ffi_call_", Bound::AtFirstCall, false).message,
      testing::EndsWith("the interpreter may export libffi too, and this file's own calls then bind to that copy"));
  EXPECT_EQ(severity("ffi_call_", Bound::Never, false).severity, Severity::Note) << "bound when it was linked";
  EXPECT_EQ(severity("ffi_call_", Bound::AtFirstCall, true).severity, Severity::Note) << "-Bsymbolic";
  EXPECT_EQ(severity("uv_", Bound::AtFirstCall, false).severity, Severity::Note) << "no interpreter has libuv";
}

TEST(LeakedCLibrary, WarnsWherePythonOpensTheFileForAll) {
  Scene scene(WheelBuilder(wheel_2_17).elf(with_sqlite("foo/libfast.so")).member("foo/__init__.py"));
  PythonCall call{.line = 3, .library = "*/libfast.so", .global = true, .reach = Reach::Certain};
  for (std::uint32_t i = 0; i < scene.wheel.members.size(); ++i)
    if (scene.wheel.members[i].path.text() == "foo/__init__.py")
      scene.wheel.python.push_back({.member = MemberIndex{i}, .calls = {call}});
  const Finding found = scene.run("leaked-c-library").at(0);
  EXPECT_EQ(found.severity, Severity::Warning);
  EXPECT_THAT(found.message, testing::HasSubstr("Python code opens it with RTLD_GLOBAL"));
}

TEST(LeakedCLibrary, LeavesAPluginTheInterfaceOfItsHost) {
  ElfBuilder elf(module_so);
  for (const char* name : {"H5Pget_chunk", "H5Pset_filter", "H5Tget_size", "H5Tget_class", "H5Epush_sim"})
    elf.exports(name);
  EXPECT_EQ(leaked(elf).size(), 1U);
  elf.exports("H5PLget_plugin_type").exports("H5PLget_plugin_info");
  EXPECT_TRUE(leaked(elf).empty());
  for (const char* name : {"sqlite3_open", "sqlite3_close", "sqlite3_exec", "sqlite3_step", "sqlite3_free"})
    elf.exports(name);
  EXPECT_EQ(leaked(elf).at(0).message, "exports 5 symbols of SQLite");
}

TEST(LeakedCLibrary, NamesEqualFilesOnce) {
  const auto findings = [](std::uint32_t other) {
    return Scene(WheelBuilder(wheel_2_17)
                     .elf(with_sqlite("foo/libdb.so.1").soname("libdb.so.1"))
                     .elf(with_sqlite("foo/libdb.so").soname("libdb.so.1"))
                     .edit([&](WheelFacts& wheel) {
                       for (const ElfMember& elf : wheel.elfs) {
                         MemberFacts& member = wheel.members[elf.member.value];
                         member.size = 9, member.packed_size = 5, member.crc32 = 7;
                       }
                       wheel.members[wheel.elfs.back().member.value].crc32 = other;
                     }))
        .run("leaked-c-library")
        .size();
  };
  EXPECT_EQ(findings(7), 1U);
  EXPECT_EQ(findings(8), 2U);
}

// libdf of HDF4 and libnetcdff have names like those of the libraries that they require.
TEST(LeakedCLibrary, IsSilentWhereTheFileRequiresTheLibrary) {
  ElfBuilder elf("foo.libs/libdf-2848fafa.so.0.0.0");
  for (const char* name : {"jpeg_HDF_dest", "jpeg_HDF_dest_term", "jpeg_HDF_src", "jpeg_HDF_src_term", "jpeg_message"})
    elf.exports(name);
  for (const char* name : {"DFopen", "DFclose", "Hopen", "Hclose", "Vgetid", "VSattach"}) elf.exports(name);
  EXPECT_EQ(leaked(elf).size(), 1U);
  EXPECT_TRUE(leaked(elf.needed("libjpeg-e87d2658.so.62.2.0")).empty());
}

TEST(LeakedCLibrary, IsSilentBelowFive) {
  ElfBuilder elf(module_so);
  for (const char* name : {"sqlite3_open", "sqlite3_close", "sqlite3_exec", "sqlite3_step"}) elf.exports(name);
  EXPECT_TRUE(leaked(elf).empty());
}

TEST(LeakedCLibrary, IsSilentWhereTheFileIsTheLibrary) {
  EXPECT_TRUE(leaked(with_sqlite("foo.libs/libsqlite3-0a1b2c3d.so.0.8.6")).empty());
  EXPECT_TRUE(leaked(with_sqlite("foo/libdb.so").soname("libsqlite3.so.0")).empty());
  EXPECT_FALSE(leaked(with_sqlite("foo/libdb.so").soname("libdb.so")).empty());
}

TEST(LeakedCLibrary, TakesOpenBlasForABlas) {
  ElfBuilder blas("foo.libs/libopenblas-r0-f650aae0.3.3.so");
  for (const char* name :
       {"cblas_dgemm", "cblas_sgemm", "cblas_ddot", "cblas_sdot", "cblas_dscal", "openblas_get_config"})
    blas.exports(name);
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) blas.exports(name);
  EXPECT_TRUE(leaked(blas).empty());
}

TEST(LeakedCLibrary, NamesTheLibraryThatIsInsideWhereLibrariesShareNames) {
  ElfBuilder elf(module_so);
  for (const char* name : {"SSL_new", "SSL_free", "SSL_read", "SSL_write", "SSL_accept", "SSL_connect"})
    elf.exports(name);
  EXPECT_EQ(leaked(elf).at(0).message, "exports 6 symbols of OpenSSL");
  for (const char* name : {"BORINGSSL_a", "BORINGSSL_b", "BORINGSSL_c", "BORINGSSL_d", "BORINGSSL_e"})
    elf.exports(name);
  EXPECT_EQ(leaked(elf).at(0).message, "exports 11 symbols of BoringSSL");
}

TEST(LeakedCLibrary, CountsCNamesAndLeavesNamespacesToTheirOwnRule) {
  ElfBuilder elf(module_so);
  for (int i = 0; i < 49; ++i) elf.exports(fmt::format("_ZN4llvm4f{:03}Ev", i));
  EXPECT_TRUE(leaked(elf).empty());
  for (const char* name : {"LLVMGetVersion", "LLVMShutdown", "LLVMAddGlobal", "LLVMAddAlias", "LLVMAddCase"})
    elf.exports(name);
  const auto findings = leaked(elf);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "exports 5 symbols of LLVM");
  EXPECT_EQ(evidence(findings[0], "LLVM"), "5: LLVMAddAlias, LLVMAddCase");
  EXPECT_TRUE(leaked(elf.exports("_ZN4llvm4moreEv")).empty());  // now a leaked namespace, which WC201 reports
}

}  // namespace
}  // namespace wheelcheck::test::leaked_c_library_test
