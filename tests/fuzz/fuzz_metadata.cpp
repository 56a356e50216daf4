// Fuzz target: any bytes as METADATA and WHEEL. There are never more fields than lines nor more text than in the input,
// and correctly written headers are read as written. Markers and version specifiers of Requires-* are read as well.
#include <cstdint>
#include <string>
#include <vector>

#include "model/pep440.h"
#include "model/requirement.h"
#include "tests/fuzz/fuzz.h"
#include "wheel/filename.h"
#include "wheel/metadata.h"
#include "wheel/requires_python.h"

namespace wheelcheck::fuzz {
namespace {

std::string written(const wheel::Headers& headers) {
  std::string out;
  for (const wheel::Header& header : headers.fields) {
    out += header.key + ": ";
    for (const char c : header.value) out += c == '\n' ? std::string("\n ") : std::string(1, c);
    out += '\n';
  }
  return out;
}

std::string shown(const wheel::Headers& headers) {
  std::string out;
  for (const wheel::Header& header : headers.fields) out += "[" + header.key + "] [" + header.value + "]\n";
  return out;
}

void demand_headers(std::string_view text) {
  const wheel::Headers headers = wheel::parse_headers(text);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  demand(headers.fields.size() <= lines, "there are no more fields than lines");
  demand(headers.bad_line <= lines, "the bad line is one of the text");
  std::size_t bytes = 0;
  for (const wheel::Header& header : headers.fields) bytes += header.key.size() + header.value.size();
  demand(bytes <= text.size(), "fields hold no more than the text");
  const wheel::Headers again = wheel::parse_headers(written(headers));
  demand(again.bad_line == 0, "headers that were read can be written and read");
  demand_same(shown(again), shown(headers), "headers are read as they were written");
}

void demand_few(const std::vector<WheelFlaw>& flaws, std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  demand(flaws.size() <= 2 * lines + 10, "a line has few flaws");
  std::size_t bytes = 0;
  for (const WheelFlaw& flaw : flaws) bytes += flaw.reason.size();
  demand(bytes <= 4 * text.size() + 300 * flaws.size(), "complaints are not longer than what is wrong");
}

void read_requirements(const Metadata& metadata, const WheelName& name) {
  wheel::admits_tags(metadata.requires_python, name);
  allows(metadata.requires_python, "3.11");
  for (const std::string& each : metadata.requires_dist) {
    const std::size_t at = each.find(';');
    const std::string_view marker = at == each.npos ? std::string_view() : std::string_view(each).substr(at + 1);
    for (const std::string_view extra : {"", "test"}) accepts(marker, "3.11", extra);
    if (marker.empty()) demand(accepts(marker, "", ""), "without a marker a dependency is asked for");
  }
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  static const WheelName name = *wheel::parse_filename("made-1.0-cp311.py3-cp311.none-manylinux_2_17_x86_64.whl");
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::demand_headers(text);
  std::vector<WheelFlaw> of_wheel, of_metadata;
  wheel::parse_wheel_file(text, MemberIndex{0}, "made-1.0.dist-info/WHEEL", of_wheel);
  fuzz::demand_few(of_wheel, text);
  const Metadata metadata = wheel::parse_metadata(text, MemberIndex{0}, "made-1.0.dist-info/METADATA", of_metadata);
  wheel::compare_metadata(metadata, name, MemberIndex{0}, "made-1.0.dist-info/METADATA", of_metadata);
  fuzz::demand_few(of_metadata, text);
  fuzz::read_requirements(metadata, name);
  return 0;
}
