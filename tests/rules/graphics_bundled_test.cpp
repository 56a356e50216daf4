#include "model/graphics_stack.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::graphics_bundled_test {
namespace {

std::vector<Finding> findings(const std::string& copy, const std::string& other = "foo/data.txt", bool needed = true) {
  WheelBuilder builder(wheel_2_17);
  ElfBuilder module(module_so);
  if (needed) module.needed(copy.substr(copy.rfind('/') + 1));
  builder.elf(module).elf(ElfBuilder(copy)).member(other);
  Scene scene(builder);
  if (needed) {
    NeededFound& found = scene.needed(module_so, copy.substr(copy.rfind('/') + 1));
    for (std::uint32_t i = 0; i < scene.wheel.elfs.size(); ++i)
      if (scene.wheel.members[scene.wheel.elfs[i].member.value].path.text() == copy)
        found.provider = ElfRef{WheelIndex{0}, ElfIndex{i}};
  }
  return scene.run("graphics-bundled");
}

TEST(GraphicsLibrary, IsKnownByItsSonameAndByThatOfACopy) {
  EXPECT_EQ(graphics_library("libgbm-d69d73a7.so.1.0.0"), "libgbm.so.1");
  EXPECT_EQ(graphics_library("libGLX-404aa684.so.0.0.0"), "libGLX.so.0");
  EXPECT_EQ(graphics_library("libva.so.2"), "libva.so.2");
  for (const char* const other : {"libEGL.so", "libEGL.so.11", "libGL.so.1", "libgbm.so", "libvapoursynth.so.2"})
    EXPECT_EQ(graphics_library(other), "") << other;
}

// slint 1.17.1b2, pywlroots 0.16.7, materialx 1.38.9
TEST(GraphicsBundled, FiresForACopyThatAFileLoads) {
  const auto found = findings("foo.libs/libgbm-c0e634db.so.1");
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::HasSubstr("is a copy of libgbm.so.1"));
  EXPECT_THAT(found[0].fix, testing::HasSubstr("--exclude libgbm.so.1"));
  EXPECT_EQ(evidence(found[0], "needed by"), module_so);
}

// jobshop 0.0.0: the import crashes on Debian 12. celbm_dev 0.1.0 has libGL.so.1 first, and its import works.
TEST(GraphicsBundled, IsAnErrorIfTheLibraryOfTheSystemCallsTheCopy) {
  const auto of = [](const std::vector<std::string>& needed, const std::string& soname = "libGLdispatch-6.so.0") {
    ElfBuilder module(module_so);
    for (const std::string& library : needed) module.needed(library);
    WheelBuilder builder(wheel_2_17);
    builder.elf(module)
        .elf(ElfBuilder("foo.libs/libGLX-64b28464.so.0").soname("libGLX-64b28464.so.0").needed(soname))
        .elf(ElfBuilder("foo.libs/libGLdispatch-64b28464.so.0").soname(soname));
    std::vector<Finding> found = Scene(builder).run("graphics-bundled");
    EXPECT_EQ(found.size(), 2U);
    for (const Finding& one : found) EXPECT_THAT(one.fix, testing::HasSubstr("OpenGL_GL_PREFERENCE=LEGACY"));
    return std::max(found[0].severity, found[1].severity);
  };
  EXPECT_EQ(of({"libGLX-64b28464.so.0", "libm.so.6", "libGL.so.1"}), Severity::Error);
  EXPECT_EQ(of({"libGL.so.1", "libGLX-64b28464.so.0"}), Severity::Warning);
  EXPECT_EQ(of({"libGLX-64b28464.so.0"}), Severity::Warning);
  EXPECT_EQ(of({"libGLX-64b28464.so.0", "libGL.so.1"}, "libGLdispatch.so.0"), Severity::Warning);
}

// bgfx-python 2.0.1: the file requires libGL.so.1 alone, whose copy brought the other.
TEST(GraphicsBundled, NamesTheLibraryThatBroughtTheCopy) {
  const auto found = findings("foo.libs/libGLX-0951e0bc.so.0.0.0", "foo.libs/libGL-6b9b7433.so.1.7.0");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].fix, "auditwheel repair --exclude libGL.so.1 WHEEL");
}

TEST(GraphicsBundled, IsSilentWithADriverOrWithoutAUser) {
  EXPECT_TRUE(findings("foo.libs/libgbm-c0e634db.so.1", "foo/swrast_dri.so").empty());
  EXPECT_TRUE(findings("foo.libs/libgbm-c0e634db.so.1", "foo/data.txt", false).empty());
  EXPECT_TRUE(findings("foo/libEGL.so").empty());
}

}  // namespace
}  // namespace wheelcheck::test::graphics_bundled_test
