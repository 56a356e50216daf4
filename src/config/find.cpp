#include "config/find.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "config/read.h"

namespace wheelcheck::config {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> bad(const std::string& path, std::string_view what) {
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("{}: {}", escape(path), what)});
}

}  // namespace

Result<std::string> read_text(const std::string& path, std::uint64_t largest) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return bad(path, "there is no such file");
  if (!fs::is_regular_file(status)) return bad(path, "is not a file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return bad(path, fmt::format("cannot be read: {}", error.message()));
  if (size > largest) return bad(path, fmt::format("has {} bytes; at most {} are read", size, largest));
  std::ifstream stream(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream) return bad(path, "cannot be read; check its permissions");
  return text;
}

Result<std::optional<Found>> find_config() {
  std::error_code error;
  fs::path at = fs::current_path(error);
  if (error) return std::nullopt;
  for (std::string up;; up += "../") {
    for (const char* const name : {"wheelcheck.toml", "pyproject.toml"}) {
      const std::string path = up + name;
      if (!fs::is_regular_file(path, error)) continue;
      Result<std::string> text = read_text(path);
      if (!text) return std::unexpected(text.error());
      if (name == std::string_view("pyproject.toml") && !has_section(*text)) continue;
      return Found{path, std::move(*text)};
    }
    if (!at.has_relative_path()) return std::nullopt;
    at = at.parent_path();
  }
}

}  // namespace wheelcheck::config
