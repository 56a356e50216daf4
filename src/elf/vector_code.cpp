// A file that contains AVX instructions and nothing that could test the processor: no CPUID or XGETBV, no import or
// export whose name says that it is about processors, no indirect function.
#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "elf/code.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint64_t least_count = 32, max_sections = 64;

// The level of an instruction that only code for newer processors contains: what is encoded as VEX or EVEX, without
// BMI.
std::uint32_t vector_level(const std::optional<code::Instruction>& one) {
  using code::Feature;
  if (!one || one->feature == Feature::Bmi || one->feature == Feature::Bmi2) return 0;
  const std::uint32_t level = code::x86_level(one->feature);
  return level == 3 && (one->feature > Feature::Fma) ? 0 : level < 3 ? 0 : level;
}

// Of much code, a part from where AVX is most frequent. Bytes that are no instruction are skipped.
std::optional<VectorCode> sweep(const File& file, const SearchedCode& code) {
  constexpr std::uint64_t max_swept = std::uint64_t{16} << 20;             // bytes; this bounds the time
  constexpr std::uint64_t block = std::uint64_t{256} << 10, longest = 16;  // bytes in memory, and of an instruction
  std::uint64_t all = 0, left = max_swept;
  for (const SearchedCode::Part& part : code.parts()) all += part.range.end - part.range.begin;
  const std::uint64_t start = all > max_swept ? code.richest() : 0;
  VectorCode found{.cut = all > max_swept};
  code::Reader reader(code::Machine::X86);
  for (const auto& [range, address] : code.parts()) {
    std::uint64_t at = std::max(range.begin, start);
    if (at >= range.end) continue;
    const std::uint64_t end = at + std::min(left, range.end - at);
    left -= end - at;
    while (at < end) {
      const FileRange piece{at, std::min(at + block, end)};
      const auto bytes = file.bytes(at, std::min(piece.end + longest, end) - at);
      while (at < piece.end) {
        const auto one = reader.read(bytes.subspan(at - piece.begin), 0);
        if (const std::uint32_t level = vector_level(one); level != 0) {
          if (found.count++ == 0) found.address = address + (at - range.begin);
          found.x86_level = std::max(found.x86_level, level);
        }
        at += one ? one->length : 1;
      }
      file.done(piece);
    }
  }
  return found.count < least_count ? std::nullopt : std::optional(found);
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

SearchedCode::SearchedCode(const File& file, const Header& header, std::span<const Segment> segments,
                           std::span<const Section> sections)
    : file_(file) {
  using namespace llvm::ELF;
  if (!is_x86_64_library(header)) return;
  executable_ = executable_ranges(segments, file.size());
  std::uint64_t left = file.size();  // sections lie beside each other
  for (const Section& section : sections) {
    if (section.type != SHT_PROGBITS || (section.flags & SHF_EXECINSTR) == 0) continue;
    if (section.name.starts_with(".plt")) continue;  // jumps, whose operands look like other instructions
    if (!file.contains(section.offset, section.size) || parts_.size() == max_sections || section.size > left) {
      parts_.clear();
      break;
    }
    left -= section.size;
    if (section.size > 0) parts_.push_back({{section.offset, section.offset + section.size}, section.address});
  }
  for (const FileRange& range : parts_.empty() ? executable_ : std::vector<FileRange>()) {
    const auto segment = std::ranges::find_if(segments, [&](const Segment& one) {
      return one.type == PT_LOAD && (one.flags & PF_X) != 0 && range.begin - one.offset < one.file_size;
    });
    if (segment != segments.end()) parts_.push_back({range, segment->address + (range.begin - segment->offset)});
  }
  std::ranges::sort(parts_, {}, [](const Part& part) { return part.range.begin; });
  for (const Part& part : parts_) ranges_.push_back(part.range);
}

template <class Search>
void SearchedCode::feed(Search& search) const {
  if (executable_.empty()) return;
  std::uint64_t at = executable_.front().begin / SparseBytes::page * SparseBytes::page;
  file_.walk({at, executable_.back().end}, SparseBytes::page, [&](std::span<const std::byte> piece) {
    search.take(at, piece);
    at += piece.size();
  });
}

bool SearchedCode::tests_processor() const {
  if (const CodeScan* const known = file_.code_scan()) return known->tests.any_in(ranges_);
  if (!tests_) feed(tests_.emplace(executable_));
  return tests_->any_in(ranges_);
}

const PairCount& SearchedCode::pairs() const {
  if (const CodeScan* const known = file_.code_scan()) return known->pairs;
  if (!pairs_) feed(pairs_.emplace(executable_));
  return *pairs_;
}
bool SearchedCode::has_much_avx() const { return pairs().is_frequent_in(ranges_); }

std::optional<VectorCode> read_vector_code(const File& file, const Image& image, const SearchedCode& code,
                                           const DynamicTable& table, const DynamicFacts& facts) {
  if (code.parts().empty() || !code.has_much_avx() || tests_processor(facts)) return std::nullopt;
  if (code.tests_processor()) return std::nullopt;
  if (std::ranges::any_of(facts.imports, is_about_processors, &Import::name) ||
      std::ranges::any_of(facts.exports, is_about_processors, &Export::name))
    return std::nullopt;
  std::optional<VectorCode> found = sweep(file, code);
  if (!found) return std::nullopt;
  bool indirect = false;
  std::uint64_t nearest = 0;
  each_code_symbol(image, table, facts.symbol_count, [&](const CodeSymbol& symbol) {
    using namespace llvm::ELF;
    indirect = indirect || symbol.type == STT_GNU_IFUNC;
    if (!symbol.defined || symbol.type != STT_FUNC || symbol.value > found->address || symbol.value <= nearest) return;
    nearest = symbol.value;
    found->function = std::string(symbol.name());
  });
  return indirect ? std::nullopt : found;
}

}  // namespace wheelcheck::elf
