// Loads the knowledge: what no file says of itself, such as which library has a symbol, what a distribution brings, or
// when a release got its last fix. It changes with the world and not with the code, so it is data (data/*.json), each
// entry with its source. The build converts the tables to C++ with the same reader that reads a user's file: a mistake
// stops the build with its place, and the program parses no JSON at start. The user's files follow in order; an entry
// replaces the earlier one of the same name.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"
#include "base/text_file.h"
#include "knowledge/builtin.h"
#include "knowledge/tables.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_systems[];  // data/systems.json

namespace {

constexpr std::uint64_t largest = 16 << 20;  // bytes; all built-in tables together have 0.2 MB

// Calls take(text, file) for each file and stops at the first error.
Result<void> each_file(std::span<const std::string> files, auto take) {
  for (const std::string& file : files) {
    const auto text = read_text_file(file, largest);
    if (!text) return std::unexpected(Error{ErrorCode::BadPolicy, fmt::format("{}: {}", escape(file), text.error())});
    if (Result<void> taken = take(*text, file); !taken) return taken;
  }
  return {};
}

}  // namespace

Result<Knowledge> load_knowledge(std::span<const std::string> files) {
  Knowledge result = knowledge::builtin_knowledge();
  const Result<void> read = each_file(files, [&](const std::string& text, const std::string& file) -> Result<void> {
    Result<Knowledge> more = knowledge::read_tables(text, file);
    if (!more) return std::unexpected(more.error());
    result = knowledge::merged(std::move(result), std::move(*more));
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return result;
}

Result<std::vector<KnownSystem>> load_systems(std::span<const std::string> files) {
  std::vector<KnownSystem> result = knowledge::builtin_systems();
  const Result<void> read = each_file(files, [&](const std::string& text, const std::string& file) -> Result<void> {
    Result<std::vector<KnownSystem>> more = knowledge::read_systems(text, file);
    if (!more) return std::unexpected(more.error());
    result = knowledge::merged(std::move(result), std::move(*more));
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return result;
}

}  // namespace wheelcheck

namespace wheelcheck::knowledge {

Knowledge builtin_knowledge() {
  const auto copy = [](const auto& table) { return std::vector(table.begin(), table.end()); };
  const BuiltinTables& tables = builtin_tables;
  return {copy(tables.libraries),  copy(tables.gpu),      copy(tables.distributions),
          copy(tables.stable_abi), copy(tables.remedies), {}};
}

std::vector<KnownSystem> builtin_systems() {
  return read_systems(embedded_systems[0].text, "data/systems.json").value();  // the build has read it
}

Result<std::shared_ptr<const Knowledge>> shared_knowledge(std::span<const std::string> files) {
  if (files.empty()) {
    // Never freed, because its destructor would cost time at exit.
    static const Knowledge& builtin = *new Knowledge(builtin_knowledge());
    return std::shared_ptr<const Knowledge>(std::shared_ptr<const void>(), &builtin);
  }
  Result<Knowledge> loaded = load_knowledge(files);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  return std::make_shared<const Knowledge>(std::move(*loaded));
}

}  // namespace wheelcheck::knowledge
