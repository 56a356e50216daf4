// WC541: the static TLS block of the process has no space left for a library.
#include <fmt/format.h>

#include <algorithm>

#include "rules/sets/set_common.h"

namespace wheelcheck::rules::static_tls_exhausted {
namespace {

// The files that were loaded before and use space in the block: those with initial-exec TLS.
std::vector<Evidence> takers(const Conflicts& conflicts, const ImportFailure& failure) {
  std::vector<Evidence> out;
  const Installation& all = conflicts.installation;
  for (const process::Loaded& each : conflicts.outcomes[failure.load_plan].loaded) {
    const ElfFacts* const facts = all.world.files[each.file.value].facts;
    if (!each.by || facts == nullptr || !facts->dynamic || facts->dynamic->static_tls_relocations == 0) continue;
    if (facts->segments.tls_size == 0 || out.size() >= shown_items) continue;
    out.push_back({std::string(file_name(all, each.file)), fmt::format("{} bytes", facts->segments.tls_size)});
  }
  return out;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const FailureGroup& group : grouped_failures(conflicts)) {
    const ImportFailure& failure = *group.first;
    if (!failure.missing || failure.missing->what != process::Missing::What::StaticTls) continue;
    const bool is_musl = all.world.platform.loader == process::Loader::Musl;
    const process::ObjectIndex file = failure.missing->library.value_or(failure.missing->from);
    std::vector<Evidence> evidence{{"ImportError", failure.error}};
    std::ranges::move(takers(conflicts, failure), std::back_inserter(evidence));
    add_orders(conflicts, group.load_plans, evidence);
    emit({.place = AtObject{file},
          .message =
              fmt::format("{} fails{}: {} requires {} bytes of static TLS, but {}", what_fails(all, *group.open),
                          failure.alone ? "" : " with the other imports", file_name(all, file), failure.missing->bytes,
                          is_musl ? "musl has none for files that are opened later"
                                  : fmt::format("only {} are free", failure.missing->free)),
          .evidence = std::move(evidence),
          .fix = is_musl ? "build without -ftls-model=initial-exec"
                         : "build without -ftls-model=initial-exec; a "
                           "user can set GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096 (glibc 2.33 and later)",
          .severity = failure.maybe ? Severity::Warning : Severity::Error,
          .load_plans = group.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC541",
    .name = "static-tls-exhausted",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::static_tls_exhausted
