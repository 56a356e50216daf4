// Reads an input of any kind, through the cache if there is one. Writing the cache is the only output of this code.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cache_trust.h"
#include "archive/file.h"
#include "cache/cache.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

constexpr std::uint64_t max_kept_bytes = std::uint64_t{1} << 30;

Result<WheelFacts> read_facts(const archive::File& file, const std::string& path, const Limits& limits) {
  if (file.size() > max_kept_bytes)
    return std::unexpected(Error{ErrorCode::OverLimit, fmt::format("has {} bytes, more than facts have", file.size())});
  std::string bytes(file.size(), '\0');
  if (auto done = file.read_at(0, std::as_writable_bytes(std::span(bytes))); !done)
    return std::unexpected(std::move(done.error()));
  auto facts = cache::facts_of(bytes);
  if (!facts)
    return std::unexpected(
        Error{ErrorCode::NotAWheel,
              "is incomplete, names too much for its size, or is no file of facts that this version can read"});
  if (is_unpacked(*facts))
    return std::unexpected(Error{ErrorCode::NotAWheel, "contains the facts of an installed distribution"});
  if (limits.imports && !facts->all_python)
    return std::unexpected(
        Error{ErrorCode::NotAWheel, "lacks the imports of some Python files; `wheelcheck conflicts` stores them"});
  facts->path = path;
  return std::move(*facts);
}

cache::CacheLocation place_of(const Settings& settings) { return {settings.cache, settings.cache_bytes}; }

// By its name: no byte of an input is read before the sandbox is entered.
bool is_shared_library(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".so") || name.find(".so.") != name.npos;
}

}  // namespace

bool is_unpacked_wheel(const std::string& directory) {
  std::size_t found = 0;
  std::error_code error, none;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    found += it->path().extension() == ".dist-info" && it->is_directory(none) ? 1U : 0U;
  return found == 1;
}

InputKind kind_of_input(const std::string& path, bool elf_files) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    return elf_files && !is_unpacked_wheel(path) ? InputKind::ElfFiles : InputKind::Directory;
  if (elf_files && is_shared_library(path)) return InputKind::ElfFiles;
  return path.ends_with(facts_extension) ? InputKind::Facts : InputKind::Archive;
}

Result<std::vector<OpenedInput>> open_inputs(std::span<const std::string> paths, const Settings& settings,
                                             std::vector<std::string> besides) {
  std::vector<OpenedInput> inputs;
  OpenedLater later{.read = std::move(besides), .cache = settings.cache};
  std::size_t held = 0;
  for (const std::string& path : paths) {
    OpenedInput& input =
        inputs.emplace_back(OpenedInput{.path = path, .kind = kind_of_input(path, settings.elf_files)});
    if (input.kind == InputKind::Directory || input.kind == InputKind::ElfFiles) {
      later.read.push_back(path);
      std::error_code none;
      if (input.kind == InputKind::ElfFiles) later.read.push_back(std::filesystem::canonical(path, none).string());
      continue;
    }
    auto file = archive::file_of(input);
    if (!file) {
      input.error = std::move(file.error());
    } else if (held++ < settings.max_open) {
      input.file = std::move(*file);
    } else {
      later.read.push_back(path);
      ++later.files;
    }
  }
  if (!settings.cache.empty()) cache::prepare(place_of(settings));
  if (settings.inputs_open)
    if (auto done = settings.inputs_open(later); !done) return std::unexpected(std::move(done.error()));
  return inputs;
}

Result<WheelFacts> read_any(const OpenedInput& input, const Settings& settings, unsigned jobs,
                            const Progress& progress) {
  if (input.kind == InputKind::Directory) return read_unpacked(input.path, settings.limits, jobs, progress);
  if (input.kind == InputKind::ElfFiles) return read_elf_files(input.path, settings.limits, jobs, progress);
  auto file = archive::file_of(input);
  if (!file) return std::unexpected(std::move(file.error()));
  if (input.kind == InputKind::Facts) return read_facts(**file, input.path, settings.limits);
  const OpenedInput archive{.path = input.path, .file = *file};
  const auto read_wheel = [&] { return read(archive, settings.limits, jobs, progress); };
  if (settings.cache.empty()) return read_wheel();
  return cache::read({input.path, (*file)->descriptor()}, settings.limits, place_of(settings), read_wheel);
}

std::string app::distrust_of_cache(const Settings& settings) {
  return settings.cache.empty() ? "" : cache::distrust(place_of(settings));
}

}  // namespace wheelcheck
