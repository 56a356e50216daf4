// Fuzz target: any bytes as the file name of a wheel. It is rejected with a printable message, or its parts form the
// same name again.
#include <cstdint>
#include <string>
#include <vector>

#include "model/pep440.h"
#include "model/requirement.h"
#include "tests/facts/shown.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/shown_text.h"
#include "wheel/filename.h"
#include "wheel/install_layout.h"

namespace wheelcheck::fuzz {
namespace {

template <class Texts>
std::string dotted(const Texts& texts) {
  std::string out;
  for (const auto& each : texts) out += (out.empty() ? "" : ".") + each;
  return out;
}

std::string written(const WheelName& name) {
  std::vector<std::string> platforms;
  for (const PlatformTag& tag : name.platforms) platforms.push_back(tag.text);
  std::string out = name.distribution + '-' + name.version;
  if (!name.build.empty()) out += '-' + name.build;
  out += '-' + dotted(name.python) + '-' + dotted(name.abi) + '-' + dotted(platforms);
  if (!name.variant.empty()) out += '-' + name.variant;
  return out + ".whl";
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  const std::string_view text = fuzz::text_of(data, size);
  const auto name = wheel::parse_filename(text);
  if (!name) {
    fuzz::demand_plain_text(name.error().message, "a message");
    fuzz::demand(name.error().message.find('\n') == std::string::npos, "a message is one line");
    return 0;
  }
  fuzz::demand_same(fuzz::written(*name), text, "a name's parts are the name");
  for (const PlatformTag& tag : name->platforms) {
    const PlatformTag again = parse_platform_tag(tag.canonical);
    fuzz::demand_same(again.canonical, tag.canonical, "the canonical form of a tag is its own");
    fuzz::demand(again.family == tag.family && again.arch == tag.arch && again.libc == tag.libc,
                 "the canonical form of a tag says the same");
  }
  fuzz::demand(same_version(name->version, name->version), "a version is itself");
  const std::string project = normal_project_name(name->distribution);
  fuzz::demand_same(normal_project_name(project), project, "a normal name is its own");
  const wheel::InstallLayout layout(*name);
  layout.place(*MemberPath::parse("a.data/purelib/b.py"));
  fuzz::demand(wheel::names_wheel(name->distribution + '-' + name->version + ".dist-info", *name),
               "a wheel's .dist-info names it");
  return 0;
}
