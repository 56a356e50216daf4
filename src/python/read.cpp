// Which libraries does a Python file open, and which flags of dlopen does it set? The names are seldom literals: they
// are joined from __file__, formatted, taken from a table in a loop, or passed through a function. The code must not be
// executed, because a wheel is untrusted, so its syntax tree is evaluated: walk.cpp visits the statements in order and
// notes bindings, calls and conditions (model.h); evaluate*.cpp computes the value of an expression on demand, with `*`
// for what is unknown (value.h); this file finds the calls of loaders, follows them to the callers of their functions,
// and reports library, flags and how certain the call is. events.cpp turns the same model into the events that the
// import walk executes. The work is limited by counts, never by time, and a file that exceeds them says so (`cut`).
// tests/prefilter_oracle compares the calls with those that Python's own `ast` shows.
#include "python/read.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "model/rtld.h"
#include "python/events.h"
#include "python/prefilter/prune.h"
#include "python/walk.h"

namespace wheelcheck::python {
namespace {

constexpr std::uint32_t work_of_callee = 200;
constexpr std::uint32_t work_of_argument = 3000;
constexpr std::size_t max_callers = 64;
constexpr std::size_t max_libraries = 64;  // that one call may open
constexpr std::size_t max_shown = 200;

// A function that loads a library or sets flags, and its arguments.
struct Loader {
  std::string_view name;
  LoadCall call;
  std::string_view library;  // keyword of the library; "" if there is none
  std::string_view flags;    // keyword of the second argument, or of the first one if there is no library
};
constexpr auto loaders = std::to_array<Loader>({
    {"sys.setdlopenflags", LoadCall::SetDlopenFlags, "", "flags"},
    {"ctypes.CDLL", LoadCall::Cdll, "name", "mode"},
    {"ctypes.PyDLL", LoadCall::Cdll, "name", "mode"},
    {"ctypes.cdll.LoadLibrary", LoadCall::Cdll, "name", ""},
    {"ctypes.pydll.LoadLibrary", LoadCall::Cdll, "name", ""},
    {"ctypes._dlopen", LoadCall::Cdll, "name", "mode"},
    {"_ctypes.dlopen", LoadCall::Cdll, "name", "flag"},
    {"cffi.FFI.dlopen", LoadCall::CffiDlopen, "name", "flags"},
    {"ctypes.util.find_library", LoadCall::FindLibrary, "name", ""},
    // Functions that load operators: TF_LoadLibrary (tensorflow/c/c_api.cc) calls dlopen(path, RTLD_NOW | RTLD_LOCAL),
    // and torch/_ops.py passes the path to ctypes.CDLL.
    {"tensorflow.load_op_library", LoadCall::Cdll, "library_filename", ""},
    {"tensorflow.load_library", LoadCall::Cdll, "library_location", ""},
    {"tensorflow.python.framework.load_library.load_op_library", LoadCall::Cdll, "library_filename", ""},
    {"tensorflow.python.framework.load_library.load_library", LoadCall::Cdll, "library_location", ""},
    {"torch.ops.load_library", LoadCall::Cdll, "path", ""},
    {"torch.classes.load_library", LoadCall::Cdll, "path", ""},
});
constexpr Loader loader_index{"", LoadCall::Cdll, "", ""};  // for ctypes.cdll["name"]

// Most modules of the standard library have `sys` as an attribute: os.sys.
std::string_view canonical(std::string_view name) {
  constexpr std::string_view sys = ".sys.";
  const std::size_t at = name.find(sys);
  return at == name.npos ? name : name.substr(at + 1);
}

bool is_exec_or_eval(std::string_view name) {
  constexpr std::string_view builtins = "builtins.";
  if (name.starts_with(builtins)) name.remove_prefix(builtins.size());
  return name == "exec" || name == "eval";
}

bool is_foreign(const std::string& name) {
  return name.ends_with(".dll") || name.ends_with(".dylib") || name.ends_with(".pyd");
}

// Finds the functions that each call may reach, and the calls that load.
class Reader {
 public:
  explicit Reader(Model& model) : model_(model), evaluator_(model) {}
  bool is_cut() const { return evaluator_.is_cut(); }
  bool runs_text() const { return runs_text_; }

  CallResults find() {
    found_.callees.resize(model_.sites.size());
    for (std::uint32_t i = 0; i < model_.sites.size(); ++i)
      if (!resolve(i)) open_.push_back(i);
    // The function may be an argument of a later call, so unresolved sites are tried again.
    for (const std::uint32_t site : std::exchange(open_, {})) resolve(site);
    for (std::uint32_t i = 0; i < model_.sites.size(); ++i) passes(i);
    spread();
    for (const Load& load : loads_) report(load);
    return std::move(found_);
  }

 private:
  struct Load {
    std::uint32_t site;
    const Loader* loader;
    NodeId bound = 0;        // the arguments of functools.partial; 0 if it is not used
    std::uint32_t skip = 0;  // the function is an argument of another one, and its arguments follow
    bool mapped = false;     // that one is map(): the arguments are lists of arguments
  };
  struct Edge {
    UnitId from, to;
    Reach reach;
  };

  // Returns false if more may be known about the function after all calls are resolved.
  bool resolve(std::uint32_t index) {
    const CallSite& site = model_.sites[index];
    const Syntax& syntax = model_.syntax;
    const bool is_call = syntax.kind(site.node) == NodeKind::Call;
    const NodeId callee = syntax.child(site.node, is_call ? Field::Function : Field::Value);
    std::optional<Load> found;
    bool known = false;
    found_.callees[index].clear();
    for (const Value& value : evaluator_.evaluate(callee, site.scope, work_of_callee)) {
      const Loader* at_loader = loaders.end();
      if (value.is(Value::Form::Dotted)) {
        if (!is_call && (value.text == "ctypes.cdll" || value.text == "ctypes.pydll")) found = {index, &loader_index};
        at_loader = loader_of(value);
        if (is_call && is_exec_or_eval(value.text)) runs(site);
        if (is_call && value.text == "map") maps(index);
        if (is_call && at_loader != loaders.end()) found = {index, at_loader, value.ref};
      }
      known = known || !value.is(Value::Form::Unknown);
      if (!is_call) continue;
      if (value.is(Value::Form::Dotted) && value.text == "sys.getdlopenflags") found_.saves.insert(index);
      if (value.is(Value::Form::Function)) call(index, value.ref);
      if (value.is(Value::Form::Class)) make(index, value.ref);
      const bool elsewhere = value.is(Value::Form::Dotted) && value.text.find('.') != std::string::npos;
      if (value.is(Value::Form::Function) || value.is(Value::Form::Class) || (elsewhere && at_loader == loaders.end()))
        found_.callees[index].push_back(value);
    }
    if (found) loads_.push_back(*found);
    return known;
  }

  static const Loader* loader_of(const Value& value) {
    return std::ranges::find(loaders, canonical(value.text), &Loader::name);
  }

  // map(f, list): f is called with each item.
  void maps(std::uint32_t index) {
    const CallSite& site = model_.sites[index];
    const NodeId function = argument_of(model_.syntax, model_.syntax.child(site.node, Field::Arguments), 0, "");
    if (function == no_node) return;
    for (const Value& value : evaluator_.evaluate(function, site.scope, work_of_callee))
      if (const Loader* const loader = loader_of(value); value.is(Value::Form::Dotted) && loader != loaders.end())
        loads_.push_back({index, loader, value.ref, 1, true});
  }

  // A function that gets sys.setdlopenflags and a value as arguments may call it: atexit.register, ExitStack.callback.
  void passes(std::uint32_t index) {
    const Syntax& syntax = model_.syntax;
    const NodeId arguments = syntax.child(model_.sites[index].node, Field::Arguments);
    std::uint32_t skip = 1;
    for (NodeId id = arguments == no_node ? no_node : syntax[arguments].first; id != no_node;
         id = syntax[id].next, ++skip) {
      spend(1);
      const bool is_name = syntax.kind(id) == NodeKind::Attribute || syntax.kind(id) == NodeKind::Identifier;
      if (is_name && syntax.text(id).ends_with("setdlopenflags") && argument_of(syntax, arguments, skip, "") != no_node)
        loads_.push_back({index, loaders.data(), 0, skip});
    }
  }

  // The argument of a load at that position or with that keyword; no_node if it is absent or unknown.
  NodeId passed(const Load& load, std::uint32_t at, std::string_view keyword) const {
    const Syntax& syntax = model_.syntax;
    const NodeId arguments = syntax.child(model_.sites[load.site].node, Field::Arguments);
    if (load.skip > 0) return argument_of(syntax, arguments, at + load.skip, "");
    if (load.bound == 0) return argument_of(syntax, arguments, at, keyword);
    for (const NodeId each : {arguments, load.bound})
      if (const NodeId found = argument_of(syntax, each, UINT32_MAX, keyword); found != no_node) return found;
    std::uint32_t bound = 0;  // positional arguments of partial behind the function
    while (bound <= at && argument_of(syntax, load.bound, bound + 1, "") != no_node) ++bound;
    return at < bound ? argument_of(syntax, load.bound, at + 1, "") : argument_of(syntax, arguments, at - bound, "");
  }

  // exec and eval: the code in the text is not read.
  void runs(const CallSite& site) {
    const NodeId text = argument_of(model_.syntax, model_.syntax.child(site.node, Field::Arguments), 0, "source");
    if (text == no_node || runs_text_) return;
    for (const Value& value : evaluator_.evaluate(text, site.scope, work_of_argument))
      runs_text_ = runs_text_ || (value.is(Value::Form::Text) && is_worth_parsing(value.text));
  }

  void call(std::uint32_t index, UnitId unit) {
    std::vector<std::uint32_t>& callers = model_.units[unit].callers;
    if (callers.size() < max_callers) callers.push_back(index);
    edges_.push_back({model_.sites[index].unit, unit, model_.sites[index].reach});
  }

  // Creates an object and possibly enters it as a context.
  void make(std::uint32_t index, ScopeId scope) {
    static constexpr auto always = std::to_array<std::string_view>({"__init__", "__new__"});
    static constexpr auto in_with = std::to_array<std::string_view>({"__enter__", "__exit__"});
    const auto reach_method = [&](std::string_view name) {
      const auto found = model_.scopes[scope].names.find(name);
      if (found == model_.scopes[scope].names.end()) return;
      for (const Binding& binding : found->second)
        if (binding.form == Binding::Form::Function) call(index, binding.ref);
    };
    std::ranges::for_each(always, reach_method);
    if (model_.sites[index].in_with) std::ranges::for_each(in_with, reach_method);
  }

  // Computes the reach of functions: at most that of their calls, and at most Likely. Each edge is processed at most
  // once per level of Reach.
  void spread() {
    std::ranges::stable_sort(edges_, {}, &Edge::from);
    std::vector<UnitId> changed = {0};
    while (!changed.empty()) {
      const UnitId unit = changed.back();
      changed.pop_back();
      for (const Edge& edge : std::ranges::equal_range(edges_, unit, {}, &Edge::from)) {
        const Reach reach = std::min({edge.reach, model_.units[unit].reach, Reach::Likely});
        if (reach <= model_.units[edge.to].reach) continue;
        model_.units[edge.to].reach = reach;
        changed.push_back(edge.to);
      }
    }
  }

  void report(const Load& load) {
    const std::uint32_t index = load.site;
    const Loader& loader = *load.loader;
    const CallSite& site = model_.sites[index];
    const Syntax& syntax = model_.syntax;
    PythonCall call{.call = loader.call, .line = syntax[site.node].line};
    call.reach = std::min(site.reach, model_.units[site.unit].reach);
    call.text = shown(syntax.text(site.node));
    const bool named = !loader.library.empty();
    if (!loader.flags.empty()) flags(load, passed(load, named ? 1 : 0, loader.flags), call);
    const NodeId library = &loader == &loader_index ? syntax.child(site.node, Field::Subscript)
                           : named                  ? passed(load, 0, loader.library)
                                                    : no_node;
    std::vector<std::string> names;
    if (library != no_node) {
      for (const Values& values : evaluator_.evaluate_in_turn(library, site.scope, site.unit, work_of_argument))
        for (const Value& value : load.mapped ? elements_of(values) : values)
          if (value.is(Value::Form::Text)) add_name(names, value.text);
    }
    // If a name depends on the system, names for other systems are not used on Linux.
    if (!std::ranges::all_of(names, is_foreign)) std::erase_if(names, is_foreign);
    for (std::string& name : names) {
      call.library = std::move(name);
      found_.calls.push_back({call, index});
    }
    if (names.empty()) found_.calls.push_back({std::move(call), index});
  }

  static void add_name(std::vector<std::string>& names, const std::string& name) {
    if (name.empty() || name == "*") return;
    if (names.size() < max_libraries && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }

  void flags(const Load& load, NodeId node, PythonCall& call) {
    if (node == no_node) return;
    Values values = evaluator_.evaluate(node, model_.sites[load.site].scope, work_of_argument);
    if (load.mapped) values = elements_of(values);
    if (call.call == LoadCall::SetDlopenFlags) found_.sets[load.site] = values;
    bool all = true;
    for (const Value& value : values) {
      const bool global = value.is(Value::Form::Number) && (value.bits & rtld_global) != 0;
      call.global = call.global || global;
      all = all && global;
    }
    // one of several values: as uncertain as a condition
    if (call.global && !all) call.reach = std::min(call.reach, Reach::Likely);
    if (values.size() == 1 && values[0].is(Value::Form::Number) && values[0].is_exact()) call.flags = values[0].bits;
  }

  static std::string shown(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, std::size_t{4} * max_shown)) {
      if (!is_blank(c)) result += c;
      if (is_blank(c) && !result.empty() && result.back() != ' ') result += ' ';
    }
    if (result.size() <= max_shown) return result;
    std::size_t end = max_shown;
    // Not inside of a UTF-8 sequence.
    while (end > 0 && (static_cast<unsigned char>(result[end]) & 0xC0U) == 0x80U) --end;
    result.resize(end);
    return result;
  }

  Model& model_;
  Evaluator evaluator_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> open_;
  bool runs_text_ = false;
  std::vector<Load> loads_;
  CallResults found_;
};

PythonFile read(std::string_view source, MemberIndex member, Detail detail, bool everything) {
  const Syntax syntax(source);
  Model model{.syntax = syntax, .everything = everything, .scopes = {}, .units = {}, .sites = {}, .stars = {}};
  Walker walker(model);
  walker.walk();
  Reader reader(model);
  CallResults found = reader.find();
  std::ranges::stable_sort(found.calls, {}, [](const auto& call) { return call.first.line; });
  PythonFile file{.member = member, .broken = syntax.broken()};
  if (reader.runs_text()) file.cut = PythonCut::Text;
  if (syntax.cut() || walker.is_cut() || reader.is_cut()) file.cut = PythonCut::Steps;
  if (detail != Detail::Calls) add_events(model, found, file);
  for (auto& [call, site] : found.calls) file.calls.push_back(std::move(call));
  return file;
}

}  // namespace

bool is_worth_parsing(std::string_view source) { return holds_loading_word(source); }
bool may_set_flags(std::string_view source) { return holds_flags_word(source); }

PythonFile read_source(std::string_view source, MemberIndex member, Detail detail) {
  return read(source, member, detail, true);
}

std::optional<PythonFile> read_loads(std::string_view source, MemberIndex member, Detail detail) {
  const std::optional<std::string> code = loading_code(source, detail);
  if (!code) return std::nullopt;
  return read(*code, member, detail, false);
}

PythonFile read_imports(std::string_view source, MemberIndex member) { return read_source(skeleton(source), member); }

std::optional<PythonFile> read_long_imports(std::string_view source, MemberIndex member, std::uint64_t max,
                                            bool with_functions) {
  std::string code = with_functions ? skeleton(source) : without_functions(source);
  if (code.size() > max) code = without_numbers(code);
  if (code.size() > max) return std::nullopt;
  return read_source(code, member);
}

}  // namespace wheelcheck::python
