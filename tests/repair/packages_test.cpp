// Package URLs against the `build` tests of the package-url specification (tests/types/{deb,rpm,apk}-test.json).
#include "repair/packages.h"

#include <gtest/gtest.h>

namespace wheelcheck::test::packages_test {
namespace {

using repair::SystemPackage;

TEST(Packages, HaveThePurlsOfTheSpecification) {
  const struct {
    SystemPackage package;
    const char* purl;
  } rows[] = {
      {{"deb", "debian", "jessie", "curl", "7.50.3-1", "i386"}, "pkg:deb/debian/curl@7.50.3-1?arch=i386&distro=jessie"},
      {{"deb", "debian", "stretch", "dpkg", "1.19.0.4", "amd64"},
       "pkg:deb/debian/dpkg@1.19.0.4?arch=amd64&distro=stretch"},
      {{"deb", "ubuntu", "", "dpkg", "1.19.0.4", "amd64"}, "pkg:deb/ubuntu/dpkg@1.19.0.4?arch=amd64"},
      {{"deb", "debian", "", "attr", "1:2.4.47-2", "source"}, "pkg:deb/debian/attr@1:2.4.47-2?arch=source"},
      {{"deb", "debian", "", "attr", "1:2.4.47-2+b1", "amd64"}, "pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64"},
      {{"rpm", "fedora", "fedora-25", "curl", "7.50.3-1.fc25", "i386"},
       "pkg:rpm/fedora/curl@7.50.3-1.fc25?arch=i386&distro=fedora-25"},
      {{"rpm", "", "fedora-25", "centerim", "4.22.10-1.el6", "i686", "1"},
       "pkg:rpm/centerim@4.22.10-1.el6?arch=i686&distro=fedora-25&epoch=1"},
      {{"apk", "alpine", "", "curl", "7.83.0-r0", "x86"}, "pkg:apk/alpine/curl@7.83.0-r0?arch=x86"},
      {{"apk", "alpine", "", "apk", "2.12.9-r3", "x86"}, "pkg:apk/alpine/apk@2.12.9-r3?arch=x86"},
  };
  for (const auto& [package, purl] : rows) EXPECT_EQ(package.purl(), purl);
}

}  // namespace
}  // namespace wheelcheck::test::packages_test
