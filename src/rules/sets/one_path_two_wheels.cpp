// WC542: two distributions install a file to the same path.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::one_path_two_wheels {
namespace {

struct Installed {
  DistributionIndex distribution;
  std::string hash;  // "" if unknown
};
struct Clash {
  std::vector<std::string> different;
  std::size_t same = 0;
};

// Directories that wheels contain by mistake and nobody imports: overwriting them is harmless.
constexpr std::array stray = std::to_array<std::string_view>(
    {"benchmark", "benchmarks", "doc", "docs", "example", "examples", "script", "scripts", "test", "tests", "tools"});

// The path below site-packages; "" for files that are specific to a distribution.
std::string installed_path(const WheelFacts& wheel, std::string_view path) {
  const std::string_view top = path.substr(0, path.find('/'));
  if (top.ends_with(".dist-info") || top.ends_with(".egg-info")) return "";
  if (!top.ends_with(".data") || !wheel.dist_info) return std::string(path);
  const std::string_view rest = path.substr(std::min(top.size() + 1, path.size()));
  for (const std::string_view scheme : {"purelib/", "platlib/"})
    if (rest.starts_with(scheme)) return std::string(rest.substr(scheme.size()));
  return "../" + std::string(rest);
}

// Hashes by path. An environment has only the file that was installed last, but the RECORD of each distribution.
std::map<std::string_view, std::string_view> files_of(const WheelFacts& wheel) {
  std::map<std::string_view, std::string_view> out;
  if (wheel.record)
    for (const RecordRow& row : *wheel.record)
      if (!row.hash.empty() && !row.path.starts_with("../")) out.emplace(row.path, row.hash);
  for (const MemberFacts& member : wheel.members) out.emplace(member.path.text(), member.sha256);
  return out;
}

std::map<std::pair<DistributionIndex, DistributionIndex>, Clash> clashes(const Installation& all) {
  std::map<std::string, std::vector<Installed>> paths;
  std::map<std::pair<DistributionIndex, DistributionIndex>, Clash> out;
  for (std::uint32_t p = 0; p < all.distributions.size(); ++p) {
    const WheelFacts& wheel = all.distributions[p].facts;
    for (const auto& [listed, content] : files_of(wheel)) {
      std::string path = installed_path(wheel, listed), hash(content);
      if (path.empty() || path.ends_with(".pyc")) continue;
      std::vector<Installed>& owners = paths[path];
      // Compared with the first owner only: a path in many distributions is a namespace package.
      if (!owners.empty() && owners.front().distribution != DistributionIndex{p}) {
        Clash& clash = out[{owners.front().distribution, DistributionIndex{p}}];
        if (!hash.empty() && hash == owners.front().hash) {
          ++clash.same;
        } else {
          clash.different.push_back(std::move(path));
        }
        continue;
      }
      owners.push_back({{p}, std::move(hash)});
    }
  }
  return out;
}

// Commands of one name are usually one program (tensorboard in tensorflow and tensorboard).
bool is_stray(const std::string& path) {
  return std::ranges::find(stray, std::string_view(path).substr(0, path.find('/'))) != stray.end() ||
         path.find('/') == path.npos || path.starts_with("../scripts/");
}

std::string fix_of(const Installation& all, DistributionIndex first, DistributionIndex second) {
  const std::string one = name_of(all, first), two = name_of(all, second);
  if (all.projects.contains(one) || all.projects.contains(two))
    return fmt::format("these are one project: pip uninstall {} {}, then install the one that is wanted",
                       shell_word(one), shell_word(two));
  // A user cannot leave out one of them.
  const bool by_first = requirement_on(all, first, second).has_value();
  if (by_first || requirement_on(all, second, first))
    return fmt::format("{} requires {}: its wheel must not contain the files of {}", by_first ? one : two,
                       by_first ? two : one, by_first ? two : one);
  return fmt::format("install one of {} and {}; their authors must rename the files", one, two);
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (auto& [pair, clash] : clashes(all)) {
    if (clash.different.empty()) continue;  // the content is the same, regardless of the order
    std::ranges::sort(clash.different);
    const std::string first = name_of(all, pair.first), second = name_of(all, pair.second);
    const bool harmless = std::ranges::all_of(clash.different, is_stray);
    emit({.place = AtPath{clash.different.front()},
          .message =
              fmt::format("{} and {} both install {} with different content", first, second, first_of(clash.different)),
          .evidence = {{"paths", list_of(clash.different)},
                       {"winner",
                        fmt::format("the one that is installed last: {} if {} comes after {}", second, second, first)},
                       {"also", "uninstalling either removes the files of both"}},
          .fix = fix_of(all, pair.first, pair.second),
          .severity = harmless ? Severity::Warning : Severity::Error});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC542",
    .name = "one-path-two-wheels",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::one_path_two_wheels
