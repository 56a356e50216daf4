// WC808: the ABI tag is `none`, but an extension module uses the ABI of one interpreter.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::abi_tag_none {
namespace {

// Options for `wheel tags`: from the file name of the module, else from the python tag.
std::string tags_for(const ModuleSuffix& suffix, const WheelName& name, bool stable) {
  std::vector<std::string> releases;  // py310 is meant for CPython 3.10
  for (const std::string& tag : name.python)
    if (const auto parsed = parse_python_tag(tag);
        parsed && parsed->version.major == 3 && parsed->version.minor && parsed->implementation != Implementation::PyPy)
      releases.push_back("cp" + tag.substr(2));
  const auto cpython = releases.begin();
  // Up to 3.7 the tag has an `m`, for pymalloc.
  const auto tags = [](const std::string& version, bool free_threaded) {
    const std::optional<unsigned> minor = cpython_minor(version);
    return fmt::format("--python-tag {} --abi-tag {}{}{}", version, version, minor && *minor < 8 ? "m" : "",
                       free_threaded ? "t" : "");
  };
  if (suffix.kind == ModuleSuffix::Kind::CPython) return tags("cp" + std::string(suffix.version), suffix.free_threaded);
  if (suffix.kind == ModuleSuffix::Kind::Abi3 || stable)
    return fmt::format("--python-tag {} --abi-tag abi3", releases.empty() ? "cp3X" : *cpython);
  if (releases.empty()) return "--python-tag cp3XX.cp3YY --abi-tag cp3XX.cp3YY";
  return tags(*cpython, false);
}

// cp311-none: installers give the wheel to CPython 3.11 alone, of which there is one ABI. Narrow builds existed until
// 3.2, free-threaded ones exist since 3.13.
bool is_for_one_abi(const WheelName& name) {
  const std::optional<unsigned> minor = name.python.size() == 1 ? cpython_minor(name.python.front()) : std::nullopt;
  return minor && *minor >= 3 && *minor < 13;
}

void check(const WheelView& view, const Emit& emit) {
  if (!has_abi(view.wheel.name, "none")) return;
  std::map<std::string, int, std::less<>> copies;  // number of files of a module, each for a different interpreter
  for (const ElfMember& file : view.wheel.elfs)
    if (const auto* const module = std::get_if<ExtensionModule>(&file.role)) ++copies[module->module];
  std::vector<std::string> files;
  std::optional<ElfIndex> first;
  std::string symbol;
  // All modules use the stable ABI alone. A version in a tag or a file name is meant for builds of that version, and
  // its free-threaded ones cannot import them.
  bool stable = std::ranges::none_of(view.wheel.name.python, [](const std::string& tag) {
    const auto parsed = parse_python_tag(tag);
    return parsed && parsed->version.minor;
  });
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (module == nullptr || copies[module->module] > 1) return;
    const std::vector<std::string_view> names = view.analysis.elfs[index.value].python_imports;
    if (names.empty()) return;
    if (!first) first = index, symbol = names.front();
    stable =
        stable && suffix_of(base_name(path_of(view, index))).kind != ModuleSuffix::Kind::CPython &&
        std::ranges::all_of(names, [&](std::string_view name) { return find_stable(view.knowledge, name) != nullptr; });
    files.emplace_back(path_of(view, index));
  });
  if (!first) return;
  const ModuleSuffix suffix = suffix_of(base_name(path_of(view, *first)));
  const std::string tags = tags_for(suffix, view.wheel.name, stable);
  const bool one = files.size() == 1, harmless = is_for_one_abi(view.wheel.name);
  emit({.place = one ? Place{AtElf{*first}} : Place{WholeWheel{}},
        .message = fmt::format("the ABI tag is none, but {} CPython's {}ABI ({}){}",
                               one ? "the module uses" : count_of(files.size(), "module") + " use",
                               stable ? "stable " : "", symbol,
                               harmless ? ""
                               : stable ? ": installers also give the wheel to PyPy and free-threaded CPython"
                                        : ": installers give the wheel to interpreters that cannot import it"),
        .evidence = {{"files", list_of(files)}},
        .fix = (tags.contains("YY")     ? "name each CPython with which it was tried: "
                : tags.contains("cp3X") ? "name the oldest CPython with which it was tried: "
                                        : "") +
               wheel_tags_with(view, tags),
        .severity = harmless ? std::optional(Severity::Note)
                    : stable ? std::optional(Severity::Warning)
                             : std::nullopt});
}

}  // namespace

extern const Rule rule{
    .code = "WC808",
    .name = "abi-tag-none",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::abi_tag_none
