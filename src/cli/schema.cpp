// `wheelcheck schema NAME`: the published JSON Schemas, as compiled in.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "report/shared/schemas.h"

namespace wheelcheck::cli {
namespace {

Run fill_schema(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  const std::vector<std::string_view> known = report::schema_names();
  app.add_option("NAME", *name,
                 "json: the report; symbols, why, rules, diff, runs-on: of those commands; config and the others: of "
                 "files to read")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(known.begin(), known.end())));
  return [name] { return say(report::find_schema(*name)); };
}

}  // namespace

const Command schema_command{"schema", "Print a JSON Schema", &fill_schema};

}  // namespace wheelcheck::cli
