// First who is asked for with which extras, until nothing is added; then one walk in depth, on a stack of its own.
#include "wheel/closure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "model/dependency.h"
#include "wheel/marker.h"

namespace wheelcheck::wheel {
namespace {

std::string_view marker_of(std::string_view line) {
  const std::size_t semicolon = line.find(';');
  return semicolon == line.npos ? std::string_view() : line.substr(semicolon + 1);
}

// Of one distribution; the longest lists that are in use have a fifth of this.
constexpr std::size_t most_extras = 512, most_lines = 4096;

class Closure {
 public:
  Closure(std::span<const DistInfo> distributions, const std::string& python)
      : distributions_(distributions), python_(python), asked_(distributions.size()), needs_(distributions.size()) {
    for (std::size_t i = 0; i < distributions.size(); ++i) by_project_.try_emplace(distributions[i].project, i);
  }

  Result<std::vector<std::size_t>> run(std::span<const std::string> names) {
    std::vector<std::size_t> roots;
    for (const std::string& name : names) {
      const Dependency asked = parse_dependency(name);
      const auto found = by_project_.find(asked.name);
      if (found == by_project_.end()) return std::unexpected(Error{ErrorCode::NotFound, not_installed(name)});
      roots.push_back(found->second);
      ask(found->second, asked.extras);
    }
    if (names.empty()) {
      for (std::size_t i = 0; i < distributions_.size(); ++i) {
        roots.push_back(i);
        ask(i, {});
      }
      std::ranges::sort(roots, {}, [&](std::size_t i) { return std::pair(distributions_[i].project, i); });
    }
    while (!waiting_.empty()) {
      const auto [distribution, extra] = std::move(waiting_.back());
      waiting_.pop_back();
      find_needs(distribution, extra);
    }
    return order(roots);
  }

 private:
  std::string not_installed(std::string_view name) const {
    std::vector<std::string> known;
    for (const auto& [project, index] : by_project_) known.emplace_back(project);
    static constexpr std::size_t most = 20;
    const bool more = known.size() > most;
    known.resize(std::min(known.size(), most));
    return fmt::format("{} is not installed there; {}{}", escape(name),
                       known.empty() ? "nothing is" : "what is: " + escape(join(known, ", ")), more ? ", ..." : "");
  }

  void ask(std::size_t distribution, const std::vector<std::string>& extras) {
    std::set<std::string>& asked = asked_[distribution];
    if (asked.insert("").second) waiting_.emplace_back(distribution, "");
    for (const std::string& extra : extras)
      if (asked.size() <= most_extras && asked.insert(extra).second) waiting_.emplace_back(distribution, extra);
  }

  void find_needs(std::size_t distribution, const std::string& extra) {
    const std::vector<std::string>& lines = distributions_[distribution].requires_dist;
    for (const std::string& line : std::span(lines).first(std::min(lines.size(), most_lines))) {
      const Dependency needed = parse_dependency(line);
      const auto found = by_project_.find(needed.name);
      if (found == by_project_.end() || !asks_for(marker_of(line), python_, extra)) continue;
      needs_[distribution].push_back(found->second);
      ask(found->second, needed.extras);
    }
  }

  std::vector<std::size_t> order(const std::vector<std::size_t>& roots) const {
    struct Frame {
      std::size_t distribution, next = 0;
    };
    std::vector<std::size_t> out;
    std::vector<bool> entered(distributions_.size());
    std::vector<Frame> stack;
    const auto enter = [&](std::size_t distribution) {
      if (entered[distribution]) return;
      entered[distribution] = true;
      stack.push_back({distribution});
    };
    for (const std::size_t root : roots) {
      enter(root);
      while (!stack.empty()) {
        Frame& frame = stack.back();
        if (frame.next < needs_[frame.distribution].size()) {
          enter(needs_[frame.distribution][frame.next++]);
          continue;
        }
        out.push_back(frame.distribution);
        stack.pop_back();
      }
    }
    return out;
  }

  const std::span<const DistInfo> distributions_;
  const std::string& python_;
  std::map<std::string_view, std::size_t> by_project_;
  std::vector<std::set<std::string>> asked_;  // by distribution: the extras, "" among them; empty: nobody asks for it
  std::vector<std::vector<std::size_t>> needs_;
  std::vector<std::pair<std::size_t, std::string>> waiting_;
};

}  // namespace

Result<std::vector<std::size_t>> in_import_order(std::span<const DistInfo> distributions,
                                                 std::span<const std::string> names, const std::string& python) {
  return Closure(distributions, python).run(names);
}

}  // namespace wheelcheck::wheel
