// Reading, whatever lies at a path, and by way of the cache: the one verb that writes, and only there.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "archive/file.h"
#include "cache/cache.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 30;

Result<WheelFacts> read_facts(const std::string& path, const Limits& limits) {
  const auto file = archive::File::open(path);
  if (!file) return std::unexpected(file.error());
  if (file->size() > most_kept_bytes)
    return std::unexpected(
        Error{ErrorCode::OverLimit, fmt::format("has {} bytes, more than facts have", file->size())});
  std::string bytes(file->size(), '\0');
  if (auto done = file->read_at(0, std::as_writable_bytes(std::span(bytes))); !done)
    return std::unexpected(std::move(done.error()));
  auto facts = cache::facts_of(bytes);
  if (!facts)
    return std::unexpected(Error{ErrorCode::NotAWheel, "is not whole, or no file of facts that this version can read"});
  if (limits.imports && !facts->all_python)
    return std::unexpected(
        Error{ErrorCode::NotAWheel, "has not the imports of all Python files; `wheelcheck conflicts` keeps them"});
  facts->path = path;
  return std::move(*facts);
}

}  // namespace

InputKind kind_of_input(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) return InputKind::Directory;
  return path.ends_with(kept_ending) ? InputKind::Facts : InputKind::Archive;
}

Result<WheelFacts> read_any(const std::string& path, const Settings& settings, unsigned jobs,
                            const Progress& progress) {
  const InputKind kind = kind_of_input(path);
  if (kind == InputKind::Directory) return read_unpacked(path, settings.limits, jobs, progress);
  if (kind == InputKind::Facts) return read_facts(path, settings.limits);
  const auto read_wheel = [&] { return read(path, settings.limits, jobs, progress); };
  if (settings.cache.empty()) return read_wheel();
  return cache::read(path, settings.limits, {settings.cache, settings.cache_bytes}, read_wheel);
}

}  // namespace wheelcheck
