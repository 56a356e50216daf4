// Python code that opens libraries with RTLD_GLOBAL, and whether it runs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "import_plan/modules.h"
#include "import_plan/own_imports.h"
#include "model/module_names.h"
#include "rules/common.h"
#include "rules/sets/set_common.h"
#include "rules/symbols/global_scope.h"

// Calls in Python code that never run, because the code before them imports a module that the wheel does not contain.
namespace wheelcheck::rules {
namespace {

class DeadCalls {
 public:
  DeadCalls(const WheelView& view, const PythonFile& file)
      : view_(view), file_(file), package_(view.wheel.members[file.member.value].path.directory()) {}

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
    for (; rest.starts_with('.'); rest.remove_prefix(1)) folder = directory_name(folder);
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

// The effect of that call when a file of the wheel is imported; null if it is unknown.
const GlobalImports* effect_of(const WheelView& view, MemberIndex file, const PythonCall& call) {
  if (call.call != LoadCall::SetDlopenFlags) return nullptr;
  for (const GlobalImports& effect : view.analysis.global_imports)
    if (effect.file == file && effect.line == call.line) return &effect;
  return nullptr;
}

// A name in the path begins with '_', and it is not __init__.py alone.
bool is_private_module(std::string_view path) {
  return std::ranges::any_of(split(path, '/'),
                             [](std::string_view part) { return part.starts_with('_') && part != "__init__.py"; });
}

}  // namespace

std::vector<GlobalCall> global_calls(const WheelView& view) {
  std::vector<GlobalCall> result;
  std::optional<import_plan::OwnLibraries> libraries;
  std::optional<std::set<MemberIndex>> imported;
  for (const PythonFile& file : view.wheel.python) {
    if (std::ranges::none_of(file.calls, &PythonCall::global)) continue;
    if (!libraries) libraries.emplace(view.wheel);
    const bool is_private = is_private_module(view.wheel.members[file.member.value].path.text());
    if (is_private && view.wheel.all_python && !imported) imported = import_plan::files_of_public_imports(view.wheel);
    // ladybug 0.19.0: only a function that the user's code runs imports the module.
    const bool never = is_private && imported && !imported->contains(file.member);
    const std::vector<bool> dead = dead_calls(view, file);
    for (std::size_t i = 0; i < file.calls.size(); ++i) {
      const PythonCall& call = file.calls[i];
      if (!call.global || dead[i]) continue;
      GlobalCall one{
          .file = file.member, .call = &call, .reach = call.reach, .effect = effect_of(view, file.member, call)};
      if (one.effect != nullptr) {
        one.reach = std::max(one.effect->reach, call.reach);
        one.opened = one.effect->modules;
      } else if (call.library && base_name(*call.library) != "*") {
        one.opened = libraries->named(file.member, *call.library);
      } else if (call.call != LoadCall::SetDlopenFlags) {  // it may open what the file names (pipsipmpp 0.1.1)
        for (const PythonName& name : file.names)
          for (const ElfIndex elf : libraries->named(file.member, base_name(name.text))) one.opened.push_back(elf);
      }
      if (never) one.reach = Reach::Possible;
      result.push_back(std::move(one));
    }
  }
  return result;
}

std::vector<const PythonCall*> global_scope(const WheelView& view) {
  std::vector<const PythonCall*> by(view.wheel.elfs.size());
  std::vector<ElfIndex> queue;
  const auto add = [&](ElfIndex elf, const PythonCall* call) {
    if (by[elf.value] != nullptr) return;
    by[elf.value] = call;
    queue.push_back(elf);
  };
  for (const GlobalCall& one : global_calls(view))
    if (one.reach != Reach::Possible)
      for (const ElfIndex elf : one.opened) add(elf, one.call);
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const ElfIndex elf = queue[at];
    if (elf.value >= view.resolution.needed.size()) continue;
    for (const NeededFound& needed : view.resolution.needed[elf.value])
      if (needed.provider && needed.provider->wheel.value == 0) add(needed.provider->elf, by[elf.value]);
  }
  return by;
}

std::vector<std::vector<ElfIndex>> users_by_file(const WheelView& view) {
  std::vector<std::vector<ElfIndex>> users(view.wheel.elfs.size());
  for (std::uint32_t i = 0; i < view.resolution.needed.size(); ++i)
    for (const NeededFound& needed : view.resolution.needed[i])
      if (needed.provider && needed.provider->wheel.value == 0) {
        std::vector<ElfIndex>& of = users[needed.provider->elf.value];
        if (of.empty() || of.back() != ElfIndex{i}) of.push_back(ElfIndex{i});
      }
  return users;
}

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

// The file is a library that other files of a process may have too.
bool is_library_of_others(const WheelView& view, ElfIndex elf) {
  return std::ranges::any_of(view.analysis.elfs[elf.value].exports.libraries,
                             [](const LibraryCount& count) { return !count.own && count.itself; });
}

// By ElfIndex: whether the file, or one that it requires, does.
std::vector<bool> harmful_files(const WheelView& view) {
  const std::vector<std::vector<ElfIndex>> users = users_by_file(view);
  std::vector<bool> harmful = leaking_files(view);
  std::vector<ElfIndex> queue;
  for (std::uint32_t i = 0; i < users.size(); ++i) {
    harmful[i] = harmful[i] || is_library_of_others(view, ElfIndex{i});
    if (harmful[i]) queue.push_back(ElfIndex{i});
  }
  for (std::size_t at = 0; at < queue.size(); ++at)
    for (const ElfIndex user : users[queue[at].value])
      if (!harmful[user.value]) {
        harmful[user.value] = true;
        queue.push_back(user);
      }
  return harmful;
}

// Names that only the wheel's own files define take the place of nothing. What a call of ctypes opens of others comes
// from a requirement or the system, on purpose (pulp 3.3.2, gpt4all 2.8.2, ngsolve 6.2.2608).
bool may_harm(const GlobalCall& one, const std::vector<bool>& harmful) {
  if (one.opened.empty()) return one.call->call == LoadCall::SetDlopenFlags;
  return std::ranges::any_of(one.opened, [&](ElfIndex elf) { return harmful[elf.value]; });
}

// A module that is always opened under the flags that the call sets, whoever calls it.
bool opens_modules(const GlobalCall& one) { return one.effect != nullptr && !one.effect->modules.empty(); }
bool runs_or_opens(const GlobalCall& one) { return one.reach != Reach::Possible || opens_modules(one); }

// The finding about the calls of one file.
void report(const WheelView& view, std::span<const GlobalCall> calls, const std::vector<bool>& harmful,
            const Emit& emit) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (i == 0 || calls[i - 1].call->line != calls[i].call->line)
      shown.push_back(
          fmt::format("line {}, {}: {}", calls[i].call->line, name_of(calls[i].reach), calls[i].call->text));
  const GlobalCall& worst = *std::ranges::max_element(calls, {}, [&](const GlobalCall& one) {
    return std::tuple(runs_or_opens(one) && may_harm(one, harmful), one.reach, opens_modules(one), ~one.call->line);
  });
  std::string message = fmt::format("line {} {}", worst.call->line, what_it_does(*worst.call));
  std::vector<Evidence> evidence = {{"calls", list_of(shown)}, {"runs on import", std::string(name_of(worst.reach))}};
  if (worst.effect != nullptr) {
    if (worst.effect->through) {
      message += "; called by " + where_from(view, *worst.effect);
      evidence.push_back({"called by", where_from(view, *worst.effect)});
    }
    if (!worst.effect->modules.empty()) evidence.push_back({"imported with it", modules_of(view, *worst.effect)});
  }
  const bool is_harm = runs_or_opens(worst) && may_harm(worst, harmful) &&
                       !is_test_code(view.wheel.members[worst.file.value].path.text());
  emit({.place = AtMember{worst.file},
        .message = std::move(message),
        .evidence = std::move(evidence),
        .fix = fix_of(*worst.call),
        .severity = is_harm ? Severity::Warning : Severity::Note,
        .confidence = worst.reach == Reach::Certain ? Confidence::High : Confidence::Medium});
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.analysis.imports_cut.empty())
    emit({.place = WholeWheel{},
          .message = fmt::format("{}: which modules get RTLD_GLOBAL is not known", view.analysis.imports_cut),
          .evidence = {},
          .fix = "call sys.setdlopenflags() in the module that needs it, around the import",
          .severity = {}});
  const std::vector<GlobalCall> all = global_calls(view);
  if (all.empty()) return;
  const std::vector<bool> harmful = harmful_files(view);
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    while (end < all.size() && all[end].file == all[first].file) ++end;
    report(view, std::span(all).subspan(first, end - first), harmful, emit);
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
