// WC549: the installed protobuf refuses the generated code of another wheel.
#include <fmt/format.h>

#include <algorithm>

#include "import_plan/own_imports.h"
#include "model/protobuf_code.h"
#include "model/requires_dist.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::protobuf_mismatch {
namespace {

void report(const Conflicts& conflicts, DistributionIndex user, DistributionIndex protobuf,
            const std::vector<GeneratedCode>& refusing, const Emit& emit) {
  const Installation& all = conflicts.installation;
  const WheelFacts& wheel = all.distributions[user.value].facts;
  const std::set<MemberIndex> imported = import_plan::imported_files(wheel);
  const auto runs = [&](const GeneratedCode& each) { return imported.contains(each.member); };
  const auto first = std::ranges::find_if(refusing, runs);
  const GeneratedCode& code = first == refusing.end() ? refusing.front() : *first;
  const PythonDescriptor& descriptor = *code.descriptor;
  const bool is_old = !descriptor.before.empty();
  const std::string path(below_site(wheel.members[code.member.value].path.text()));
  std::vector<Evidence> evidence{
      {"error", is_old ? "TypeError: Descriptors cannot be created directly"
                       : "VersionError: Detected incompatible Protobuf Gencode/Runtime versions; before protobuf 5.27 "
                         "an ImportError"},
      {"files", fmt::format("{} of {} that this protobuf refuses", refusing.size(), name_of(all, user))}};
  if (const auto line = requirement_on(all, user, protobuf)) evidence.push_back({"Requires-Dist", std::string(*line)});
  emit({.place = AtPath{path},
        .message = fmt::format(
            "{} refuses {} of {}, which was generated for protobuf {}: {}", name_and_version(all, protobuf), path,
            name_and_version(all, user), is_old ? "before " + descriptor.before : descriptor.since + " or newer",
            first == refusing.end() ? "importing it fails" : fmt::format("the import of {} fails", name_of(all, user))),
        .evidence = std::move(evidence),
        .fix = fmt::format("pip install 'protobuf{}{}', or a version of {} whose code was generated for {}",
                           is_old ? "<" : ">=", is_old ? descriptor.before : descriptor.since, name_of(all, user),
                           name_and_version(all, protobuf)),
        .severity = first == refusing.end() ? Severity::Warning : Severity::Error});
}

void check_set(const SetView& view, const Emit& emit) {
  const auto& distributions = view.conflicts.installation.distributions;
  const auto protobuf = std::ranges::find(distributions, "protobuf", [](const Distribution& each) {
    return normal_project_name(name_of_distribution(each.facts));
  });
  if (protobuf == distributions.end()) return;
  const std::string version = version_of(protobuf->facts);
  const DistributionIndex provider{static_cast<std::uint32_t>(protobuf - distributions.begin())};
  for (std::uint32_t i = 0; i < distributions.size() && !version.empty(); ++i) {
    if (DistributionIndex{i} == provider) continue;
    const auto refusing = refusing_code(generated_code(distributions[i].facts), version);
    if (!refusing.empty()) report(view.conflicts, {i}, provider, refusing, emit);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC549",
    .name = "protobuf-mismatch",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::protobuf_mismatch
