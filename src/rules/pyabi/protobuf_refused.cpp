// WC823: Requires-Dist allows a protobuf that refuses the generated code of the wheel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "import_plan/own_imports.h"
#include "model/protobuf_code.h"
#include "model/requires_dist.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::protobuf_refused {
namespace {

struct Release {
  std::string_view version;
  unsigned python;  // CPython 3.N of Requires-Python
};
// Releases of protobuf on PyPI with wheels for Linux, the newest first: the first and the last of each series.
constexpr auto releases = std::to_array<Release>({{"7.34.0", 10},
                                                  {"6.33.5", 9},
                                                  {"6.30.0", 9},
                                                  {"5.29.6", 8},
                                                  {"5.26.0", 8},
                                                  {"4.25.8", 8},
                                                  {"4.21.12", 7},
                                                  {"3.20.3", 7},
                                                  {"3.19.6", 5},
                                                  {"3.12.4", 5}});

// Whether CPython 3.N or a newer one installs the wheel.
bool installs_on(const WheelName& name, unsigned minor) {
  const InterpreterTags tags(name);
  if (tags.has_other()) return true;
  for (; minor <= max_python_minor; ++minor)
    if (tags.install_on({.minor = minor}) || tags.install_on({.minor = minor, .free_threaded = true})) return true;
  return false;
}

// What METADATA asks of protobuf.
struct Asked {
  std::string specifier;  // of all lines, of those with a marker the first
  bool named = true;      // false: no requirement names protobuf
};
// nullopt if only an extra asks for it.
std::optional<Asked> asked_of_protobuf(const Metadata& metadata) {
  std::optional<std::string> all, marked;
  bool named = false;
  for (const std::string& line : metadata.requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (dependency.name != "protobuf") continue;
    named = true;
    if (dependency.under || !dependency.for_linux) continue;
    if (!dependency.marker.empty()) {
      if (!marked) marked = dependency.specifier;
      continue;
    }
    if (all && !all->empty() && !dependency.specifier.empty()) *all += ',';
    all = all.value_or("") + dependency.specifier;
  }
  if (!named) return Asked{.specifier = "", .named = false};
  if (!all) all = marked;
  return all ? std::optional(Asked{*all}) : std::nullopt;
}

struct Refused {
  std::string_view release;
  GeneratedCode code;
  bool at_import = false;  // the import of the package runs the code
  std::size_t files = 0;
};
// The newest release that the specifier allows and that refuses code of the wheel.
std::optional<Refused> refused_by(const WheelView& view, const std::vector<GeneratedCode>& code,
                                  const Asked& requested) {
  const std::set<MemberIndex> imported =
      view.wheel.all_python ? import_plan::imported_files(view.wheel) : std::set<MemberIndex>{};
  for (const auto& [release, python] : releases) {
    if (!installs_on(view.wheel.name, python) || !allows(requested.specifier, release).value_or(false)) continue;
    auto refusing = refusing_code(code, release);
    // Without a requirement another one brings protobuf along, which is rarely older than 3.20.
    if (!requested.named) std::erase_if(refusing, [](const auto& each) { return each.descriptor->since == "3.20.0"; });
    if (refusing.empty()) continue;
    const auto runs = [&](const GeneratedCode& each) { return imported.contains(each.member); };
    const auto first = std::ranges::find_if(refusing, runs);
    return Refused{.release = release,
                   .code = first == refusing.end() ? refusing.front() : *first,
                   .at_import = first != refusing.end(),
                   .files = refusing.size()};
  }
  return std::nullopt;
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.metadata || normal_project_name(view.wheel.metadata->name) == "protobuf") return;
  const auto code = generated_code(view.wheel);
  if (code.empty()) return;
  const auto requested = asked_of_protobuf(*view.wheel.metadata);
  if (!requested) return;
  const auto refused = refused_by(view, code, *requested);
  if (!refused) return;
  const PythonDescriptor& descriptor = *refused->code.descriptor;
  const bool is_old = !descriptor.before.empty();
  const std::string path(view.wheel.members[refused->code.member.value].path.text());
  emit(
      {.place = AtPath{path},
       .message = fmt::format("protobuf {}, which Requires-Dist {}, refuses this generated code: {}", refused->release,
                              requested->named ? "allows" : "does not exclude",
                              is_old ? fmt::format("{} raises \"TypeError: Descriptors cannot be created directly\"",
                                                   refused->at_import ? "importing the package" : "importing this file")
                                     : fmt::format("it needs protobuf {} or newer", descriptor.since)),
       .evidence = {{"Requires-Dist", requested->named ? "protobuf" + requested->specifier
                                                       : std::string("no requirement names protobuf")},
                    {"files", fmt::format("{} that protobuf {} refuses", refused->files, refused->release)}},
       .fix = is_old ? fmt::format("generate the code with protoc 3.19 or newer, or write `Requires-Dist: "
                                   "protobuf<4`; as a user: pip install 'protobuf<4'")
                     : fmt::format("write `Requires-Dist: protobuf>={}`", descriptor.since),
       // Facts without the imports do not say whether the package runs the code.
       .severity = is_old && requested->named && (refused->at_import || !view.wheel.all_python) ? Severity::Error
                                                                                                : Severity::Warning});
}

}  // namespace

extern const Rule rule{
    .code = "WC823",
    .name = "protobuf-refused",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::protobuf_refused
