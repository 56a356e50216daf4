// Python code that opens libraries with RTLD_GLOBAL, and whether it runs.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "rules/common.h"
#include "rules/sets/set_common.h"

// Calls in Python code that never run, because the code before them imports a module that the wheel does not contain.
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

// One flag per element of PythonFile::calls. The usual form is
//   try: from . import _gpu_build
//   except ImportError: return
std::vector<bool> dead_calls(const WheelView& view, const PythonFile& file) { return DeadCalls(view, file).find(); }

}  // namespace
}  // namespace wheelcheck::rules

// WC205: Python code opens libraries with RTLD_GLOBAL, so their symbols take precedence over those of libraries that
// are imported later.
namespace wheelcheck::rules::global_scope_load {
namespace {

std::string what_it_does(const PythonCall& call) {
  if (call.call == LoadCall::SetDlopenFlags)
    return "sets RTLD_GLOBAL for later imports, so that their symbols take precedence over those of later libraries";
  const std::string library = call.library ? call.library->substr(call.library->rfind('/') + 1) : "a library";
  return fmt::format("opens {} with RTLD_GLOBAL, so that its symbols take precedence over those of later libraries",
                     library);
}

std::string fix_of(const PythonCall& call) {
  if (call.call == LoadCall::SetDlopenFlags)
    return "remove the call of sys.setdlopenflags, and link the modules that need the symbols with their library "
           "(DT_NEEDED, with $ORIGIN in RUNPATH)";
  return "open it without RTLD_GLOBAL, which is the default of ctypes, and link the modules that need its symbols with "
         "it (DT_NEEDED)";
}

// The effect of that call when a file of the wheel is imported; null if it is unknown.
const GlobalImports* effect_of(const WheelView& view, MemberIndex file, const PythonCall& call) {
  if (call.call != LoadCall::SetDlopenFlags) return nullptr;
  for (const GlobalImports& effect : view.analysis.global_imports)
    if (effect.file == file && effect.line == call.line) return &effect;
  return nullptr;
}

std::string where_from(const WheelView& view, const GlobalImports& effect) {
  return fmt::format("{}, line {}", view.wheel.members[effect.through->value].path.text(), effect.through_line);
}

std::string modules_of(const WheelView& view, const GlobalImports& effect) {
  std::vector<std::string> names;
  for (const ElfIndex elf : effect.modules)
    if (const auto* module = std::get_if<ExtensionModule>(&view.wheel.elfs[elf.value].role))
      names.push_back(module->module);
  return list_of(names);
}

// Test code runs in the process of the project's own tests only.
bool is_test(std::string_view path) {
  const std::string_view name = base_name(path);
  if (name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py") return true;
  for (const std::string_view part : split(path, '/'))
    if (part == "test" || part == "tests" || part == "testing") return true;
  return false;
}

void check(const WheelView& view, const Emit& emit) {
  for (const PythonFile& file : view.wheel.python) {
    const auto reach_of = [&](const PythonCall& call) {
      const GlobalImports* const effect = effect_of(view, file.member, call);
      return effect ? std::max(effect->reach, call.reach) : call.reach;
    };
    const std::vector<bool> dead = dead_calls(view, file);
    std::vector<const PythonCall*> global;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < file.calls.size(); ++i) {
      const PythonCall& call = file.calls[i];
      if (!call.global || dead[i]) continue;
      const bool again = !global.empty() && global.back()->line == call.line;
      if (!again) shown.push_back(fmt::format("line {}, {}: {}", call.line, name_of(reach_of(call)), call.text));
      global.push_back(&call);
    }
    if (global.empty()) continue;
    const PythonCall& worst = **std::ranges::max_element(
        global, {}, [&](const PythonCall* call) { return std::pair(reach_of(*call), ~call->line); });
    const Reach reach = reach_of(worst);
    std::string message = fmt::format("line {} {}", worst.line, what_it_does(worst));
    std::vector<Evidence> evidence = {{"calls", list_of(shown)}, {"runs on import", std::string(name_of(reach))}};
    if (const GlobalImports* const effect = effect_of(view, file.member, worst)) {
      if (effect->through) {
        message += "; called by " + where_from(view, *effect);
        evidence.push_back({"called by", where_from(view, *effect)});
      }
      if (!effect->modules.empty()) evidence.push_back({"imported with it", modules_of(view, *effect)});
    }
    emit({.place = AtMember{file.member},
          .message = std::move(message),
          .evidence = std::move(evidence),
          .fix = fix_of(worst),
          .severity = reach == Reach::Possible || is_test(view.wheel.members[file.member.value].path.text())
                          ? Severity::Note
                          : Severity::Warning,
          .confidence = reach == Reach::Certain ? Confidence::High : Confidence::Medium});
  }
}

// For several wheels: reports the effect.
void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const Publication& publication : conflicts.publications) {
    if (!publication.flags) continue;
    std::vector<std::string> files;
    for (const process::ObjectIndex file : publication.files) files.emplace_back(file_name(all, file));
    emit({.place = AtObject{publication.files.front()},
          .message = fmt::format("{} puts {} with {} into the global scope", name_of(all, publication.distribution),
                                 count_of(files.size(), "file"), count_of(publication.exports, "export")),
          .evidence = {{"by", rules::shown(all, *publication.flags)}, {"libraries", list_of(files)}},
          .fix = "open them without RTLD_GLOBAL; modules that need their symbols name them in DT_NEEDED",
          .severity = Severity::Note});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC205",
    .name = "global-scope-load",
    .severity = Severity::Warning,
    .check = check,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::global_scope_load
