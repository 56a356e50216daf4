// Tests the comparison with libarchive: equal results for valid archives, and a message for differences.
#include <gtest/gtest.h>

#include "archive/file.h"
#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

// Opens `ours`, and lets libarchive read `theirs`.
std::string difference(std::string_view ours, std::string_view theirs) {
  const test::TemporaryDirectory directory;
  const auto archive = Archive::open(test::write_file(directory.path("x.whl"), ours), {});
  if (!archive) return archive.error().message;
  const auto other = File::open(test::write_file(directory.path("y.whl"), theirs));
  if (!other) return other.error().message;
  const auto same = SecondReader().compare(*archive, *other);
  return same ? "" : same.error().message;
}
std::string self_difference(std::string_view zip) { return difference(zip, zip); }

const std::string text(5000, 'a');

TEST(SecondReader, AgreesOnGoodArchives) {
  const auto utf8 = [](ZipHeader& h) { h.flags |= 1 << 11; };
  EXPECT_EQ(
      self_difference(make_zip(
          {{.name = "b", .data = text}, {.name = "d/"}, {.name = "d/e", .data = "x", .method = 0}, {.name = "a"}})),
      "");
  EXPECT_EQ(self_difference(make_zip({{.name = "a", .data = text, .zip64 = true}}, {.zip64 = true})), "");
  EXPECT_EQ(self_difference(make_zip({{.name = "a", .data = text, .descriptor = true}, {.name = "b", .data = "x"}})),
            "");
  EXPECT_EQ(self_difference(make_zip({{.name = "gr\u00fc\u00dfe", .data = text, .local = utf8, .central = utf8}})), "");
  EXPECT_EQ(self_difference(make_zip({{.name = "gru\u0308\u00dfe", .data = text, .local = utf8, .central = utf8}})),
            "");
  EXPECT_EQ(self_difference(make_zip({{.name = "link", .data = "target", .method = 0, .mode = 0120777}})), "");
  EXPECT_EQ(self_difference(make_zip({{.name = "pipe", .data = text, .mode = 0010644}})), "");
}

TEST(SecondReader, NamesTheMemberThatDiffers) {
  const std::string ours = make_zip({{.name = "a", .data = text}, {.name = "b", .data = "x"}});
  EXPECT_EQ(difference(ours, make_zip({{.name = "a", .data = text}, {.name = "c", .data = "x"}})),
            "member b: libarchive calls it c");
  EXPECT_EQ(difference(ours, make_zip({{.name = "a", .data = text}})), "member b: libarchive does not find it");
  EXPECT_EQ(
      difference(ours, make_zip({{.name = "a", .data = text}, {.name = "b", .data = "x"}, {.name = "c", .data = "x"}})),
      "libarchive finds one more member: c");
  EXPECT_EQ(difference(ours, make_zip({{.name = "a", .data = text}, {.name = "b", .data = "xy"}})),
            "member b: libarchive reads 2 bytes, not 1");
  EXPECT_NE(difference(ours, make_zip({{.name = "a", .data = text}, {.name = "b", .data = "y"}}))
                .find("member b: libarchive reads bytes with CRC-32"),
            std::string::npos);
  EXPECT_NE(difference(ours, "no archive").find("libarchive cannot open the archive"), std::string::npos);
}

}  // namespace
}  // namespace wheelcheck::archive
