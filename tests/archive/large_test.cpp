// Members that are too large to be held: kept in part, inflated again from the middle, hashed by a second thread.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "archive/inflate.h"
#include "base/hash.h"
#include "tests/archive/opened.h"

namespace wheelcheck::archive {
namespace {

constexpr std::uint64_t page = SparseBytes::page;

// An ELF file as far as this room knows one: larger than two distances between marks of a trail.
const std::string& large() {
  static const std::string bytes = [] {
    std::string out(std::size_t{40} << 20 | 1234, '\0');
    std::uint32_t state = 7;
    for (std::size_t i = 0; i < out.size(); i += 3)
      out[i] = static_cast<char>((state = state * 1664525 + 1013904223) >> (i / 4096 % 9 == 0 ? 24 : 30));
    out.replace(0, 4,
                "\x7f"
                "ELF");
    return out;
  }();
  return bytes;
}

// Keeps every hundredth page.
class Some final : public PageSelector {
 public:
  void start(SparseBytes& pages) override { pages_ = &pages; }
  void take(std::span<const std::byte> chunk) override {
    for (std::size_t at = 0; at < chunk.size(); at += page, ++number_)
      if (number_ % 100 == 0) pages_->keep(at_ + at, chunk.subspan(at, std::min<std::size_t>(page, chunk.size() - at)));
    at_ += chunk.size();
  }

 private:
  SparseBytes* pages_ = nullptr;
  std::uint64_t at_ = 0, number_ = 0;
};

TEST(LargeMember, IsFetchedAgainFromAnyPlace) {
  const auto all = std::as_bytes(std::span(large()));
  for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{8}}) {
    const auto archive = open_bytes(make_zip({{.name = "a.so", .data = large(), .method = method}}));
    ASSERT_TRUE(archive);
    Some some;
    auto content = archive->read(archive->entries()[0], {.keep = Keep::IfElf, .selector = &some});
    ASSERT_TRUE(content) << content.error().message;
    ASSERT_TRUE(content->pages);
    EXPECT_TRUE(content->bytes.empty());
    EXPECT_TRUE(content->elf);
    EXPECT_EQ(content->digest, sha256_hex(all));
    SparseBytes& pages = *content->pages;
    EXPECT_TRUE(pages.has(100 * page));
    EXPECT_FALSE(pages.has(101 * page));
    const std::uint64_t size = all.size();
    for (const auto& [begin, end] :
         std::vector<std::pair<std::uint64_t, std::uint64_t>>{{size - 1, size},
                                                              {0, 10},
                                                              {(16u << 20) - 1, (16u << 20) + 1},
                                                              {33u << 20, 34u << 20},
                                                              {size - 9000, size}}) {
      pages.need(begin, end);
      ASSERT_FALSE(pages.error()) << pages.error()->message;
      EXPECT_TRUE(std::ranges::equal(pages.bytes().subspan(begin, end - begin), all.subspan(begin, end - begin)))
          << begin << ' ' << end << ' ' << method;
    }
  }
}

TEST(LargeMember, ThatIsNoElfFileIsNotKept) {
  std::string text = large();
  text[0] = 'x';
  const auto archive = open_bytes(make_zip({{.name = "a.bin", .data = text}}));
  ASSERT_TRUE(archive);
  Some some;
  const auto content = archive->read(archive->entries()[0], {.keep = Keep::IfElf, .selector = &some});
  ASSERT_TRUE(content);
  EXPECT_FALSE(content->elf);
  EXPECT_FALSE(content->pages);
  EXPECT_EQ(content->digest, sha256_hex(std::as_bytes(std::span(text))));
}

TEST(LargeMember, IsHashedByAnIdleThreadWithTheSameResult) {
  const auto archive =
      open_bytes(make_zip({{.name = "a.so", .data = large()}, {.name = "b", .data = large(), .method = 0}}));
  ASSERT_TRUE(archive);
  const std::string wanted = sha256_hex(std::as_bytes(std::span(large())));
  std::atomic<int> taken = 0;
  class Counted final : public Helpers {
   public:
    Counted(Helpers& idle, std::atomic<int>& taken) : idle_(idle), taken_(taken) {}
    bool try_start(std::function<void()> work) override {
      // Waits for help where a reader would go on alone.
      for (int i = 0; i < 1000; ++i) {
        if (idle_.try_start(work)) return ++taken_ > 0;
        std::this_thread::yield();
      }
      return false;
    }

   private:
    Helpers& idle_;
    std::atomic<int>& taken_;
  };
  parallel_for(1, 2, [&](std::size_t, Helpers& idle) {
    Counted counted(idle, taken);
    for (const Entry& entry : archive->entries()) {
      const auto content = archive->read(entry, {.keep = Keep::Nothing, .idle = &counted});
      ASSERT_TRUE(content) << content.error().message;
      EXPECT_EQ(content->digest, wanted);
    }
  });
  EXPECT_GE(taken, 1);
}

TEST(WithoutHashes, OnlyTheStartOfWhatIsNoElfFileIsRead) {
  const std::string elf =
      "\x7f"
      "ELF" +
      std::string(500, 'e');
  std::string zip = make_zip({{.name = "damaged.txt", .data = std::string(5000, 't'), .method = 0},
                              {.name = "good.so", .data = elf},
                              {.name = "packed.txt", .data = std::string(5000, 't')},
                              {.name = "short",
                               .data = "\x7f"
                                       "EL"}});
  zip[zip.find("tttt") + 1000] = 'x';
  const auto archive = open_bytes(zip);
  ASSERT_TRUE(archive);
  const auto read = [&](std::size_t i) {
    return archive->read(archive->entries()[i], {.keep = Keep::IfElf, .hash = false});
  };
  const auto text = read(0);
  ASSERT_TRUE(text) << "its CRC-32 is wrong, and nobody looks";
  EXPECT_FALSE(text->elf);
  EXPECT_EQ(text->digest, "");
  const auto file = read(1);
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of_buffer(file->bytes), elf);
  EXPECT_EQ(file->digest, "");
  EXPECT_FALSE(read(2)->elf);
  EXPECT_FALSE(read(3)->elf);
}

TEST(AFile, ThatWasTouchedIsNoticed) {
  const test::TemporaryDirectory directory;
  const std::string path = test::write_file(directory.path("x.whl"), make_zip({{.name = "a", .data = "x"}}));
  const auto archive = Archive::open(path, {});
  ASSERT_TRUE(archive);
  EXPECT_TRUE(archive->unchanged());
  test::write_file(path, "short");
  EXPECT_FALSE(archive->unchanged());
}

}  // namespace
}  // namespace wheelcheck::archive
