// What is known: the tables that the build compiled in, then the user's files in order.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "base/text.h"
#include "knowledge/tables.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

Result<Knowledge> load_knowledge(std::span<const std::string> files) {
  Knowledge result = knowledge::builtin_knowledge();
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) return std::unexpected(Error{ErrorCode::BadPolicy, fmt::format("{}: cannot be read", escape(file))});
    Result<Knowledge> more = knowledge::read_tables(text, file);
    if (!more) return std::unexpected(more.error());
    result = knowledge::merged(std::move(result), std::move(*more));
  }
  return result;
}

}  // namespace wheelcheck
