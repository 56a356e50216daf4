// A file that contains AVX instructions and nothing that could test the processor: no CPUID or XGETBV, no import or
// export whose name says that it is about processors, no indirect function.
#include <algorithm>
#include <string>
#include <utility>
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

constexpr std::uint64_t max_swept = std::uint64_t{16} << 20;  // bytes; this bounds the time

// Decodes code, which comes in pieces. Bytes that are no instruction are skipped.
class Sweep {
 public:
  void part(std::uint64_t address) {
    next_ = address;
    rest_.clear();
  }
  // The end of each piece except the last is left for the next one.
  void piece(std::span<const std::byte> bytes, bool last) {
    if (!rest_.empty()) {
      std::vector<std::byte> seam = std::exchange(rest_, {});
      const std::size_t before = seam.size();
      seam.insert(seam.end(), bytes.begin(), bytes.begin() + std::min<std::ptrdiff_t>(longest, std::ssize(bytes)));
      const std::size_t done = decode(seam, last && seam.size() == before + bytes.size() ? seam.size() : before);
      bytes = bytes.subspan(std::min(done - std::min(done, before), bytes.size()));
    }
    const std::size_t end = last ? bytes.size() : bytes.size() - std::min<std::size_t>(longest, bytes.size());
    const std::size_t done = decode(bytes, end);
    if (!last) rest_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(done), bytes.end());
  }
  std::optional<VectorCode> take(bool cut) {
    found_.cut = cut;
    return found_.count < least_count ? std::nullopt : std::optional(std::move(found_));
  }

 private:
  static constexpr std::ptrdiff_t longest = 16;  // bytes of an instruction
  // Up to an instruction that begins at `end` or later; where it begins.
  std::size_t decode(std::span<const std::byte> bytes, std::size_t end) {
    code::Reader reader(code::Machine::X86);
    std::size_t at = 0;
    while (at < end) {
      const auto one = reader.read(bytes.subspan(at), next_ + at);
      if (const std::uint32_t level = vector_level(one); level != 0) {
        if (found_.count++ == 0) found_.address = next_ + at;
        found_.x86_level = std::max(found_.x86_level, level);
      }
      at += one ? one->length : 1;
    }
    next_ += at;
    return at;
  }

  VectorCode found_;
  std::uint64_t next_ = 0;  // address
  std::vector<std::byte> rest_;
};

// Of much code, a part from where AVX is most frequent.
std::optional<VectorCode> sweep(const File& file, const SearchedCode& code) {
  std::uint64_t all = 0;
  for (const SearchedCode::Part& part : code.parts()) all += part.range.end - part.range.begin;
  const std::uint64_t start = all > max_swept ? code.richest() : 0;
  Sweep sweep;
  std::uint64_t left = max_swept;
  for (const auto& [range, address] : code.parts()) {
    const std::uint64_t begin = std::max(range.begin, start);
    if (begin >= range.end) continue;
    const FileRange swept{begin, begin + std::min(left, range.end - begin)};
    left -= swept.end - swept.begin;
    sweep.part(address + (begin - range.begin));
    std::uint64_t at = begin;
    file.walk(swept, 1, [&](std::span<const std::byte> piece) {
      at += piece.size();
      sweep.piece(piece, at == swept.end);
    });
  }
  return sweep.take(all > max_swept);
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
