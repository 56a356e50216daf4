// Which table a file holds, and the tables that the build compiled in.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/embedded.h"
#include "base/text.h"
#include "knowledge/tables.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_data[];  // written by the build
extern const std::size_t embedded_data_count;

namespace knowledge {
namespace {

struct Table {
  std::string_view key;
  Result<void> (*read)(std::string_view text, std::string_view file, Knowledge& into);
};
constexpr Table tables[] = {{"libraries", &read_libraries},
                            {"gpu", &read_gpu},
                            {"distributions", &read_distributions},
                            {"stable_abi", &read_stable_abi}};

Error bad(std::string_view file, std::string_view what) {
  return {ErrorCode::BadPolicy, fmt::format("{}: {}", escape(file), what)};
}

Result<void> read_any(std::string_view text, std::string_view file, Knowledge& into) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object()) return std::unexpected(bad(file, "is not a JSON object"));
  bool known = false;
  for (const Table& table : tables) {
    if (!document.contains(table.key)) continue;
    known = true;
    if (auto done = table.read(text, file, into); !done) return done;
  }
  if (known) return {};
  return std::unexpected(bad(file, "holds none of libraries, gpu, distributions, stable_abi"));
}

}  // namespace
}  // namespace knowledge

Result<Knowledge> load_knowledge(std::span<const std::string> files) {
  Knowledge result;
  for (const EmbeddedFile& file : std::span(embedded_data, embedded_data_count))
    if (auto done = knowledge::read_any(file.text, file.name, result); !done) return std::unexpected(done.error());
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) return std::unexpected(knowledge::bad(file, "cannot be read"));
    if (auto done = knowledge::read_any(text, file, result); !done) return std::unexpected(done.error());
  }
  return result;
}

}  // namespace wheelcheck
