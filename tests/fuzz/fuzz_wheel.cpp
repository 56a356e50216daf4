// Fuzz target: whole wheels with invalid contents but correct checksums and RECORD (pack.h). The exit code is a
// documented one, and runs with one and with two threads write the same JSON.
#include <cstdint>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/pack.h"
#include "tests/fuzz/shown_text.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::fuzz {
namespace {

struct Answer {
  int code = 0;
  std::string json;
};

Answer ask(const std::string& path, unsigned jobs) {
  Settings settings;
  settings.jobs = jobs;
  settings.pedantic = true;
  settings.limits.imports = true;
  const auto report = check(std::span(&path, 1), settings);
  demand(report.has_value(), "a wheel never ends the run");
  return {exit_code(*report), find_renderer("json")->render(*report, {})};
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  static fuzz::MemoryFile file;
  const fuzz::Pack pack = fuzz::read_pack(fuzz::text_of(data, size));
  file.write(fuzz::archive_of(pack));
  const std::string path = file.path_as(pack.file);
  const fuzz::Answer one = fuzz::ask(path, 1), two = fuzz::ask(path, 2);
  fuzz::demand(one.code == 0 || one.code == 1 || one.code == 3, "the exit code is 0, 1 or 3");
  fuzz::demand(one.code == two.code, "two runs end with the same code");
  fuzz::demand_same(one.json, two.json, "two runs say the same");
  fuzz::demand_strict_json(one.json, "json");
  fuzz::demand_plain_text(one.json, "json");
  return 0;
}
