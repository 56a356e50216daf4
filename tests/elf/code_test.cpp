// Code is forgotten before names are copied, and no fact comes from it.
#include "elf/code.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "elf/read.h"

namespace wheelcheck::elf {
namespace {

TEST(Code, NoFactOfARealProgramComesFromIt) {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(in), {}};
  const auto read = [&](const Forget& forget) { return read_elf(std::as_bytes(std::span(file)), {}, forget); };
  const ElfFacts whole = read({});
  std::uint64_t forgotten = 0;
  const ElfFacts rest = read([&](std::uint64_t begin, std::uint64_t end) {
    forgotten += end - begin;
    std::fill(file.data() + begin, file.data() + end, '\xcc');
  });
  EXPECT_GT(forgotten, file.size() / 50);
  ASSERT_TRUE(whole.dynamic && rest.dynamic);
  const auto names = [](const auto& symbols) {
    std::vector<std::string> out;
    for (const auto& symbol : symbols) out.emplace_back(symbol.name);
    return out;
  };
  EXPECT_FALSE(whole.dynamic->imports.empty());
  EXPECT_EQ(names(rest.dynamic->imports), names(whole.dynamic->imports));
  EXPECT_EQ(names(rest.dynamic->exports), names(whole.dynamic->exports));
  EXPECT_EQ(rest.dynamic->references.size(), whole.dynamic->references.size());
  EXPECT_EQ(rest.dynamic->needed, whole.dynamic->needed);
  EXPECT_EQ(rest.build_id, whole.build_id);
  EXPECT_EQ(rest.texts.versions, whole.texts.versions);
  EXPECT_EQ(rest.sections.comments, whole.sections.comments);
  EXPECT_EQ(rest.flaws.size(), whole.flaws.size());
}

// A file of one page of headers, one of data and one of code.
class Layout : public testing::Test {
 protected:
  static constexpr std::uint64_t page = 0x1000;
  std::optional<FileRange> code() const { return code_alone(std::span(file_), header_, segments_, sections_, table_); }

  std::vector<std::byte> file_ = std::vector<std::byte>(3 * page);
  Header header_{.bits = 64,
                 .header_entry_size = 56,
                 .header_count = 2,
                 .section_entry_size = 64,
                 .headers_offset = 64,
                 .sections_offset = 512};
  std::vector<Segment> segments_{
      {.type = PT_LOAD, .flags = PF_R, .offset = 0, .address = 0, .file_size = 2 * page, .memory_size = 2 * page},
      {.type = PT_LOAD,
       .flags = PF_R | PF_X,
       .offset = 2 * page,
       .address = 0x5000,
       .file_size = page,
       .memory_size = page}};
  std::vector<Section> sections_{
      {.name = ".rodata", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .address = page, .offset = page, .size = page},
      {.name = ".text",
       .type = SHT_PROGBITS,
       .flags = SHF_ALLOC | SHF_EXECINSTR,
       .address = 0x5000,
       .offset = 2 * page,
       .size = page}};
  DynamicTable table_;
};

TEST_F(Layout, CodeAloneIsFound) {
  ASSERT_TRUE(code());
  EXPECT_EQ(code()->begin, 2 * page);
  EXPECT_EQ(code()->end, 3 * page);
}

TEST_F(Layout, CodeThatSharesItsBytesStays) {
  const auto shared = [&](auto&& change) {
    const auto header = header_;
    const auto segments = segments_;
    const auto sections = sections_;
    const auto table = table_;
    change();
    const bool stays = !code();
    header_ = header, segments_ = segments, sections_ = sections, table_ = table;
    return stays;
  };
  EXPECT_TRUE(shared([&] { header_.headers_offset = 2 * page; }));
  EXPECT_TRUE(shared([&] { header_.sections_offset = 3 * page - 1; }));
  EXPECT_TRUE(shared([&] { sections_[0].size = page + 1; }));
  EXPECT_TRUE(shared([&] { segments_[0].file_size = 2 * page + 1; }));
  EXPECT_TRUE(shared([&] { segments_.push_back({.type = PT_NOTE, .offset = 3 * page - 8, .file_size = 8}); }));
  EXPECT_TRUE(shared([&] { segments_[1].address = 0x6000; })) << "the section says another address";
  EXPECT_TRUE(shared([&] { segments_.pop_back(); })) << "nothing maps it";
  EXPECT_TRUE(shared([&] { table_.last[DT_STRTAB] = 0x5fff; }));
  EXPECT_TRUE(shared([&] { sections_[1].size = page + 1; })) << "beyond the end of the file";
  EXPECT_TRUE(shared([&] { sections_.clear(); }));
  EXPECT_FALSE(shared([&] { table_.last[DT_STRTAB] = 0x6000; }));
  EXPECT_FALSE(shared([&] { sections_[0].type = SHT_NOBITS, sections_[0].size = 3 * page; }));
}

}  // namespace
}  // namespace wheelcheck::elf
