// Tests device code in host files: generated containers of both vendors, valid, damaged and malicious.
#include <gmock/gmock.h>

#include "tests/elf/support.h"

namespace wheelcheck::elf {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string number(std::uint64_t value, int bytes) { return test::encoded({}, value, bytes); }

struct Entry {
  unsigned kind, sm;
  std::uint64_t flags = 0x11;
  std::size_t payload = 16, header = 64;
  std::uint64_t unpacked = 0;
};
std::string entry(const Entry& e) {
  std::string out = number(e.kind, 2) + number(0x101, 2) + number(e.header, 4) + number(e.payload, 8);
  out += number(e.payload, 4) + number(0, 4) + number(7, 2) + number(1, 2) + number(e.sm, 4) + number(0, 8);
  out += number(e.flags, 8) + number(0, 8) + number(e.unpacked, 8);
  out.resize(e.header, '\0');
  return out + std::string(e.payload, 'x');
}
std::string container(const std::vector<Entry>& entries) {
  std::string body;
  for (const Entry& e : entries) body += entry(e);
  return number(0xBA55ED50, 4) + number(1, 2) + number(16, 2) + number(body.size(), 8) + body;
}
std::string bundle(const std::vector<std::pair<std::string, std::uint64_t>>& entries) {
  std::string out = "__CLANG_OFFLOAD_BUNDLE__" + number(entries.size(), 8);
  std::uint64_t offset = 256;
  for (const auto& [id, size] : entries) {
    out += number(offset, 8) + number(size, 8) + number(id.size(), 8) + id;
    offset += size;
  }
  out.resize(offset, 'c');
  return out;
}

std::string told(const DeviceCode& code) {
  static constexpr const char* kinds[] = {"cubin", "ptx", "amd", "other"};
  std::string out;
  for (const DeviceImage& image : code.images)
    out += std::string(kinds[static_cast<int>(image.kind)]) + ' ' + image.target + ' ' + std::to_string(image.count) +
           ' ' + std::to_string(image.bytes) +
           (image.unpacked == image.bytes ? "" : " of " + std::to_string(image.unpacked)) + '\n';
  return out;
}
ElfRecipe with(const std::string& section, std::string bytes) {
  ElfRecipe recipe = rich_recipe();
  recipe.sections = {{.name = section, .bytes = std::move(bytes)}};
  return recipe;
}
std::string told_of(const std::string& section, std::string bytes) {
  return told(facts_of(with(section, std::move(bytes))).device);
}

TEST(Nvidia, TellsKindArchitectureAndItsSuffix) {
  EXPECT_EQ(
      told_of(".nv_fatbin", container({{.kind = 2, .sm = 100, .flags = 0x1200011, .header = 120},
                                       {.kind = 2, .sm = 90, .flags = 0x108011, .payload = 24, .unpacked = 100},
                                       {.kind = 2, .sm = 90},
                                       {.kind = 1, .sm = 90, .flags = 0x2011, .header = 80, .unpacked = 50},
                                       {.kind = 64, .sm = 90}})),
      "cubin sm_90 1 16\ncubin sm_90a 1 24 of 100\ncubin sm_100f 1 16\nptx compute_90 1 16 of 50\nother sm_90 1 16\n");
}

TEST(Nvidia, DoesNotTrustTheSizeAfterDecompression) {
  EXPECT_EQ(told_of(".nv_fatbin", container({{.kind = 2, .sm = 90, .flags = 0x2011, .unpacked = ~std::uint64_t{0}},
                                             {.kind = 2, .sm = 80, .unpacked = 99}})),
            "cubin sm_80 1 16\ncubin sm_90 1 16 of 4294967296\n");
}

TEST(Nvidia, AddsUpContainersWithGapsBetweenThem) {
  const std::string one = container({{.kind = 2, .sm = 80}, {.kind = 1, .sm = 80}});
  const ElfFacts facts = facts_of(with("__nv_relfatbin", one + std::string(24, '\0') + one + one));
  EXPECT_EQ(told(facts.device), "cubin sm_80 3 48\nptx compute_80 3 48\n");
  EXPECT_EQ(facts.device.bytes, one.size() * 3 + 24);
}

TEST(Nvidia, ReadsNoFurtherThanItsContainer) {
  std::string cut = container({{.kind = 2, .sm = 80}, {.kind = 2, .sm = 90}});
  cut.resize(cut.size() - 8);
  EXPECT_EQ(told_of(".nv_fatbin", cut), "") << "the container says that it is larger";
  std::string long_payload = container({{.kind = 2, .sm = 80}, {.kind = 2, .sm = 90}});
  long_payload.replace(16 + 80 + 8, 8, number(~std::uint64_t{0}, 8));
  EXPECT_EQ(told_of(".nv_fatbin", long_payload + container({{.kind = 2, .sm = 70}})),
            "cubin sm_70 1 16\ncubin sm_80 1 16\n")
      << "and goes on behind the entry that lies";
  std::string no_header = container({{.kind = 2, .sm = 80}});
  no_header.replace(16 + 4, 4, number(0, 4));
  EXPECT_EQ(told_of(".nv_fatbin", no_header), "");
}

TEST(Nvidia, IsFoundWithoutSectionHeaders) {
  ElfRecipe recipe = with(".nv_fatbin", container({{.kind = 2, .sm = 80}}));
  recipe.strip_sections = true;
  const ElfFacts facts = facts_of(recipe);
  EXPECT_EQ(told(facts.device), "cubin sm_80 1 16\n");
  EXPECT_EQ(facts.device.bytes, 96U);
}

TEST(Nvidia, KeepsABoundedNumberOfTargets) {
  std::string many;
  for (unsigned i = 0; i < 3000; ++i) many += container({{.kind = 2, .sm = i, .payload = 0}});
  EXPECT_EQ(facts_of(with(".nv_fatbin", many)).device.images.size(), 1000U);
}

TEST(Amd, TellsTheTargetsOfABundle) {
  EXPECT_EQ(told_of(".hip_fatbin", bundle({{"host-x86_64-unknown-linux--", 0},
                                           {"hipv4-amdgcn-amd-amdhsa--gfx1030", 64},
                                           {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", 32}}) +
                                       std::string(100, '\0') + bundle({{"hip-amdgcn-amd-amdhsa--gfx1030", 8}})),
            "amd gfx90a:xnack- 1 32\namd gfx1030 2 72\n");
}

TEST(Amd, SaysWhereABundleIsCompressed) {
  const std::string packed =
      "CCOB" + number(3, 2) + number(1, 2) + number(40, 8) + number(90, 8) + std::string(16, 'z');
  EXPECT_EQ(told_of(".hip_fatbin", packed + packed), "amd compressed 2 80 of 180\n");
  EXPECT_EQ(told_of(".hip_fatbin", packed.substr(0, 30)), "");
}

TEST(Amd, DoesNotTrustCountsAndSizes) {
  std::string many = bundle({{"hip-amdgcn-amd-amdhsa--gfx1030", 8}});
  many.replace(24, 8, number(~std::uint64_t{0}, 8));
  EXPECT_EQ(told_of(".hip_fatbin", many), "amd gfx1030 1 8\n");
  std::string far = bundle({{"hip-amdgcn-amd-amdhsa--gfx1030", 8}});
  far.replace(32, 8, number(~std::uint64_t{0}, 8));
  EXPECT_EQ(told_of(".hip_fatbin", far), "");
  EXPECT_EQ(told_of(".hip_fatbin", "__CLANG_OFFLOAD_BUNDLE__"), "");
}

TEST(Device, IsNotSeenInOtherData) {
  const ElfFacts facts = facts_of(with(".rodata", container({{.kind = 2, .sm = 80}})));
  EXPECT_THAT(facts.device.images, IsEmpty());
  EXPECT_EQ(facts.device.bytes, 0U);
}

}  // namespace
}  // namespace wheelcheck::elf
