#include "wheel/json_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wheelcheck::wheel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> reasons(const JsonReading& reading) {
  std::vector<std::string> result;
  for (const WheelFlaw& flaw : reading.flaws) result.push_back(flaw.reason);
  return result;
}
JsonReading variant(std::string_view text, std::string_view label = "x86_64_v3") {
  return read_variant(text, MemberIndex{0}, "foo-1.0.dist-info/variant.json", label);
}
JsonReading sbom(std::string_view text) { return read_sbom(text, MemberIndex{0}, "foo-1.0.dist-info/sboms/x.json"); }

std::string document(const std::string& namespaces, const std::string& variants) {
  return R"({"$schema": "https://example.org/v0.1.1.json", "default-priorities": {"namespace": )" + namespaces +
         R"(}, "variants": )" + variants + "}";
}
const std::string good = document(R"(["x86_64"])", R"({"x86_64_v3": {"x86_64": {"level": ["v3"]}}})");

TEST(Variant, OfTheSchemaHasNoFlaw) {
  EXPECT_THAT(reasons(variant(good)), IsEmpty());
  EXPECT_EQ(variant(good).variant_x86_level, 3U);
  EXPECT_THAT(reasons(variant(document(R"(["x86_64"])", R"({"null": {}})"), "null")), IsEmpty());
}

TEST(Variant, TheLowestLevelIsPromised) {
  EXPECT_EQ(variant(document(R"(["x86_64"])", R"({"a": {"x86_64": {"level": ["v4", "v2"]}}})"), "a").variant_x86_level,
            2U);
  EXPECT_EQ(variant(document(R"(["x86_64"])", R"({"a": {"x86_64": {"level": ["v9"]}}})"), "a").variant_x86_level, 1U);
}

TEST(Variant, ThatIsNotJson) {
  EXPECT_THAT(reasons(variant("{nope")), ElementsAre(HasSubstr("JSON")));
  EXPECT_THAT(reasons(variant("[]")), ElementsAre("is an array, not a JSON object"));
}

TEST(Variant, OfAnotherLabel) {
  EXPECT_THAT(reasons(variant(good, "x86_64_v4")),
              ElementsAre("lists the variant x86_64_v3, but the label of the file name is x86_64_v4"));
  EXPECT_EQ(variant(good, "x86_64_v4").variant_x86_level, 1U);
}

TEST(Variant, WithBadNamesOrLists) {
  for (const std::string& bad :
       {document("[]", R"({"a": {}})"), document(R"(["X86"])", R"({"a": {}})"),
        document(R"(["b", "b"])", R"({"a": {}})"), document(R"(["b"])", R"({"a": {}, "c": {}})"),
        document(R"(["b"])", R"({"a": {"c": {"f": ["1"]}}})"), document(R"(["b"])", R"({"a": {"b": {"f": []}}})"),
        document(R"(["b"])", R"({"a": {"b": {"f": ["V 1"]}}})"), document(R"(["b"])", "[]"),
        std::string(R"({"$schema": "x", "variants": {"a": {}}})"),
        std::string(R"({"default-priorities": {"namespace": ["b"]}, "variants": {"a": {}}})")})
    EXPECT_EQ(variant(bad, "a").flaws.size(), 1U) << bad;
}

TEST(Sbom, OfEachFormatHasNoFlaw) {
  EXPECT_THAT(reasons(sbom(R"({"bomFormat": "CycloneDX", "components": [{"name": "libpng"}]})")), IsEmpty());
  EXPECT_THAT(
      reasons(sbom(R"({"bomFormat": "CycloneDX", "metadata": {"component": {"name": "foo"}}, "components": []})")),
      IsEmpty());
  EXPECT_THAT(reasons(sbom(R"({"spdxVersion": "SPDX-2.3", "packages": [{"name": "libpng"}]})")), IsEmpty());
  EXPECT_THAT(reasons(sbom(R"({"@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld", "@graph": []})")),
              IsEmpty());
}

TEST(Sbom, ThatSaysNothing) {
  EXPECT_THAT(reasons(sbom("not json")), ElementsAre(HasSubstr("JSON")));
  EXPECT_THAT(reasons(sbom("{}")), ElementsAre("is neither CycloneDX nor SPDX"));
  EXPECT_THAT(reasons(sbom(R"({"bomFormat": "CycloneDX", "components": []})")), ElementsAre("lists no components"));
  EXPECT_THAT(reasons(sbom(R"({"spdxVersion": "SPDX-2.3"})")), ElementsAre("lists no packages"));
}

TEST(Sbom, GivesItsParts) {
  const auto cyclone = sbom(R"({"bomFormat": "CycloneDX", "metadata": {"tools": [{"name": "auditwheel"}]},
      "components": [{"name": "libpng", "purl": "pkg:rpm/almalinux/libpng@1.6", "components": [
          {"type": "file", "name": "/usr/lib64/libpng16.so.16"}, {"name": 5}]},
          {"name": "x", "evidence": {"occurrences": [{"location": "foo.libs/libx.so"}]}}]})");
  ASSERT_TRUE(cyclone.sbom);
  EXPECT_EQ(cyclone.sbom->tool, "auditwheel");
  ASSERT_EQ(cyclone.sbom->parts.size(), 4U);
  EXPECT_EQ(cyclone.sbom->parts[0].purl, "pkg:rpm/almalinux/libpng@1.6");
  EXPECT_TRUE(cyclone.sbom->parts[1].is_file);
  EXPECT_EQ(cyclone.sbom->parts[3].name, "foo.libs/libx.so");
  const auto spdx = sbom(R"({"spdxVersion": "SPDX-2.3", "creationInfo": {"creators": ["Tool: syft-1.0"]},
      "packages": [{"name": "zlib", "externalRefs": [{"referenceType": "purl", "referenceLocator": "pkg:a/b"}]}],
      "files": [{"fileName": "./libz.so"}]})");
  ASSERT_TRUE(spdx.sbom);
  EXPECT_EQ(spdx.sbom->tool, "syft-1.0");
  ASSERT_EQ(spdx.sbom->parts.size(), 2U);
  EXPECT_EQ(spdx.sbom->parts[0].purl, "pkg:a/b");
  EXPECT_TRUE(spdx.sbom->parts[1].is_file);
  EXPECT_FALSE(sbom("[]").sbom);
}

MemberFacts member(const char* path, std::uint64_t size = 10) {
  return {.path = *MemberPath::parse(path), .size = size};
}

TEST(CheckedFiles, AreSomeOfDistInfo) {
  const auto area = [](const char* path, std::uint64_t size = 10) -> std::optional<WheelArea> {
    const CheckedFiles files = checked_files(std::vector{member(path, size)}, "foo-1.0.dist-info");
    return files.read.empty() ? std::nullopt : std::optional(files.read.begin()->second);
  };
  EXPECT_EQ(area("foo-1.0.dist-info/variant.json"), WheelArea::Variant);
  EXPECT_EQ(area("foo-1.0.dist-info/sboms/a/x.json"), WheelArea::Sbom);
  EXPECT_EQ(area("foo-1.0.dist-info/entry_points.txt"), WheelArea::DistInfo);
  EXPECT_EQ(area("foo-1.0.dist-info/sboms/x.xml"), std::nullopt);
  EXPECT_EQ(area("foo/variant.json"), std::nullopt);
  EXPECT_EQ(area("foo-1.0.dist-info/variant.json", largest_json + 1), std::nullopt);
}

TEST(CheckedFiles, HaveLimitsOfOneAndOfAllBillsOfMaterials) {
  const std::vector members = {member("foo-1.0.dist-info/sboms/0.json", largest_json + 1),
                               member("foo-1.0.dist-info/sboms/1.json", largest_json),
                               member("foo-1.0.dist-info/sboms/2.json", largest_json),
                               member("foo-1.0.dist-info/sboms/3.json", largest_json),
                               member("foo-1.0.dist-info/sboms/4.json", largest_json),
                               member("foo-1.0.dist-info/sboms/5.json", 1),
                               member("foo-1.0.dist-info/sboms/6.xml", largest_json + 1),
                               member("foo-1.0.dist-info/variant.json", largest_json),
                               member("foo/sboms/7.json", largest_json + 1)};
  const CheckedFiles files = checked_files(members, "foo-1.0.dist-info");
  const auto members_of = [](const auto& list) {
    std::vector<std::uint32_t> out;
    for (const auto& [index, area] : list) out.push_back(index.value);
    return out;
  };
  EXPECT_THAT(members_of(files.too_long), ElementsAre(0, 5));
  EXPECT_THAT(members_of(files.read), ElementsAre(1, 2, 3, 4, 7));
}

TEST(Variant, FlawsAreListedUpToALimit) {
  std::string text = R"({"$schema": "x", "default-priorities": {"namespace": ["a"]}, "variants": {"x": {"B": 1)";
  for (int i = 0; i < 1000; ++i) text += ", \"B" + std::to_string(i) + "\": 1";
  const JsonReading reading = read_variant(text + "}}}", MemberIndex{0}, "foo-1.0.dist-info/variant.json", "x");
  EXPECT_EQ(reading.flaws.size(), 501U);
  EXPECT_THAT(reading.flaws.back().reason, HasSubstr("so many flaws"));
}

}  // namespace
}  // namespace wheelcheck::wheel
