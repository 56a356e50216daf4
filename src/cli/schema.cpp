// `wheelcheck schema NAME`: the published JSON Schemas, as compiled in.
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/schemas.h"

namespace wheelcheck::cli {

Command add_schema(CLI::App& program) {
  const auto name = std::make_shared<std::string>();
  CLI::App* const app = program.add_subcommand("schema", "Print a JSON Schema");
  app->add_option("NAME", *name, "json: the report; policy: a policy file; bindings and plan: of `conflicts`")
      ->required()
      ->check(CLI::IsMember({"json", "policy", "bindings", "plan"}));
  return {app, [name] { return write_out(report::find_schema(*name)) ? 0 : exit_internal; }};
}

}  // namespace wheelcheck::cli
