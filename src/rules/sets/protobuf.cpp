// Generated code of protobuf, and the protobuf that all wheels of a process share.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "import_plan/own_imports.h"
#include "model/protobuf_code.h"
#include "model/requires_dist.h"
#include "rules/sets/set_common.h"

// WC243: Python code of two wheels adds different descriptors of one name to the pool of protobuf.
namespace wheelcheck::rules::descriptor_twice {
namespace {

// A file of generated code, in its distribution.
struct Adder {
  DistributionIndex distribution;
  GeneratedCode code;
};
using Adders = std::vector<Adder>;

// What two distributions add differently. The names of .proto files come first, because protobuf compares them first.
struct Clash {
  Adder one, two;  // the first; those that the imports run first
  std::string name;
  bool is_file = false;
  bool certain = false;
  std::set<std::string> files;  // the names of all .proto files that clash
};

std::string_view path_of(const Installation& all, const Adder& adder) {
  const WheelFacts& wheel = all.distributions[adder.distribution.value].facts;
  return below_site(wheel.members[adder.code.member.value].path.text());
}

class Finder {
 public:
  explicit Finder(const Installation& all) : all_(all) {
    for (std::uint32_t i = 0; i < all.distributions.size(); ++i) {
      const WheelFacts& wheel = all.distributions[i].facts;
      const auto code = generated_code(wheel);
      if (!code.empty()) imported_.emplace(DistributionIndex{i}, import_plan::imported_files(wheel));
      for (const GeneratedCode& each : code) {
        by_file_[each.descriptor->file].push_back({{i}, each});
        for (const std::string& name : each.descriptor->names) by_name_[name].push_back({{i}, each});
      }
    }
  }

  std::map<std::pair<DistributionIndex, DistributionIndex>, Clash> find() {
    for (const auto& [file, adders] : by_file_) compare(adders, file, true);
    for (const auto& [name, adders] : by_name_) compare(adders, name, false);
    return std::move(found_);
  }

 private:
  bool runs(const Adder& adder) const { return imported_.at(adder.distribution).contains(adder.code.member); }

  // The adders of one name, by distribution: they are in order.
  void compare(const Adders& adders, std::string_view name, bool is_file) {
    std::vector<std::pair<Adders::const_iterator, Adders::const_iterator>> groups;
    for (auto at = adders.begin(); at != adders.end();) {
      const auto end =
          std::find_if(at, adders.end(), [&](const Adder& each) { return each.distribution != at->distribution; });
      groups.emplace_back(at, end);
      at = end;
    }
    // Compared with the first distribution only: a name in many of them is one library's.
    for (std::size_t i = 1; i < groups.size(); ++i) compare(groups.front(), groups[i], name, is_file);
  }
  void compare(const std::pair<Adders::const_iterator, Adders::const_iterator>& first,
               const std::pair<Adders::const_iterator, Adders::const_iterator>& second, std::string_view name,
               bool is_file) {
    // A wheel can have several variants of a file, of which its code selects one: a conflict only if none is equal.
    std::set<std::string_view> digests, files, paths;
    for (auto at = first.first; at != first.second; ++at) {
      digests.insert(at->code.descriptor->digest);
      files.insert(at->code.descriptor->file);
      paths.insert(path_of(all_, *at));
    }
    for (auto at = second.first; at != second.second; ++at) {
      // Equal descriptors are accepted if also the names of their files are. Other names of one file: see `is_file`.
      if (digests.contains(at->code.descriptor->digest)) return;
      if (!is_file && files.contains(at->code.descriptor->file)) return;
      if (paths.contains(path_of(all_, *at))) return;  // one overwrites the other (WC542)
    }
    const auto pick = [&](const auto& group) {
      const auto at = std::find_if(group.first, group.second, [&](const Adder& each) { return runs(each); });
      return at == group.second ? *group.first : *at;
    };
    const Adder one = pick(first), two = pick(second);
    const bool certain = runs(one) && runs(two);
    const auto [at, is_new] = found_.try_emplace({one.distribution, two.distribution},
                                                 Clash{one, two, std::string(name), is_file, certain, {}});
    if (!is_new && certain && !at->second.certain)
      at->second = {one, two, std::string(name), is_file, true, std::move(at->second.files)};
    if (is_file) at->second.files.insert(std::string(name));
  }

  const Installation& all_;
  std::map<DistributionIndex, std::set<MemberIndex>> imported_;
  std::map<std::string_view, Adders> by_file_, by_name_;
  std::map<std::pair<DistributionIndex, DistributionIndex>, Clash> found_;
};

// protobuf 3 compares only in its C++ implementation, which not every wheel of it contains.
bool compares(const Installation& all) {
  const auto protobuf = std::ranges::find(all.distributions, "protobuf", [](const Distribution& each) {
    return normal_project_name(name_of_distribution(each.facts));
  });
  return protobuf == all.distributions.end() || !allows("<4", version_of(protobuf->facts)).value_or(false) ||
         !protobuf->facts.elfs.empty();
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  if (!compares(all)) return;
  for (const auto& [distributions, clash] : Finder(all).find()) {
    const std::string first = name_of(all, distributions.first), second = name_of(all, distributions.second);
    std::vector<Evidence> evidence{
        {first, fmt::format("{}:{}", path_of(all, clash.one), clash.one.code.descriptor->line)},
        {second, fmt::format("{}:{}", path_of(all, clash.two), clash.two.code.descriptor->line)},
        {"error", fmt::format("TypeError: Couldn't build proto file into descriptor pool: duplicate {} {}",
                              clash.is_file ? "file name" : "symbol", clash.name)},
        {"import order", "any"}};
    if (clash.files.size() > 1) evidence.push_back({".proto files", list_of({clash.files.begin(), clash.files.end()})});
    emit({.place = AtPath{std::string(path_of(all, clash.two))},
          .message = fmt::format(
              "{} of {} and {} of {} both register {} with protobuf, and differ: importing {} raises TypeError "
              "(duplicate {})",
              path_of(all, clash.one), first, path_of(all, clash.two), second, clash.name,
              clash.certain ? "both packages" : "both files", clash.is_file ? "file name" : "symbol"),
          .evidence = std::move(evidence),
          .fix = fmt::format("use {} and {} in different processes; in one of them: {}", first, second,
                             clash.is_file ? fmt::format("give the .proto file a unique path, such as NAME/{}, and "
                                                         "import it in protoc by that path",
                                                         base_name(clash.name))
                                           : std::string("rename the package of the .proto file")),
          .severity = clash.certain ? Severity::Error : Severity::Warning});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC243",
    .name = "descriptor-twice",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::descriptor_twice

// WC549: the installed protobuf refuses the generated code of another wheel.
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
