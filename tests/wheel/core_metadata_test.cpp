#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/requirement.h"
#include "wheel/metadata.h"
#include "wheel/spdx.h"

namespace wheelcheck::wheel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> problems(const std::string& version, const std::string& rest) {
  return core_metadata_problems(
      parse_headers("Metadata-Version: " + version + "\nName: foo\nVersion: 1\n" + rest + "\n"));
}

TEST(CoreMetadata, FieldsNeedTheirVersion) {
  EXPECT_THAT(problems("2.3", "License-Expression: MIT"),
              ElementsAre("License-Expression requires Metadata-Version 2.4, the file says 2.3"));
  EXPECT_THAT(problems("2.1", "Dynamic: Summary"),
              ElementsAre("Dynamic requires Metadata-Version 2.2, the file says 2.1"));
  EXPECT_THAT(problems("2.4", "Import-Name: foo"),
              ElementsAre("Import-Name requires Metadata-Version 2.5, the file says 2.4"));
  EXPECT_THAT(problems("2.5", "Import-Name: foo.bar ; private"), IsEmpty());
  EXPECT_TRUE(is_metadata_version("2.6"));
  EXPECT_FALSE(is_metadata_version("2.7"));
  EXPECT_THAT(problems("2.1", "License-File: LICENSE\nProvides-Extra: test"), IsEmpty()) << "setuptools wrote it so";
}

TEST(CoreMetadata, ValuesAreChecked) {
  for (const auto& [good, bad] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Summary: one line", "Summary: one\n two"},
           {"Description-Content-Type: text/markdown; charset=UTF-8; variant=GFM",
            "Description-Content-Type: text/html"},
           {"Description-Content-Type: text/x-rst", "Description-Content-Type: text/markdown; variant=Pandoc"},
           {"Provides-Extra: all-extras", "Provides-Extra: all extras"},
           {"Dynamic: Description", "Dynamic: Version"},
           {"License-Expression: MIT", "License-Expression: Apache 2"},
           {"License-File: licences/MIT.txt", "License-File: ../LICENSE"},
           {"Requires-Python: >=3.8,<4", "Requires-Python: >=3.8.x"},
           {"Requires-Dist: foo>=1", "Requires-Dist: foo >>1"}}) {
    EXPECT_THAT(problems("2.4", good), IsEmpty()) << good;
    EXPECT_EQ(problems("2.4", bad).size(), 1U) << bad;
  }
}

TEST(CoreMetadata, EachKindOfMistakeIsReportedOnce) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "Requires-Dist: >>\n";
  EXPECT_EQ(problems("2.1", many).size(), 1U);
}

TEST(Requirement, FollowsPep508) {
  for (const char* const good :
       {"foo", "foo[bar, baz]>=1.0,!=1.2.*", "foo (>=1.0)", "foo ~= 1.4.2 ; python_version < '3.12'", "foo==1.0+local",
        "foo @ https://example.org/foo-1.0.zip ; os_name == 'posix'", "foo>=1.0,", "Foo.Bar_baz-1 === any_text",
        "foo; extra == 'x' and (sys_platform != 'win32' or python_version >= '3')"})
    EXPECT_EQ(requirement_problem(good), "") << good;
  for (const char* const bad : {"", ">=1.0", "foo >>1", "foo>=1.x", "foo[", "foo[a b]", "foo ~= 1", "foo >=1.0+local",
                                "foo; nonsense == '1'", "foo; python_version", "foo @", "foo>=1 bar"})
    EXPECT_NE(requirement_problem(bad), "") << bad;
}

TEST(LicenseExpression, FollowsSpdx) {
  for (const char* const good :
       {"MIT", "mit", "Apache-2.0 OR MIT", "(MIT AND BSD-3-Clause) or Apache-2.0", "GPL-2.0-or-later",
        "Apache-2.0 WITH LLVM-exception", "LicenseRef-Proprietary", "GPL-2.0+"})
    EXPECT_EQ(license_expression_problem(good), "") << good;
  for (const char* const bad : {"", "Apache 2", "MIT OR", "(MIT", "MIT)", "MIT MIT", "BSD", "MIT WITH MIT", "OR MIT",
                                "(MIT) WITH LLVM-exception", "LicenseRef-a/b", "()"})
    EXPECT_NE(license_expression_problem(bad), "") << bad;
  EXPECT_NE(license_expression_problem(std::string(100'000, '(')), "");
}

}  // namespace
}  // namespace wheelcheck::wheel
