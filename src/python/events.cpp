// Converts the happenings of a model (imports, calls, pauses) to events.
#include "python/events.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "model/rtld.h"
#include "python/evaluate.h"

namespace wheelcheck::python {
namespace {

constexpr std::uint32_t work_of_module_name = 200;

class EventCollector {
 public:
  EventCollector(const Model& model, const CallResults& found, PythonFile& file)
      : model_(model), found_(found), file_(file), evaluator_(model) {
    for (std::uint32_t i = 0; i < found.calls.size(); ++i) calls_of_[found.calls[i].second].push_back(i);
  }

  // The happenings are ordered by unit, with the module first. A call within the file becomes an event only if its
  // function has events.
  void run() {
    std::vector<std::uint32_t> number(model_.units.size(), none);
    const std::vector<bool> matters = units_that_matter();
    number[0] = 0;  // the body is there even if only functions have events
    file_.units.push_back({.name = model_.units[0].name, .first = 0});
    for (const Happening& happening : model_.happenings) {
      if (!matters[happening.unit]) continue;
      if (number[happening.unit] == none) {
        number[happening.unit] = static_cast<std::uint32_t>(file_.units.size());
        const auto first = static_cast<std::uint32_t>(file_.events.size());
        file_.units.push_back({.name = model_.units[happening.unit].name, .first = first});
      }
      add(happening, matters);
      PythonUnit& unit = file_.units[number[happening.unit]];
      unit.count = static_cast<std::uint32_t>(file_.events.size()) - unit.first;
    }
    for (PythonEvent& event : file_.events) {
      const bool calls = event.action == PythonAction::Call || event.action == PythonAction::Enter ||
                         event.action == PythonAction::Leave;
      if (calls && event.target != none) event.target = number[event.target];
    }
    if (file_.events.empty())
      file_.units.clear();
    else
      file_.conditions = model_.conditions;
  }

 private:
  // Units with actions of their own, and their callers.
  std::vector<bool> units_that_matter() const {
    std::vector<bool> matters(model_.units.size());
    std::vector<UnitId> open;
    const auto mark = [&](UnitId unit) {
      if (!matters[unit]) open.push_back(unit);
      matters[unit] = true;
    };
    mark(0);
    for (const Happening& happening : model_.happenings)
      if (does_something(happening)) mark(happening.unit);
    while (!open.empty()) {
      const UnitId unit = open.back();
      open.pop_back();
      for (const std::uint32_t site : model_.units[unit].callers) mark(model_.sites[site].unit);
    }
    return matters;
  }

  bool does_something(const Happening& happening) const {
    if (happening.action == PythonAction::Import) return true;
    if (happening.site == none) return false;
    if (calls_of_.contains(happening.site) || found_.saves.contains(happening.site)) return true;
    return std::ranges::any_of(found_.callees[happening.site],
                               [](const Value& callee) { return callee.is(Value::Form::Dotted); });
  }

  PythonEvent event_of(const Happening& happening) const {
    return {.action = happening.action,
            .reach = happening.reach,
            .line = model_.syntax[happening.node].line,
            .condition = happening.condition,
            .attempt = happening.attempt};
  }

  void add(const Happening& happening, const std::vector<bool>& matters) {
    const PythonEvent event = event_of(happening);
    if (happening.action == PythonAction::Import) return import(happening.node, event);
    if (happening.action == PythonAction::Pause) return file_.events.push_back(event);
    const std::uint32_t site = happening.site;
    if (happening.action != PythonAction::Leave) {
      if (found_.saves.contains(site)) {
        file_.events.push_back(event);
        file_.events.back().action = PythonAction::SaveFlags;
        file_.events.back().target = model_.sites[site].node;
      }
      const auto calls = calls_of_.find(site);
      if (calls != calls_of_.end())
        for (const std::uint32_t call : calls->second) load(call, event);
    }
    if (happening.action == PythonAction::Call && import_by_call(site, event)) return;
    for (const Value& callee : found_.callees[site]) {
      if (callee.is(Value::Form::Function) && matters[callee.ref]) {
        file_.events.push_back(event);
        file_.events.back().target = callee.ref;
      }
      if (callee.is(Value::Form::Class)) methods(callee.ref, event, matters);
      if (!callee.is(Value::Form::Dotted) || found_.saves.contains(site)) continue;
      file_.events.push_back(event);
      file_.events.back().name = callee.text;
    }
  }

  // Creates, enters or leaves an object of a class of this file.
  void methods(ScopeId scope, const PythonEvent& event, const std::vector<bool>& matters) {
    const auto method = [&](std::string_view name) {
      const auto found = model_.scopes[scope].names.find(name);
      if (found == model_.scopes[scope].names.end()) return;
      const Binding& last = found->second.back();
      if (last.form != Binding::Form::Function || !matters[last.ref]) return;
      file_.events.push_back(event);
      file_.events.back().action = PythonAction::Call;
      file_.events.back().target = last.ref;
    };
    if (event.action == PythonAction::Leave) return method("__exit__");
    method("__new__");
    method("__init__");
    if (event.action == PythonAction::Enter) method("__enter__");
  }

  void load(std::uint32_t index, PythonEvent event) {
    const auto& [call, site] = found_.calls[index];
    event.call = index;
    event.action = call.call == LoadCall::SetDlopenFlags ? PythonAction::SetFlags : PythonAction::Load;
    if (call.call == LoadCall::FindLibrary) return;
    // Ends: the number of an outer `try` is smaller, and the last one is none.
    for (auto at = model_.passed_on.find(event.attempt); at != model_.passed_on.end();
         at = model_.passed_on.find(event.attempt))
      event.attempt = at->second;
    const auto given = found_.sets.find(site);
    if (event.action == PythonAction::SetFlags && given != found_.sets.end()) choose(given->second, event);
    file_.events.push_back(std::move(event));
  }

  // If there are several possible values, the one with RTLD_GLOBAL is used, with the certainty of a condition. If the
  // value is unknown, no bit is known, which is correct for flags that were saved before.
  static void choose(const Values& values, PythonEvent& event) {
    const auto is_global = [](const Value& value) {
      return value.is(Value::Form::Number) && (value.bits & rtld_global) != 0;
    };
    auto chosen = std::ranges::find_if(values, is_global);
    if (chosen == values.end())
      chosen = std::ranges::find_if(values, [](const Value& value) { return value.is(Value::Form::Number); });
    if (chosen == values.end()) return;
    event.bits = chosen->bits;
    event.known = chosen->known;
    if (chosen->ref != 0) event.target = chosen->ref;
    if (is_global(*chosen) && !std::ranges::all_of(values, is_global))
      event.reach = std::min(event.reach, Reach::Likely);
  }

  void import(NodeId node, const PythonEvent& event) {
    const Syntax& syntax = model_.syntax;
    const auto name_in = [&](NodeId id) {
      return syntax.dotted_name(syntax.kind(id) == NodeKind::Alias ? syntax.child(id, Field::Name) : id);
    };
    if (syntax.kind(node) == NodeKind::Import) {
      for (NodeId id = syntax[node].first; id != no_node; id = syntax[id].next) {
        file_.events.push_back(event);
        file_.events.back().name = name_in(id);
      }
      return;
    }
    PythonEvent from = event;
    from.name = syntax.dotted_name(syntax.child(node, Field::ModuleName));
    for (NodeId id = syntax[node].first; id != no_node; id = syntax[id].next) {
      if (syntax.kind(id) == NodeKind::Wildcard) from.names.emplace_back("*");
      if (syntax[id].field == Field::Name) from.names.push_back(name_in(id));
    }
    file_.events.push_back(std::move(from));
  }

  // Handles importlib.import_module("a.b") and __import__("a.b"); and imp.load_module("_a", file, path, description),
  // by which modules of SWIG before 4.0 import the extension module beside them.
  bool import_by_call(std::uint32_t site, const PythonEvent& event) {
    const CallSite& call = model_.sites[site];
    const NodeId function = model_.syntax.child(call.node, Field::Function);
    const std::string_view text = model_.syntax.text(function);
    const auto calls = [&](std::string_view name) {
      return std::ranges::any_of(found_.callees[site], [&](const Value& callee) {
        return callee.is(Value::Form::Dotted) && callee.text == name;
      });
    };
    const bool beside = calls("imp.load_module");
    if (!beside && !calls("importlib.import_module") && text != "__import__") return false;
    const NodeId argument = argument_of(model_.syntax, model_.syntax.child(call.node, Field::Arguments), 0, "name");
    const Values names = evaluator_.evaluate(argument, call.scope, work_of_module_name);
    for (const Value& name : names) {
      if (!name.is(Value::Form::Text) || !name.is_exact() || name.text.empty()) continue;
      file_.events.push_back(event);
      // Each call of a function imports one of them.
      if (names.size() > 1 && call.unit != 0) file_.events.back().reach = std::min(event.reach, Reach::Likely);
      file_.events.back().action = PythonAction::Import;
      file_.events.back().name = beside ? "." : name.text;
      if (beside) file_.events.back().names = {name.text};
    }
    return true;
  }

  const Model& model_;
  const CallResults& found_;
  PythonFile& file_;
  Evaluator evaluator_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> calls_of_;  // by site: indices into Found::calls
};

}  // namespace

void add_events(const Model& model, const CallResults& found, PythonFile& file) {
  EventCollector(model, found, file).run();
}

}  // namespace wheelcheck::python
