#include "environment/reference.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <span>

#include "base/embedded.h"

namespace wheelcheck {

extern const PackedFile embedded_reference[];  // written by the build
extern const std::size_t embedded_reference_count;

namespace environment {
namespace {

constexpr std::string_view python_stem = "python-";

std::span<const PackedFile> shipped() { return {embedded_reference, embedded_reference_count}; }

Result<facts::Stored> unpack(std::string_view name) {
  const auto broken = [&](std::string_view what) {
    return std::unexpected(Error{ErrorCode::NotFound, fmt::format("the reference {} {}", name, what)});
  };
  const auto file = std::ranges::find(shipped(), name, &PackedFile::name);
  if (file == shipped().end()) return broken("was not compiled in");
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> unpacker(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  std::string text(file->size, '\0');
  const auto done = libdeflate_deflate_decompress(unpacker.get(), file->bytes.data(), file->bytes.size(), text.data(),
                                                  text.size(), nullptr);
  if (done != LIBDEFLATE_SUCCESS) return broken("cannot be unpacked");
  return facts::read(text, name);
}

}  // namespace

std::vector<std::string> reference_pythons() {
  std::vector<std::string> out;
  for (const PackedFile& file : shipped())
    if (file.name.starts_with(python_stem)) out.emplace_back(file.name.substr(python_stem.size()));
  std::ranges::sort(out);
  return out;
}

Result<facts::Stored> reference_python(std::string_view name) { return unpack(fmt::format("{}{}", python_stem, name)); }

Result<facts::Stored> reference_platform() { return unpack("platform"); }

}  // namespace environment
}  // namespace wheelcheck
