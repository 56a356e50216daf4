// WC205: Python code opens libraries with RTLD_GLOBAL, so their symbols take precedence over those of libraries that
// are imported later.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/sets/set_common.h"
#include "rules/symbols/dead_calls.h"

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
                          ? Severity::Info
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
          .severity = Severity::Info});
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
