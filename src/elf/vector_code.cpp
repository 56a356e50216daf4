// A file that contains AVX instructions and nothing that could test the processor: no CPUID or XGETBV, no import or
// export whose name says that it is about processors, no indirect function.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_scan.h"
#include "base/text.h"
#include "elf/code.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint64_t least_count = 32, max_sections = 64;
constexpr std::uint64_t max_instructions = 4'000'000;

// Whether an instruction begins there: decoding from most of the bytes before it on comes to it, because x86 code
// synchronizes itself after a few instructions. Other bytes have those of CPUID by chance.
bool begins_instruction(std::span<const std::byte> bytes, std::size_t at) {
  constexpr std::size_t farthest = 48, nearest = 24;
  if (at < farthest) return true;
  std::size_t arrived = 0;
  code::Reader reader(code::Machine::X86);
  for (std::size_t start = at - farthest; start < at - nearest; ++start) {
    std::size_t here = start;
    while (here < at) {
      const auto one = reader.read(bytes.subspan(here), here);
      here += one ? one->length : 1;
    }
    arrived += here == at;
  }
  return arrived * 3 >= farthest - nearest;
}

std::string_view text_of(std::span<const std::byte> code) {
  return {reinterpret_cast<const char*>(code.data()), code.size()};
}

// Counts pairs of bytes that could begin an instruction of AVX: C5 F8 to C5 FF (two bytes of VEX, no further register),
// 62 F1 or 62 F2 (EVEX). Of a large section, a part is searched, because all files pass here.
class PairCount {
 public:
  void section(std::span<const std::byte> code) {
    constexpr std::size_t part = 4096, step = 8 * part;
    const auto matches = [](const auto& c, const auto& d, auto& marks) {
      marks = ((c == 0xC5) & (d >= 0xF8)) | ((c == 0x62) & ((d == 0xF1) | (d == 0xF2)));
    };
    for (std::size_t at = 0; at < code.size(); at += code.size() > 2 * step ? step : part) {
      const std::size_t end = std::min(at + part, code.size());
      any_pair(text_of(code), at, end, matches, [&](std::size_t) { return ++found_, false; });
      searched_ += end - at;
    }
  }
  // Other code has such a pair about every 6,000 bytes.
  bool is_frequent() const { return found_ >= 8 && found_ >= searched_ / 1024; }

 private:
  std::uint64_t found_ = 0, searched_ = 0;
};

// Whether CPUID (0F A2) or XGETBV (0F 01 D0) is in the code; true if many more places have their bytes than by chance.
bool has_test(std::span<const std::byte> code) {
  const std::size_t max_candidates = 64 + code.size() / 4096;
  std::size_t candidates = 0;
  const auto matches = [](const auto& c, const auto& d, auto& marks) {
    marks = (c == 0x0F) & ((d == 0xA2) | (d == 0x01));
  };
  const auto byte = [&](std::size_t at) { return at < code.size() ? static_cast<std::uint8_t>(code[at]) : 0; };
  return any_pair(text_of(code), 0, code.size(), matches, [&](std::size_t at) {
    if (byte(at + 1) != 0xA2 && byte(at + 2) != 0xD0) return false;
    return ++candidates > max_candidates || begins_instruction(code, at);
  });
}

// The level of an instruction that only code for newer processors contains: what is encoded as VEX or EVEX, without
// BMI.
std::uint32_t vector_level(const std::optional<code::Instruction>& one) {
  using code::Feature;
  if (!one || one->feature == Feature::Bmi || one->feature == Feature::Bmi2) return 0;
  const std::uint32_t level = code::x86_level(one->feature);
  return level == 3 && (one->feature > Feature::Fma) ? 0 : level < 3 ? 0 : level;
}

class Sweep {
 public:
  // Bytes that are no instruction are skipped.
  void section(std::uint64_t address, std::span<const std::byte> bytes) {
    code::Reader reader(code::Machine::X86);
    for (std::size_t at = 0; at < bytes.size() && ++steps_ < max_instructions;) {
      const auto one = reader.read(bytes.subspan(at), address + at);
      if (const std::uint32_t level = vector_level(one); level != 0) {
        if (found_.count++ == 0) found_.address = address + at;
        found_.x86_level = std::max(found_.x86_level, level);
      }
      at += one ? one->length : 1;
    }
  }
  std::optional<VectorCode> take() {
    return found_.count < least_count ? std::nullopt : std::optional(std::move(found_));
  }

 private:
  VectorCode found_;
  std::uint64_t steps_ = 0;
};

using CodeSections = std::vector<std::pair<std::uint64_t, std::span<const std::byte>>>;

// With their addresses. nullopt: there are too many, or they are not as a linker makes them.
std::optional<CodeSections> code_sections(const File& file, std::span<const Section> sections) {
  using namespace llvm::ELF;
  CodeSections codes;
  std::uint64_t left = file.size();  // sections lie beside each other
  for (const Section& section : sections) {
    if (section.type != SHT_PROGBITS || (section.flags & SHF_EXECINSTR) == 0) continue;
    if (section.name.starts_with(".plt")) continue;  // jumps, whose operands look like other instructions
    if (!file.contains(section.offset, section.size) || codes.size() == max_sections || section.size > left)
      return std::nullopt;
    left -= section.size;
    codes.emplace_back(section.address, file.bytes(section.offset, section.size));
  }
  return codes;
}

// Names of functions that say what the processor has, or for which processor they are: av_get_cpu_flags,
// hwy::SupportedTargets, OPENSSL_ia32cap_P, cv::checkHardwareSupport, blake3_hash_many_avx2.
bool is_about_processors(std::string_view name) {
  static constexpr std::string_view words[] = {"cpu", "simd", "hwy",     "hardware", "ia32cap",
                                               "avx", "sse4", "haswell", "skylake"};
  const std::string low = lower(name);
  return std::ranges::any_of(words, [&](std::string_view word) { return low.find(word) != std::string::npos; });
}

}  // namespace

bool has_processor_test(const File& file, std::span<const Section> sections) {
  const auto codes = code_sections(file, sections);
  return !codes || std::ranges::any_of(*codes, [](const auto& code) { return has_test(code.second); });
}

std::optional<VectorCode> read_vector_code(const File& file, const Image& image, std::span<const Section> sections,
                                           const DynamicTable& table, const Header& header, const DynamicFacts& facts) {
  using namespace llvm::ELF;
  if (!is_x86_64(header) || header.type != ET_DYN || file.size() > max_code_bytes) return std::nullopt;
  const auto codes = code_sections(file, sections);
  if (!codes) return std::nullopt;
  PairCount pairs;
  for (const auto& [address, bytes] : *codes) pairs.section(bytes);
  if (!pairs.is_frequent() || tests_processor(facts)) return std::nullopt;
  if (has_processor_test(file, sections)) return std::nullopt;
  if (std::ranges::any_of(facts.imports, is_about_processors, &Import::name) ||
      std::ranges::any_of(facts.exports, is_about_processors, &Export::name))
    return std::nullopt;
  Sweep sweep;
  for (const auto& [address, bytes] : *codes) sweep.section(address, bytes);
  std::optional<VectorCode> found = sweep.take();
  if (!found) return std::nullopt;
  bool indirect = false;
  std::uint64_t nearest = 0;
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    indirect = indirect || symbol.type == STT_GNU_IFUNC;
    if (!symbol.defined || symbol.type != STT_FUNC || symbol.value > found->address || symbol.value <= nearest) return;
    nearest = symbol.value;
    found->function = std::string(symbol.name());
  });
  return indirect ? std::nullopt : found;
}

}  // namespace wheelcheck::elf
