#include "environment/release.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace wheelcheck::environment {
namespace {

// "3.11" of python3.11, libpython3.11.so.1.0 and python3.13t; "" of python3.
std::string_view version_in(std::string_view name) {
  const std::size_t at = name.find("python3.");
  if (at == std::string_view::npos) return {};
  std::string_view version = name.substr(at + std::string_view("python").size());
  std::size_t end = 2;
  while (end < version.size() && version[end] >= '0' && version[end] <= '9') ++end;
  if (end < version.size() && version[end] == 't') ++end;
  return end == 2 ? std::string_view{} : version.substr(0, end);
}

}  // namespace

std::string_view version_of(const process::File& program) {
  if (const auto version = version_in(base_name(program.path)); !version.empty()) return version;
  if (program.facts->dynamic)
    for (const std::string_view needed : program.facts->dynamic->needed)
      if (const auto version = version_in(needed); !version.empty()) return version;
  return {};
}

std::optional<unsigned> release_to_stand_for(const process::File& program, const PythonReleases& wanted) {
  constexpr std::string_view stem = "3.";
  const std::string_view version = version_of(program);
  std::uint64_t own = 0;
  if (!version.starts_with(stem) || !parse_number(version.substr(stem.size()), own)) return std::nullopt;
  const auto nearest = std::clamp<std::uint64_t>(own, wanted.oldest, std::max(wanted.oldest, wanted.newest));
  return nearest == own ? std::nullopt : std::optional(static_cast<unsigned>(nearest));
}

}  // namespace wheelcheck::environment
