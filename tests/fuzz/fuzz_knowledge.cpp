// Fuzz target: any bytes as a file of tables (--knowledge) or as a plan (--plan). It is rejected with a printable
// message, or it is read.
#include <cstdint>
#include <string>

#include "environment/plan.h"
#include "knowledge/tables.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/shown_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  const std::string_view text = fuzz::text_of(data, size);
  if (auto tables = knowledge::read_tables(text, "tables.json")) {
    const auto once = tables->libraries.size();
    const Knowledge both = knowledge::merged(std::move(*tables), *knowledge::read_tables(text, "tables.json"));
    fuzz::demand(both.libraries.size() == once, "the same tables twice are the tables");
  } else {
    fuzz::demand_plain_text(tables.error().message, "a message");
  }
  if (const auto plan = environment::parse_plan(text, "plan.json"); !plan)
    fuzz::demand_plain_text(plan.error().message, "a message");
  return 0;
}
