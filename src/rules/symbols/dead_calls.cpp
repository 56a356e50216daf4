#include "rules/symbols/dead_calls.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"

namespace wheelcheck::rules {
namespace {

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

class DeadCalls {
 public:
  DeadCalls(const WheelView& view, const PythonFile& file)
      : view_(view), file_(file), package_(folder_of(view.wheel.members[file.member.value].path.text())) {}

  std::vector<bool> find() {
    find_failing_attempts();
    std::vector<bool> dead(file_.calls.size());
    if (std::ranges::none_of(failing_, [](bool fails) { return fails; })) return dead;
    find_false_conditions();
    find_live_units();
    std::vector<bool> named(dead.size()), live(dead.size());
    for_each_event([&](std::size_t unit, const PythonEvent& event) {
      if (event.call >= dead.size()) return;
      named[event.call] = true;
      if (live_[unit] && may_run(event)) live[event.call] = true;
    });
    for (std::size_t i = 0; i < dead.size(); ++i) dead[i] = named[i] && !live[i];
    return dead;
  }

 private:
  template <class Visit>
  void for_each_event(Visit visit) const {
    for (std::size_t unit = 0; unit < file_.units.size(); ++unit) {
      const PythonUnit& one = file_.units[unit];
      for (std::uint32_t i = one.first; i - one.first < one.count && i < file_.events.size(); ++i)
        visit(unit, file_.events[i]);
    }
  }

  bool contains(const std::string& path) const {
    const auto& members = view_.wheel.members;  // by path
    const auto at = std::ranges::lower_bound(members, path, {}, [](const MemberFacts& m) { return m.path.text(); });
    return at != members.end() && at->path.text().starts_with(path);
  }
  // A module file, an extension module or a package of that name.
  bool has_module(const std::string& path) const { return contains(path + ".") || contains(path + "/"); }

  // True if the import is relative, and a name that it takes is no module of the wheel. The name may be a variable of
  // the package, which is not known here, so that only names count that begin with '_' as those of marker modules do.
  bool certainly_fails(const PythonEvent& event) const {
    if (event.action != PythonAction::Import || !event.name.starts_with('.')) return false;
    std::string_view folder = package_;
    std::string_view rest = std::string_view(event.name).substr(1);
    for (; rest.starts_with('.'); rest.remove_prefix(1)) folder = folder_of(folder);
    std::string base(folder);
    for (const std::string_view part : split(rest, '.'))
      if (!part.empty()) base += "/" + std::string(part);
    if (!rest.empty()) return !has_module(base);
    return std::ranges::any_of(event.names, [&](const std::string& name) {
      return name.starts_with('_') && !name.starts_with("__") && !has_module(base + "/" + name);
    });
  }

  void find_failing_attempts() {
    for (const PythonEvent& event : file_.events) {
      if (event.attempt == no_python_index || event.reach != Reach::Certain || !certainly_fails(event)) continue;
      if (event.attempt >= file_.events.size() + file_.conditions.size()) continue;  // numbers are dense
      if (failing_.size() <= event.attempt) failing_.resize(event.attempt + 1);
      failing_[event.attempt] = true;
    }
  }

  // A condition comes after the one that must also be true.
  void find_false_conditions() {
    for (std::size_t i = 0; i < file_.conditions.size(); ++i) {
      const PythonCondition& one = file_.conditions[i];
      const bool own = one.succeeds && one.attempt < failing_.size() && failing_[one.attempt];
      false_.push_back(own || (one.outer < i && false_[one.outer]));
    }
  }
  bool may_run(const PythonEvent& event) const { return event.condition >= false_.size() || !false_[event.condition]; }

  // The module's body, functions that only other files use, and what these call.
  void find_live_units() {
    const std::size_t count = file_.units.size();
    std::vector<std::vector<std::size_t>> calls(count);
    std::vector<bool> called(count);
    for_each_event([&](std::size_t unit, const PythonEvent& event) {
      const bool runs = event.action == PythonAction::Call || event.action == PythonAction::Enter ||
                        event.action == PythonAction::Leave;
      if (!runs || event.target >= count) return;
      called[event.target] = true;
      if (may_run(event)) calls[unit].push_back(event.target);
    });
    live_.assign(count, false);
    std::vector<std::size_t> queue;
    for (std::size_t unit = 0; unit < count; ++unit)
      if (unit == 0 || (!file_.units[unit].name.empty() && !called[unit])) queue.push_back(unit);
    for (const std::size_t unit : queue) live_[unit] = true;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const std::size_t target : calls[queue[at]])
        if (!live_[target]) {
          live_[target] = true;
          queue.push_back(target);
        }
  }

  const WheelView& view_;
  const PythonFile& file_;
  std::string_view package_;
  std::vector<bool> failing_;  // by attempt
  std::vector<bool> false_;    // by condition
  std::vector<bool> live_;     // by unit
};

}  // namespace

std::vector<bool> dead_calls(const WheelView& view, const PythonFile& file) { return DeadCalls(view, file).find(); }

}  // namespace wheelcheck::rules
