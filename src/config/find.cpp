#include "config/find.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/text_file.h"
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
  if (status.type() == fs::file_type::not_found) return bad(path, "no such file");
  if (!fs::is_regular_file(status)) return bad(path, "is not a file");
  auto text = read_text_file(path, largest);
  if (!text) return bad(path, text.error());
  return std::move(*text);
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
