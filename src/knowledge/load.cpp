// What is known: the tables that the build compiled in, then the user's files in order.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "knowledge/tables.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

namespace {

// Calls take(text, file) for each file; the first error ends it.
Result<void> each_file(std::span<const std::string> files, auto take) {
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) return std::unexpected(Error{ErrorCode::BadPolicy, fmt::format("{}: cannot be read", escape(file))});
    if (Result<void> taken = take(text, file); !taken) return taken;
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
