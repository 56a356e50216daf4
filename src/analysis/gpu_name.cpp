#include "analysis/gpu_name.h"

#include <algorithm>

#include "base/text.h"

namespace wheelcheck::analysis {
namespace {

constexpr std::size_t longest = 512;  // bytes; a name that is opened is shorter
constexpr std::size_t hash_length = 8;

// "libcudart-9335f6a2" -> "libcudart": auditwheel repair puts the start of a SHA-256 behind the stem; torchvision's own
// repair writes "libnvjpeg.4a0b5c81".
std::string_view stem_without_hash(std::string_view stem) {
  const std::size_t dash = stem.find_last_of("-.");
  if (dash == stem.npos || stem.size() - dash - 1 != hash_length) return stem;
  return std::ranges::all_of(stem.substr(dash + 1), is_lower_hex) ? stem.substr(0, dash) : stem;
}

// The ".so" of a file name: at its end, or before a version or a place where one is filled in.
std::size_t find_so(std::string_view name) {
  for (std::size_t at = name.find(".so"); at != name.npos; at = name.find(".so", at + 1)) {
    const std::string_view rest = name.substr(at + 3);
    if (rest.empty() || rest.front() == '.' || rest.front() == '%' || rest.front() == '*') return at;
  }
  return name.npos;
}

// "%slibcuda.so.1": the directory is filled in with its slash.
std::string_view without_placeholder(std::string_view name) {
  return name.starts_with("%slib") || name.starts_with("{}lib") ? name.substr(2) : name;
}

std::string major_of(const KnownGpuLibrary& library, std::string_view version) {
  const std::string_view number = version.substr(0, std::min(version.find_first_not_of("0123456789"), version.size()));
  if (number.empty()) return "";
  if (library.major_in_soname) return std::string(number);
  for (const SonameMajor& known : library.majors)
    if (known.soname == number) return std::string(known.toolkit);
  return "";
}

bool is_version(std::string_view version) {
  return std::ranges::all_of(
      version, [](char c) { return is_alnum(c) || std::string_view("._%*?[]{}-").find(c) != std::string_view::npos; });
}

}  // namespace

const KnownGpuLibrary* find_gpu_library(std::span<const KnownGpuLibrary> libraries, std::string_view stem) {
  const auto less = [](const KnownGpuLibrary& library, std::string_view text) { return library.stem < text; };
  const auto at = std::lower_bound(libraries.begin(), libraries.end(), stem, less);
  return at != libraries.end() && at->stem == stem ? &*at : nullptr;
}

std::optional<GpuName> read_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries) {
  if (text.size() > longest) return std::nullopt;
  if (std::ranges::any_of(text, [](char c) { return c <= ' ' || c == 0x7F; })) return std::nullopt;
  std::string_view name = base_name(text);
  name = without_placeholder(name);
  const std::size_t so = find_so(name);
  if (so == name.npos) return std::nullopt;
  const KnownGpuLibrary* library = find_gpu_library(libraries, name.substr(0, so));
  if (library == nullptr) library = find_gpu_library(libraries, stem_without_hash(name.substr(0, so)));
  if (library == nullptr) return std::nullopt;
  std::string_view version = name.substr(so + 3);
  if (version.starts_with('.')) version.remove_prefix(1);
  if (!is_version(version)) return std::nullopt;
  return GpuName{std::string(name), library, std::string(version), major_of(*library, version)};
}

std::optional<GpuName> read_short_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries) {
  if (auto name = read_gpu_name(text, libraries)) return name;
  if (text.size() > longest) return std::nullopt;
  const KnownGpuLibrary* const library = find_gpu_library(libraries, "lib" + std::string(text));
  if (library == nullptr) return std::nullopt;
  return GpuName{std::string(text), library, "", ""};
}

}  // namespace wheelcheck::analysis
