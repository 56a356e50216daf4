#include "tests/rules/scene.h"

namespace wheelcheck::test::allocator_exported_test {
namespace {

Scene allocating(ElfBuilder elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf.exports("malloc").exports("free")).member("foo/__init__.py"));
}
std::vector<Finding> of_allocators(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("allocator-exported");
}
// Python code of foo/__init__.py that opens `library`.
void opens(Scene& scene, std::string library, bool global, Reach reach) {
  PythonCall call{.call = LoadCall::Cdll, .line = 3, .library = std::move(library), .global = global, .reach = reach};
  call.text = "ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)";
  for (std::uint32_t i = 0; i < scene.wheel.members.size(); ++i)
    if (scene.wheel.members[i].path.text() == "foo/__init__.py")
      scene.wheel.python.push_back({.member = MemberIndex{i}, .calls = {call}});
}

TEST(AllocatorExported, IsANoteForMalloc) {
  const auto findings = allocating(ElfBuilder("foo/libfast.so")).run("allocator-exported");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "exports free and 1 more");
  EXPECT_EQ(evidence(findings[0], "symbols"), "free, malloc");
}

TEST(AllocatorExported, IsAnErrorWherePythonOpensTheFileForAll) {
  const auto severity = [](std::string library, bool global, Reach reach) {
    Scene scene = allocating(ElfBuilder("foo/libfast.so"));
    opens(scene, std::move(library), global, reach);
    const Finding found = scene.run("allocator-exported").at(0);
    EXPECT_EQ(found.message.ends_with("to the whole process"), found.severity == Severity::Error);
    return found.severity;
  };
  EXPECT_EQ(severity("libfast.so", true, Reach::Certain), Severity::Error);
  EXPECT_EQ(severity("*/libfast.so", true, Reach::Likely), Severity::Error);
  EXPECT_EQ(severity("libfast.so", true, Reach::Possible), Severity::Note);
  EXPECT_EQ(severity("libfast.so", false, Reach::Certain), Severity::Note);
  EXPECT_EQ(severity("libother.so", true, Reach::Certain), Severity::Note);
}

TEST(AllocatorExported, IsAnErrorWherePythonOpensAFileThatRequiresIt) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/libfirst.so").needed("libfast.so").runpath("$ORIGIN"))
                  .elf(ElfBuilder("foo/libfast.so").exports("malloc").exports("free"))
                  .member("foo/__init__.py"));
  opens(scene, "libfirst.so", true, Reach::Certain);
  EXPECT_EQ(scene.run("allocator-exported").at(0).severity, Severity::Error);
}

TEST(AllocatorExported, KnowsOperatorNewButNotThatOfACxxRuntimeInside) {
  EXPECT_TRUE(of_allocators(ElfBuilder(module_so).exports("_ZdlPvm").exports("_ZnwmSt11align_val_t")).empty());
  ElfBuilder elf(module_so);
  elf.exports("_Znwm").exports("_ZdlPvSt11align_val_t");
  EXPECT_EQ(of_allocators(elf).size(), 1U);
  EXPECT_TRUE(of_allocators(elf.exports("__cxa_throw")).empty());
}

TEST(AllocatorExported, IsSilentForHelpersThatCallTheAllocatorOfTheProcess) {
  EXPECT_TRUE(of_allocators(ElfBuilder("foo.libs/libbsd-1.so").exports("reallocarray")).empty());
  EXPECT_EQ(of_allocators(ElfBuilder("foo.libs/libx-1.so").exports("reallocarray").exports("realloc")).size(), 1U);
}

TEST(AllocatorExported, IsSilentForWeakDefinitionsPrefixesProgramsAndTheCLibrary) {
  EXPECT_TRUE(of_allocators(ElfBuilder(module_so).exports("malloc", SymbolKind::Function, Binding::Weak)).empty());
  EXPECT_TRUE(of_allocators(ElfBuilder(module_so).exports("je_malloc").exports("mallocx").exports("_Znwz")).empty());
  EXPECT_TRUE(of_allocators(ElfBuilder(module_so).exports("free", SymbolKind::Object)).empty());
  EXPECT_TRUE(of_allocators(ElfBuilder("foo/tool").exports("malloc")).empty());
  EXPECT_TRUE(of_allocators(ElfBuilder("foo/libc.so.6").soname("libc.so.6").exports("malloc")).empty());
}

}  // namespace
}  // namespace wheelcheck::test::allocator_exported_test
