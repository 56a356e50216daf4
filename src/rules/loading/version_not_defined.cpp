// WC515: a library of the wheel lacks a version that its user requires, so it is another build than the one that the
// user was linked against.
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules::version_not_defined {
namespace {

void check(const WheelView& view, const Emit& emit) {
  std::map<ElfIndex, std::vector<std::vector<std::string>>> symbols;
  for (const MissingVersion& missing : view.resolution.missing_versions) {
    const ElfMember& user = view.wheel.elfs[missing.user.value];
    if (!user.facts.dynamic) continue;
    const auto by_need = symbols.try_emplace(missing.user);
    if (by_need.second) by_need.first->second = symbols_by_need(*user.facts.dynamic);
    const VersionNeed& need = user.facts.dynamic->needs[missing.need.value];
    const std::vector<std::string>& names = by_need.first->second[missing.need.value];
    const std::string provider = missing.provider.wheel.value == 0 ? std::string(path_of(view, missing.provider.elf))
                                                                   : "another wheel of the run";
    std::vector<Evidence> evidence{
        {"library", std::string(need.library)}, {"version", std::string(need.version)}, {"found in", provider}};
    if (!names.empty()) evidence.push_back({"symbols", list_of(names, shown_symbols)});
    emit({.place = AtElf{missing.user},
          .message = fmt::format("requires {} of {}, which {} does not define", need.version, need.library, provider),
          .evidence = std::move(evidence),
          .fix = fmt::format("bundle the {} that it was linked against, or link it against the one that is bundled",
                             need.library),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC515",
    .name = "version-not-defined",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::version_not_defined
