// _import_array (numpy/core/code_generators/generate_numpy_api.py), compiled into every module that uses NumPy:
//    if (NPY_FEATURE_VERSION > PyArray_GetNDArrayCFeatureVersion())
//      PyErr_Format(PyExc_RuntimeError, "module compiled against API version 0x%x ...", NPY_FEATURE_VERSION, ...)
// The number is in the code twice: as the third argument beside the text, and in the comparison after the call of
// function 211 of PyArray_API. It is believed only if both agree.
#include "elf/numpy_feature.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

constexpr std::uint64_t most_scanned = std::uint64_t{12} << 20;
constexpr std::uint32_t feature_slot = 211 * 8;  // PyArray_GetNDArrayCFeatureVersion
constexpr std::uint32_t newest_feature = 0x40;
constexpr std::size_t message_window = 32, compare_window = 24;  // bytes
constexpr std::string_view messages[] = {"module compiled against API version 0x%x",
                                         "module was compiled against NumPy C-API version 0x%x"};

using FeatureNumbers = std::set<std::uint32_t>;

class FeatureSearch {
 public:
  FeatureSearch(const Image& image, const Segment& segment, std::uint64_t most)
      : image_(image), address_(segment.address), bytes_(image.from(segment.address, most)) {}

  void x86(FeatureNumbers& beside_text, FeatureNumbers& compared) const {
    for (std::size_t i = 0; i + 7 <= bytes_.size(); ++i) {
      // lea rsi, [rip + disp32]
      if (at(i) == 0x48 && at(i + 1) == 0x8D && at(i + 2) == 0x35) {
        const auto distance = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word(i + 3))});
        if (!is_message(address_ + i + 7 + distance)) continue;
        for (std::size_t k = before(i); k < i + message_window && k + 5 <= bytes_.size(); ++k) {
          if (k > i && at(k) == 0xE8) break;                                            // the call of PyErr_Format
          if (at(k) == 0xBA) add_feature(beside_text, word(k + 1));                     // mov edx, imm32
          if (at(k) == 0x6A && at(k + 2) == 0x5A) add_feature(beside_text, at(k + 1));  // push imm8; pop rdx
        }
      }
      // call [reg + feature_slot]
      if (at(i) == 0xFF && (at(i + 1) & 0xF8) == 0x90 && word(i + 2) == feature_slot)
        for (std::size_t k = i + 6; k < i + 6 + compare_window && k + 5 <= bytes_.size(); ++k) {
          if (at(k) == 0x83 && (at(k + 1) & 0xF8) == 0xF8) add_compared(compared, at(k + 2));  // cmp r32, imm8
          if (at(k) == 0x3D) add_compared(compared, word(k + 1));                              // cmp eax, imm32
        }
    }
  }

  void arm64(FeatureNumbers& beside_text, FeatureNumbers& compared) const {
    for (std::size_t i = 0; i + 8 <= bytes_.size(); i += 4) {
      const std::uint32_t now = word(i);
      if (passes_message(i))
        for (std::size_t k = before(i); k < i + message_window && k + 4 <= bytes_.size(); k += 4) {
          if (k > i && (word(k) & 0xFC000000) == 0x94000000) break;                                   // bl
          if ((word(k) & 0xFFE0001F) == 0x52800002) add_feature(beside_text, word(k) >> 5 & 0xFFFF);  // mov w2
        }
      if ((now & 0xFFFFFC00) == (0xF9400000 | feature_slot / 8 << 10))  // ldr x, [x, feature_slot]
        for (std::size_t k = i + 4; k < i + 4 + compare_window && k + 4 <= bytes_.size(); k += 4)
          if ((word(k) & 0xFFC003FF) == 0x7100001F) add_compared(compared, word(k) >> 10 & 0xFFF);  // cmp w0, imm12
    }
  }

 private:
  std::uint8_t at(std::size_t i) const { return static_cast<std::uint8_t>(bytes_[i]); }
  std::uint32_t word(std::size_t i) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + i, sizeof value);
    return value;
  }
  static std::size_t before(std::size_t i) { return i > message_window ? i - message_window : 0; }
  // The signed 21 bits of adr and adrp.
  std::int64_t offset_of(std::size_t i) const {
    const std::uint32_t adr = word(i);
    return static_cast<std::int32_t>(((adr >> 5 & 0x7FFFF) << 2 | (adr >> 29 & 3)) << 11) >> 11;
  }
  // AArch64: x1 becomes the address of the text, by adr, or by adrp and add.
  bool passes_message(std::size_t i) const {
    const std::uint32_t now = word(i);
    if ((now & 0x9F00001F) == 0x10000001) return is_message(address_ + i + static_cast<std::uint64_t>(offset_of(i)));
    if ((now & 0xFFC003FF) != 0x91000021) return false;
    for (std::size_t k = before(i); k < i; k += 4) {
      const std::uint64_t page =
          ((address_ + k) & ~std::uint64_t{0xFFF}) + static_cast<std::uint64_t>(offset_of(k) * 4096);
      if ((word(k) & 0x9F00001F) == 0x90000001 && is_message(page + (now >> 10 & 0xFFF))) return true;
    }
    return false;
  }
  bool is_message(std::uint64_t address) const {
    return std::ranges::any_of(messages, [&](std::string_view start) {
      const auto bytes = image_.from(address, start.size());
      return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == start;
    });
  }
  static void add_feature(FeatureNumbers& numbers, std::uint32_t number) {
    if (number > 0 && number <= newest_feature) numbers.insert(number);
  }
  // version > x is compiled as a comparison of x with version or with version - 1.
  static void add_compared(FeatureNumbers& numbers, std::uint32_t number) {
    add_feature(numbers, number);
    add_feature(numbers, number + 1);
  }

  const Image& image_;
  std::uint64_t address_;
  std::span<const std::byte> bytes_;
};

}  // namespace

std::optional<std::uint32_t> read_numpy_feature(const File& file, const Image& image, std::span<const Segment> segments,
                                                const Header& header, const TextFacts& texts) {
  const bool x86 = header.machine == EM_X86_64 && header.bits == 64, arm = header.machine == EM_AARCH64;
  if ((!x86 && !arm) || !header.little_endian || file.size() > most_scanned) return std::nullopt;
  // Headers since 1.25 write the version into the text.
  const auto has_check = [](std::string_view text) {
    return std::ranges::any_of(messages, [&](std::string_view start) { return text.starts_with(start); }) &&
           text.find("(NumPy ") == std::string_view::npos;
  };
  if (std::ranges::none_of(texts.interfaces, has_check)) return std::nullopt;
  FeatureNumbers beside_text, compared;
  std::uint64_t left = most_scanned;  // segments may lie over each other
  for (const Segment& segment : segments) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0) continue;
    const std::uint64_t size = std::min(segment.file_size, left);
    const FeatureSearch search(image, segment, size);
    x86 ? search.x86(beside_text, compared) : search.arm64(beside_text, compared);
    left -= size;
  }
  for (const std::uint32_t number : beside_text)
    if (compared.contains(number)) return number;
  return std::nullopt;
}

}  // namespace wheelcheck::elf
