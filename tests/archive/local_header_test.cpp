// Tests that both headers of each member agree, and that members do not overlap.
#include <gtest/gtest.h>

#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

const std::string text(5000, 'a');
std::string local(const std::function<void(ZipHeader&)>& change) {
  return make_zip({{.name = "p/a", .data = text, .local = change}});
}

TEST(LocalHeader, MustSayWhatTheDirectorySays) {
  expect_refused(local([](ZipHeader& h) { h.name = "p/b"; }), "member p/a: its local header calls it p/b");
  expect_refused(local([](ZipHeader& h) { h.name = "p/ab"; }), "its local header calls it p/ab");
  expect_refused(local([](ZipHeader& h) { ++h.size; }),
                 "member p/a: size 5001 in its local header, 5000 in the central directory");
  expect_refused(local([](ZipHeader& h) { --h.packed_size; }), "member p/a: packed size");
  expect_refused(local([](ZipHeader& h) { h.crc32 = 0; }), "member p/a: CRC-32 00000000 in its local header");
  expect_refused(local([](ZipHeader& h) { h.method = 0; }),
                 "member p/a: method 0 in its local header, 8 in the central directory");
  expect_refused(local([](ZipHeader& h) { h.flags = 1 << 11; }),
                 "member p/a: flags 0x0800 in its local header, 0x0000");
  expect_refused(local([](ZipHeader& h) { h.flags = 1 << 3; }), "member p/a: flags 0x0008");
  expect_refused(local([](ZipHeader& h) { h.signature = 0x04034b51; }), "points to 0, where no local header is");
}

TEST(LocalZip64, MustAgreeToo) {
  const auto with = [](const std::function<void(ZipHeader&)>& change) {
    return make_zip({{.name = "a", .data = text, .zip64 = true, .local = change}});
  };
  const std::string packed = test::u64(test::deflate(text).size());
  expect_refused(with([](ZipHeader& h) { h.extra.clear(); }), "its local header lacks its ZIP64 extra field");
  expect_refused(local([](ZipHeader& h) { h.size = 0xFFFFFFFF; }), "its local header lacks its ZIP64 extra field");
  expect_refused(with([&](ZipHeader& h) { h.extra = test::extra_field(1, test::u64(4999) + packed); }),
                 "size 4999 in the ZIP64 extra field of its local header, 5000");
  expect_refused(with([&](ZipHeader& h) { h.extra = test::extra_field(1, test::u64(5000) + test::u64(1)); }),
                 "packed size 1 in the ZIP64 extra field of its local header");
  expect_refused(local([](ZipHeader& h) { h.extra = test::extra_field(1, test::u64(5000)); }), "has 8 bytes, not 16");
  expect_refused(
      with([&](ZipHeader& h) { h.extra = test::extra_field(1, test::u64(5000)) + test::extra_field(0x5455, "1234"); }),
      "has 8 bytes, not 16");
  expect_refused(with([&](ZipHeader& h) { h.size = 4999; }), "size 4999 in its local header");
}

TEST(Place, IsOneForEachMember) {
  const ZipMember a = {.name = "a", .data = "x", .method = 0}, b = {.name = "b", .data = "y"};
  const auto at = [](ZipMember m, std::uint32_t offset) {
    m.central = [=](ZipHeader& h) { h.offset = offset; };
    return m;
  };
  // Two names for the same bytes.
  expect_refused(make_zip({a, at(b, 0)}), "member a: the central directory lists the same bytes again as b");
  expect_refused(make_zip({a, at(b, 10)}), "overlap");
  expect_refused(make_zip({a, at(b, 5000)}),
                 "member b: the central directory points to 5000, which is not before itself");
  expect_refused(make_zip({a, at(b, 33)}), "member a: 1 bytes behind it belong to no member");
  expect_refused(make_zip({at(a, 0xFFFFFFFE)}), "points to 4294967294");
}

TEST(GhostFile, ThatOnlyStreamingReadersSeeIsRefused) {
  expect_refused(make_zip({{.name = "a", .data = "x"}, {.name = "ghost", .data = "y", .listed = false}}),
                 "member a: behind it is a file that the central directory does not list");
  expect_refused(make_zip({{.name = "ghost", .data = "y", .listed = false}, {.name = "a", .data = "x"}}),
                 "are before the first member, a");
}

TEST(Overlap, OfQuotedMembersIsRefused) {
  // D. Fifield's quoting: the data of the first member contains the header of the second.
  const std::string inner = make_zip({{.name = "b", .data = "y"}});
  const std::string inner_local = inner.substr(0, 32);
  const std::string zip = make_zip({{.name = "a", .data = inner_local, .method = 0},
                                    {.name = "b", .data = "y", .central = [](ZipHeader& h) { h.offset = 31; }}});
  expect_refused(zip, "member a: its 32 packed bytes at 31 overlap what follows at 31");
}

TEST(Descriptor, MustBeThereAndAgree) {
  const auto with = [](const std::string& bytes) {
    return make_zip(
        {{.name = "a", .data = text, .descriptor = true, .descriptor_bytes = bytes}, {.name = "b", .data = "y"}});
  };
  const std::uint32_t crc = test::crc32_of(text), packed = static_cast<std::uint32_t>(test::deflate(text).size());
  expect_accepted(with(test::u32(crc) + test::u32(packed) + test::u32(5000)));
  expect_refused(with(""), "no data descriptor of 12 or 16 bytes behind its data, but 0 bytes");
  expect_refused(with(test::u32(crc)), "but 4 bytes");
  expect_refused(with("XXXX" + test::u32(crc) + test::u32(packed) + test::u32(5000)), "no data descriptor");
  expect_refused(with(test::u32(0x08074b50) + test::u32(crc) + test::u64(packed) + test::u64(5000)), "but 24 bytes");
  expect_refused(with(std::string(1000, 'x')), "no data descriptor");
  expect_refused(with(test::u32(crc + 1) + test::u32(packed) + test::u32(5000)), "in its data descriptor, ");
  expect_refused(with(test::u32(crc) + test::u32(packed + 1) + test::u32(5000)), "packed size");
  expect_refused(with(test::u32(crc) + test::u32(packed) + test::u32(5001)), "size 5001 in its data descriptor");
}

TEST(Descriptor, IsRefusedOnAStoredMemberAndWithoutItsFlag) {
  expect_refused(make_zip({{.name = "a", .data = text, .method = 0, .descriptor = true}}),
                 "member a: it is stored, and its size is written only behind its bytes");
  const std::string bytes = test::u32(0x08074b50) + test::u32(test::crc32_of(text)) +
                            test::u32(static_cast<std::uint32_t>(test::deflate(text).size())) + test::u32(5000);
  expect_refused(make_zip({{.name = "a", .data = text, .descriptor_bytes = bytes}}),
                 "16 bytes behind it belong to no member");
}

TEST(Descriptor, LeavesRoomForTheRightValuesInTheLocalHeaderOnly) {
  expect_accepted(
      make_zip({{.name = "a", .data = text, .descriptor = true, .local = [](ZipHeader& h) { h.size = 5000; }}}));
  expect_refused(make_zip({{.name = "a", .data = text, .descriptor = true, .local = [](ZipHeader& h) { h.size = 1; }}}),
                 "size 1 in its local header, 5000");
  expect_refused(
      make_zip({{.name = "a", .data = text, .descriptor = true, .local = [](ZipHeader& h) { h.crc32 = 1; }}}),
      "CRC-32 00000001 in its local header");
}

}  // namespace
}  // namespace wheelcheck::archive
