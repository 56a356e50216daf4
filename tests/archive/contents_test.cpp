// Tests the contents of members: damaged, too long, too short, with trailing bytes. Each case runs with both inflaters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "archive/inflate.h"
#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

std::string noise(std::size_t size) {
  std::string out(size, '\0');
  std::uint32_t state = 7;
  for (char& c : out) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 27);
  return out;
}
// One is inflated as a whole, the other is streamed.
const std::string samples[] = {noise(5000), noise(whole_limit + 1)};

std::string with_packed(const std::string& data, const std::string& packed) {
  return make_zip({{.name = "p/a.py", .data = data, .packed = packed}, {.name = "p/b.py", .data = "y"}});
}
std::string with_size(const std::string& data, int more) {
  const auto change = [=](ZipHeader& h) { h.size = static_cast<std::uint32_t>(static_cast<int>(h.size) + more); };
  return make_zip({{.name = "p/a.py", .data = data, .local = change, .central = change}});
}

TEST(Bytes, OfTheWrongChecksumAreRefused) {
  for (const std::string& data : samples) {
    const auto change = [](ZipHeader& h) { h.crc32 ^= 1; };
    for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}})
      expect_refused(make_zip({{.name = "p/a.py", .data = data, .method = method, .local = change, .central = change}}),
                     "member p/a.py: its bytes have CRC-32");
  }
}

TEST(Bytes, OfTheWrongNumberAreRefused) {
  for (const std::string& data : samples) {
    expect_refused(with_size(data, 1),
                   fmt::format("member p/a.py: it inflates to {} bytes, not the {}", data.size(), data.size() + 1));
    expect_refused(with_size(data, -1), fmt::format("it inflates to more than the {} bytes", data.size() - 1));
    expect_refused(with_size(data, -static_cast<int>(data.size())), "it inflates to more than the 0 bytes");
  }
}

TEST(Stream, ThatIsDamagedIsRefused) {
  for (const std::string& data : samples) {
    std::string packed = test::deflate(data);
    packed[0] = '\x07';  // a final block of the reserved type
    expect_refused(with_packed(data, packed), "member p/a.py: its deflate stream is damaged");
  }
}

TEST(Stream, ThatEndsEarlyIsRefusedAtEveryLength) {
  const std::string small = noise(300), packed = test::deflate(small);
  for (std::size_t length = 0; length < packed.size(); ++length)
    EXPECT_TRUE(error_of(with_packed(small, packed.substr(0, length)))) << length;
  const std::string large = test::deflate(samples[1]);
  for (const std::size_t less : {1u, 2u, 3u, 100u, 300000u})
    expect_refused(with_packed(samples[1], large.substr(0, large.size() - less)), "its deflate stream ends too early");
}

TEST(Stream, ThatIsFollowedByBytesIsRefused) {
  for (const std::string& data : samples)
    for (const std::size_t more : {1u, 2u, 7u, 8u, 300000u})
      expect_refused(with_packed(data, test::deflate(data) + std::string(more, '\0')),
                     fmt::format("member p/a.py: {} bytes follow the end of its deflate stream", more));
}

TEST(Stream, ThatIsFollowedByAnotherIsRefused) {
  for (const std::string& data : samples)
    expect_refused(with_packed(data, test::deflate(data) + test::deflate("more")),
                   "bytes follow the end of its deflate stream");
}

TEST(Stream, ThatReachesBehindItsStartIsRefused) {
  // A fixed block: length 3, distance 1, at the start of the stream.
  expect_refused(make_zip({{.name = "a", .data = "aaa", .packed = std::string("\x03\x02\x00", 3)}}), "member a: ");
}

TEST(Bomb, IsInflatedNoFurtherThanItDeclares) {
  const std::string zeros(64 << 20, '\0');
  const std::string packed = test::deflate(zeros);
  expect_refused(with_packed(zeros.substr(0, 100), packed), "it inflates to more than the 100 bytes");
  expect_refused(with_packed(zeros.substr(0, 2 << 20), packed), "it inflates to more than the 2097152 bytes");
}

TEST(Flip, OfAnyBitIsNoticedOrHarmless) {
  const std::string zip =
      make_zip({{.name = "p/a.py", .data = "some text, some more text"}, {.name = "b", .data = "stored", .method = 0}});
  const auto contents = [](const std::string& bytes) -> std::vector<std::string> {
    const auto archive = open_bytes(bytes);
    if (!archive) return {};
    std::vector<std::string> out;
    for (const Entry& entry : archive->entries()) {
      const auto content = archive->read(entry, {.keep = Keep::Everything});
      if (!content) return {};
      out.push_back(entry.path.text() + ":" + std::string(text_of_buffer(content->bytes)));
    }
    return out;
  };
  const auto whole = contents(zip);
  ASSERT_EQ(whole.size(), 2u);
  for (std::size_t bit = 0; bit < zip.size() * 8; ++bit) {
    std::string flipped = zip;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    const auto seen = contents(flipped);
    EXPECT_TRUE(seen.empty() || seen == whole) << "bit " << bit;
  }
}

TEST(AFile, ThatBecomesShorterIsAnErrorNotASignal) {
  const test::TemporaryDirectory directory;
  const std::string path =
      test::write_file(directory.path("x.whl"), make_zip({{.name = "a", .data = samples[1], .method = 0}}));
  const auto archive = Archive::open(path, {});
  ASSERT_TRUE(archive);
  test::write_file(path, "short");
  const auto content = archive->read(archive->entries()[0], {.keep = Keep::Nothing});
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().message, "cannot be read: it became shorter meanwhile");
  EXPECT_EQ(content.error().code, ErrorCode::Io);
}

}  // namespace
}  // namespace wheelcheck::archive
