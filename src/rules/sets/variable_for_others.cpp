// WC543: Python code sets an environment variable that libraries of another distribution read as well.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::variable_for_others {
namespace {

struct Known {
  std::string_view variable;
  std::string_view what;                    // what the variable refers to
  std::array<std::string_view, 3> readers;  // patterns for the file names of libraries that read it
};
// From the documentation of the libraries.
constexpr auto known_variables = std::to_array<Known>({
    {"GDAL_DATA", "data files", {"libgdal*.so*"}},
    {"GDAL_DRIVER_PATH", "plugins", {"libgdal*.so*"}},
    {"GST_PLUGIN_PATH", "plugins", {"libgstreamer-1*.so*"}},
    {"HDF5_PLUGIN_PATH", "filters", {"libhdf5*.so*"}},
    {"MAGICK_CONFIGURE_PATH", "configuration", {"libMagickCore*.so*"}},
    {"OPENSSL_CONF", "configuration", {"libcrypto*.so*"}},
    {"OPENSSL_MODULES", "providers", {"libcrypto*.so*"}},
    {"PROJ_DATA", "its database", {"libproj*.so*", "libgdal*.so*"}},
    {"PROJ_LIB", "its database", {"libproj*.so*", "libgdal*.so*"}},
    {"QML2_IMPORT_PATH", "plugins", {"libQt5Qml*.so*", "libQt6Qml*.so*"}},
    {"QML_IMPORT_PATH", "plugins", {"libQt5Qml*.so*", "libQt6Qml*.so*"}},
    {"QT_PLUGIN_PATH", "plugins", {"libQt5Core*.so*", "libQt6Core*.so*"}},
    {"QT_QPA_PLATFORM_PLUGIN_PATH", "plugins", {"libQt5Gui*.so*", "libQt6Gui*.so*", "libQt?Core*.so*"}},
    {"TBB_PLUGIN_PATH", "plugins", {"libtbb*.so*"}},
    {"VTK_AUTOLOAD_PATH", "modules", {"libvtkCommonCore*.so*"}},
});

std::optional<std::string_view> reader_in(const WheelFacts& wheel, const Known& known) {
  for (const ElfMember& file : wheel.elfs) {
    const std::string_view name = wheel.members[file.member.value].path.name();
    for (const std::string_view pattern : known.readers)
      if (!pattern.empty() && glob_match(pattern, name)) return wheel.members[file.member.value].path.text();
  }
  return std::nullopt;
}

void report(const Installation& all, DistributionIndex setter, const PythonFile& file, const PythonVariable& variable,
            const Known& known, const Emit& emit) {
  const WheelFacts& wheel = all.distributions[setter.value].facts;
  // A wheel without such a library sets the variable to nothing useful: opencv-python-headless contains the statement
  // but not Qt.
  if (!reader_in(wheel, known)) return;
  std::vector<std::string> readers;
  std::vector<Evidence> evidence{{"set at", fmt::format("{}:{}, {}: {}", wheel.members[file.member.value].path.text(),
                                                        variable.line, name_of(variable.reach), variable.text)}};
  for (std::uint32_t other = 0; other < all.distributions.size(); ++other) {
    if (DistributionIndex{other} == setter) continue;
    const auto library = reader_in(all.distributions[other].facts, known);
    if (!library) continue;
    readers.push_back(name_of(all, DistributionIndex{other}));
    if (evidence.size() < shown_items) evidence.push_back({"read by", std::string(*library)});
  }
  if (readers.empty()) return;
  const std::string owner = name_of(all, setter);
  const std::string_view path = below_site(wheel.members[file.member.value].path.text());
  const std::string_view module = path.substr(0, std::min(path.find('/'), path.rfind('.')));
  emit({.place = AtPath{wheel.members[file.member.value].path.text()},
        .message = fmt::format("{} sets {} when it is imported, and {} {} it too: {} of {} {} then loaded from {}",
                               owner, variable.name, list_of(readers), readers.size() == 1 ? "reads" : "read",
                               known.what, list_of(readers),
                               known.what == "its database" || known.what == "configuration" ? "is" : "are", owner),
        .evidence = std::move(evidence),
        .fix = fmt::format("after `import {}`: os.environ.pop({:?}, None); in {}: set the path by the library's own "
                           "function instead of the environment",
                           module, variable.name, owner)});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (std::uint32_t p = 0; p < all.distributions.size(); ++p) {
    std::set<std::string_view> reported;  // variables: several statements of a wheel are one finding
    for (const PythonFile& file : all.distributions[p].facts.python)
      for (const PythonVariable& variable : file.variables) {
        const auto known = std::ranges::find(known_variables, std::string_view(variable.name), &Known::variable);
        if (known != known_variables.end() && variable.reach != Reach::Possible &&
            reported.insert(known->variable).second)
          report(all, {p}, file, variable, *known, emit);
      }
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC543",
    .name = "variable-for-others",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::variable_for_others
