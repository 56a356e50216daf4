// _import_array (numpy/core/code_generators/generate_numpy_api.py), compiled into every module that uses NumPy:
//    if (NPY_FEATURE_VERSION > PyArray_GetNDArrayCFeatureVersion())
//      PyErr_Format(PyExc_RuntimeError, "module compiled against API version 0x%x ...", NPY_FEATURE_VERSION, ...)
// The number is in the code twice: as the third argument beside the text, and in the comparison after the call of
// function 211 of PyArray_API. It is believed only if both agree.
#include <algorithm>
#include <set>
#include <string_view>

#include "base/byte_scan.h"
#include "elf/code.h"
#include "elf/interfaces.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint32_t feature_slot = 211 * 8;  // PyArray_GetNDArrayCFeatureVersion
constexpr std::uint32_t newest_feature = 0x40;
constexpr std::size_t message_window = 32, compare_window = 24;  // bytes
constexpr std::string_view messages[] = {"module compiled against API version 0x%x",
                                         "module was compiled against NumPy C-API version 0x%x"};

using FeatureNumbers = std::set<std::uint32_t>;

class FeatureSearch {
 public:
  FeatureSearch(const Image& image, const Code& code) : image_(image), code_(code) {}

  void x86(FeatureNumbers& beside_text, FeatureNumbers& compared) const {
    // The second and third byte of `lea rsi, [rip + disp32]`, or the first two of the displacement feature_slot.
    const auto is_mark = [](const auto& c, const auto& d, auto& marks) {
      marks = ((c == 0x8D) & (d == 0x35)) | ((c == (feature_slot & 0xFF)) & (d == feature_slot >> 8));
    };
    any_pair(code_.text(), 0, code_.bytes.size(), is_mark, [&](std::size_t at) {
      if (at >= 2 && at + 6 <= code_.bytes.size())
        code_.at(at) == 0x8D ? x86_text(at - 1, beside_text) : x86_call(at - 2, compared);
      return false;
    });
  }

  void arm64(FeatureNumbers& beside_text, FeatureNumbers& compared) const {
    for (std::size_t i = 0; i + 8 <= code_.bytes.size(); i += 4) {
      const std::uint32_t now = code_.word(i);
      if (passes_message(i))
        for (std::size_t k = before(i); k < i + message_window && k + 4 <= code_.bytes.size(); k += 4) {
          if (k > i && (code_.word(k) & 0xFC000000) == 0x94000000) break;  // bl
          if ((code_.word(k) & 0xFFE0001F) == 0x52800002)
            add_feature(beside_text, code_.word(k) >> 5 & 0xFFFF);  // mov w2
        }
      if ((now & 0xFFFFFC00) == (0xF9400000 | feature_slot / 8 << 10))  // ldr x, [x, feature_slot]
        for (std::size_t k = i + 4; k < i + 4 + compare_window && k + 4 <= code_.bytes.size(); k += 4)
          if ((code_.word(k) & 0xFFC003FF) == 0x7100001F)
            add_compared(compared, code_.word(k) >> 10 & 0xFFF);  // cmp w0, imm12
    }
  }

 private:
  void x86_text(std::size_t i, FeatureNumbers& beside_text) const {
    if (code_.at(i) != 0x48 || !is_message(code_.relative(i + 3))) return;
    for (std::size_t k = before(i); k < i + message_window && k + 5 <= code_.bytes.size(); ++k) {
      if (k > i && code_.at(k) == 0xE8) break;                               // the call of PyErr_Format
      if (code_.at(k) == 0xBA) add_feature(beside_text, code_.word(k + 1));  // mov edx, imm32
      if (code_.at(k) == 0x6A && code_.at(k + 2) == 0x5A) add_feature(beside_text, code_.at(k + 1));  // push, pop rdx
    }
  }
  // call [reg + feature_slot]
  void x86_call(std::size_t i, FeatureNumbers& compared) const {
    if (code_.at(i) != 0xFF || (code_.at(i + 1) & 0xF8) != 0x90 || code_.word(i + 2) != feature_slot) return;
    for (std::size_t k = i + 6; k < i + 6 + compare_window && k + 5 <= code_.bytes.size(); ++k) {
      if (code_.at(k) == 0x83 && (code_.at(k + 1) & 0xF8) == 0xF8)
        add_compared(compared, code_.at(k + 2));                           // cmp, imm8
      if (code_.at(k) == 0x3D) add_compared(compared, code_.word(k + 1));  // cmp eax, imm32
    }
  }
  static std::size_t before(std::size_t i) { return i > message_window ? i - message_window : 0; }
  // AArch64: x1 becomes the address of the text, by adr, or by adrp and add.
  bool passes_message(std::size_t i) const {
    const std::uint32_t now = code_.word(i);
    if ((now & 0x9F00001F) == 0x10000001) return is_message(code::adr_target(now, code_.address + i));
    if ((now & 0xFFC003FF) != 0x91000021) return false;
    for (std::size_t k = before(i); k < i; k += 4) {
      const std::uint64_t page = code::adr_target(code_.word(k), code_.address + k, 4096);
      if ((code_.word(k) & 0x9F00001F) == 0x90000001 && is_message(page + (now >> 10 & 0xFFF))) return true;
    }
    return false;
  }
  bool is_message(std::uint64_t address) const {
    return std::ranges::any_of(
        messages, [&](std::string_view start) { return Bytes(image_.from(address, start.size())).as_text() == start; });
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
  const Code& code_;
};

}  // namespace

std::optional<std::uint32_t> read_numpy_feature(const File& file, const Image& image, std::span<const Segment> segments,
                                                const Header& header, const InterfaceFacts& facts) {
  // Headers since 1.25 write the version into the text.
  const auto has_check = [](std::string_view text) {
    return std::ranges::any_of(messages, [&](std::string_view start) { return text.starts_with(start); }) &&
           text.find("(NumPy ") == std::string_view::npos;
  };
  if (std::ranges::none_of(facts.numpy_messages, has_check)) return std::nullopt;
  FeatureNumbers beside_text, compared;
  for (const Code& code : code_of(file, image, segments, header)) {
    const FeatureSearch search(image, code);
    is_x86_64(header) ? search.x86(beside_text, compared) : search.arm64(beside_text, compared);
  }
  for (const std::uint32_t number : beside_text)
    if (compared.contains(number)) return number;
  return std::nullopt;
}

}  // namespace wheelcheck::elf
