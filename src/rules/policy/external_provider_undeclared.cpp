// WC106: a library is known to be in another wheel, and METADATA does not require that wheel.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/installed_with.h"
#include "model/requirement.h"
#include "rules/gpu/gpu_common.h"
#include "rules/loading/path_repair.h"

namespace wheelcheck::rules::external_provider_undeclared {
namespace {

struct Missing {
  std::vector<std::string> libraries, externals;
};

// A distribution, and how METADATA requires it: not at all, or only under extras.
struct Lack {
  std::string distribution;
  std::set<std::string> extras;
};

class Finder {
 public:
  explicit Finder(const WheelView& view)
      : view_(view), own_(own_name(view)), requirements_(view.wheel, view.knowledge.distributions) {}

  // For a library that was not found: what the user's configuration declares about its provider.
  std::optional<Lack> lack_of_declared(std::string_view library) const {
    const auto fits = [&](const ExternalLibrary& one) {
      return !one.distribution.empty() && glob_match(one.library, library);
    };
    const auto entry = std::ranges::find_if(view_.options.external, fits);
    if (entry == view_.options.external.end() || entry->when == "optional") return std::nullopt;
    const std::string distribution = normal_project_name(entry->distribution);
    InstalledBy requested = requirements_.first_of({distribution});
    const bool always = !requested.distribution.empty() && requested.extras.empty();
    constexpr std::string_view extra = "extra:";
    const bool as_said = entry->when.starts_with(extra) && requested.extras.contains(entry->when.substr(extra.size()));
    if (always || as_said || distribution == own_) return std::nullopt;
    return Lack{distribution, std::move(requested.extras)};
  }

  std::optional<Lack> lack_of(std::string_view library) {
    const auto [at, fresh] = known_.try_emplace(library);
    if (!fresh) return at->second;
    if (bundled_copy(view_, library)) return std::nullopt;  // in the wheel, but not found: WC103
    const std::vector<std::string> holders = holders_of(view_, library);
    if (holders.empty() || std::ranges::find(holders, own_) != holders.end()) return std::nullopt;
    InstalledBy requested = requirements_.first_of(holders);
    if (!requested.distribution.empty() && requested.extras.empty()) return std::nullopt;
    // Several distributions, as for several CUDA majors: METADATA requires none, and which one is right is not known.
    at->second = Lack{requested.distribution.empty() ? join(holders, " or ") : requested.distribution,
                      std::move(requested.extras)};
    return at->second;
  }

 private:
  const WheelView& view_;
  std::string own_;
  const InstalledWith requirements_;
  std::map<std::string_view, std::optional<Lack>> known_;
};

// `lacks`: those with the same extras. One finding names all distributions of a file.
void report(const Emit& emit, ElfIndex index, const std::set<std::string>& required_by,
            const std::map<std::string, Missing>& lacks) {
  std::vector<std::string> distributions, libraries, externals;
  for (const auto& [distribution, missing] : lacks) {
    distributions.push_back(distribution);
    libraries.insert(libraries.end(), missing.libraries.begin(), missing.libraries.end());
    externals.insert(externals.end(), missing.externals.begin(), missing.externals.end());
  }
  const std::vector<std::string> extras(required_by.begin(), required_by.end());
  const std::string how = extras.empty() ? std::string("does not require")
                                         : fmt::format("requires only under the extra {}", fmt::join(extras, " or "));
  emit({.place = AtElf{index},
        .message =
            fmt::format("requires {} of the {} {}, which METADATA {}", first_of(libraries),
                        distributions.size() == 1 ? "distribution" : "distributions", join(distributions, ", "), how),
        .evidence = {{"libraries", list_of(libraries)}, {"distribution", join(distributions, ", ")}},
        .fix = fmt::format("add {} to the dependencies, or declare {} optional: {}", join(distributions, ", "),
                           distributions.size() == 1 ? "it" : "them", fmt::join(externals, " ")),
        .severity = extras.empty() ? Severity::Warning : Severity::Note});
}

// What METADATA requires has the library; of a back end WC103 reports it.
bool is_known_source(const LibrarySource& source) {
  return source.kind == LibrarySource::Kind::Distribution || source.kind == LibrarySource::Kind::BackEnd;
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.metadata) return;  // the requirements are unknown
  Finder finder(view);
  std::set<std::pair<ElfIndex, std::string_view>> unmet;  // WC103, whose fix names the distribution
  if (!view.options.self_contained)
    for (const auto& requirement : unmet_requirements_of<LibraryRequirement>(view))
      unmet.emplace(requirement.elf, requirement.what->library);
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    if (index.value >= view.resolution.needed.size()) return;
    std::map<std::set<std::string>, std::map<std::string, Missing>> lacks;  // by extras and distribution
    for (const NeededFound& found : view.resolution.needed[index.value]) {
      const bool is_declared = found.found == Found::Declared;
      if (found.found == Found::InWheel || found.found == Found::InProcess) continue;
      if (found.unreached && found.unreached->wheel.value == 0)
        continue;  // the wheel contains it, and no search path leads there: WC506
      if (found.source && is_known_source(view.resolution.sources[found.source->value])) continue;
      const std::optional<Lack> lack = is_declared ? finder.lack_of_declared(found.name) : finder.lack_of(found.name);
      if (!lack || (lack->extras.empty() && !is_declared && unmet.contains({index, found.name}))) continue;
      Missing& missing = lacks[lack->extras][lack->distribution];
      missing.libraries.emplace_back(found.name);
      missing.externals.push_back("--external " + shell_word(found.name));
    }
    for (const auto& [extras, missing] : lacks) report(emit, index, extras, missing);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC106",
    .name = "external-provider-undeclared",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::external_provider_undeclared
