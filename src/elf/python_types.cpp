// The name of a type is a pointer in the data, which a relative relocation sets. It is believed if the text has a dot,
// and the words around it have the values of CPython Include/cpython/object.h, struct _typeobject
//    {refcount, type, ob_size, name, basicsize, itemsize, ...}
// or of Include/object.h, PyType_Spec
//    {name, int basicsize, int itemsize, unsigned flags, slots}
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include "base/text.h"
#include "elf/code.h"
#include "elf/interfaces.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint64_t longest_name = 200;
constexpr std::size_t max_types = 1000;

// "numpy.dtype": identifiers with dots between them, at least two.
bool is_type_name(std::string_view name) {
  bool dot = false, start = true;
  for (const char c : name) {
    if (start ? !is_alpha(c) && c != '_' : !is_alnum(c) && c != '_' && c != '.') return false;
    start = c == '.';
    dot = dot || start;
  }
  return dot && !start;
}

class TypeReader {
 public:
  TypeReader(const Image& image, StringPool& pool) : image_(image), pool_(pool) {}

  void pointer(std::uint64_t place, std::uint64_t target) {
    if (found_.size() >= max_types) return;
    constexpr std::uint64_t before = 24;  // refcount, type, ob_size
    if (place < before || image_.writable_space(target) != 0) return;
    std::optional<Sizes> sizes;
    if (const auto words = image_.bytes(place - before, 48)) sizes = of_type(*words);
    if (const auto words = image_.bytes(place, 32); words && !sizes) sizes = of_spec(*words);
    if (!sizes) return;
    if (const auto name = image_.text(target, longest_name); name && is_type_name(*name))
      found_.insert({pool_.add(*name), sizes->object, sizes->item});
  }
  std::vector<DefinedType> take() const { return {found_.begin(), found_.end()}; }

 private:
  struct Sizes {
    std::uint64_t object = 0, item = 0;
  };
  static std::uint64_t word(std::span<const std::byte> bytes, std::size_t index) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + 8 * index, sizeof value);
    return value;
  }
  // The reference count is 1, or that of an immortal object (3.12: 2^32 - 1, later versions have other high bits).
  static std::optional<Sizes> of_type(std::span<const std::byte> words) {
    const std::uint64_t count = word(words, 0), size = word(words, 4), items = word(words, 5);
    if (count == 0 || word(words, 2) != 0 || !is_object_size(size) || items > max_object_size) return std::nullopt;
    if (count != 1 && (count & 0xC0000000U) == 0) return std::nullopt;
    return Sizes{size, items};
  }
  static std::optional<Sizes> of_spec(std::span<const std::byte> words) {
    const std::uint64_t sizes = word(words, 1), size = sizes & UINT32_MAX, items = sizes >> 32;
    const std::uint64_t flags = word(words, 2);
    if (!is_object_size(size) || items > max_object_size || flags == 0 || flags > UINT32_MAX) return std::nullopt;
    return Sizes{size, items};
  }

  const Image& image_;
  StringPool& pool_;
  std::set<DefinedType> found_;
};

}  // namespace

std::vector<DefinedType> read_python_types(const File& file, const Image& image, const DynamicTable& table,
                                           const Header& header, StringPool& pool) {
  if (!is_x86_64(header) || file.size() > max_code_bytes) return {};
  TypeReader reader(image, pool);
  each_relocation(image, table, [&](const llvm::object::ELF64LE::Rela& record) {
    if (record.getType(false) == llvm::ELF::R_X86_64_RELATIVE)
      reader.pointer(record.r_offset, static_cast<std::uint64_t>(std::int64_t{record.r_addend}));
  });
  return reader.take();
}

}  // namespace wheelcheck::elf
