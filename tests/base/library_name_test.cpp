#include "model/library_name.h"

#include <gtest/gtest.h>

namespace wheelcheck::test::library_name_test {
namespace {

TEST(PlainLibraryName, TakesTheHashOut) {
  EXPECT_EQ(plain_library_name("libssl-1a2b3c4d.so.1.1"), "libssl.so.1.1");
  EXPECT_EQ(plain_library_name("libjpeg.d33e0c76.so.8"), "libjpeg.so.8");
  EXPECT_EQ(plain_library_name("libgfortran-040039e1-0352e75f.so.5.0.0"), "libgfortran.so.5.0.0");
  EXPECT_EQ(plain_library_name("libopenblas64_p-r0-0cf96a72.3.23.dev.so"), "libopenblas64_p-r0.3.23.dev.so");
  EXPECT_EQ(plain_library_name("libfoo-bar-0cf96a72"), "libfoo-bar");
}

TEST(PlainLibraryName, LeavesOtherNumbers) {
  for (const char* name :
       {"libz.so.1", "libfoo.so.20250127", "libthrift-0.13.0.so", "libLLVM-15.so", "libz-ng.so.2", "libx-1a2b3c4.so",
        "libx-1a2b3c4d5.so", "libx-1A2B3C4D.so", "-1a2b3c4d.so", "libx.1a2b3c4d", "", "-", "libx-"})
    EXPECT_EQ(plain_library_name(name), name);
}

}  // namespace
}  // namespace wheelcheck::test::library_name_test
