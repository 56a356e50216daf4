// What does `import pkg` open, in which order and with which flags of dlopen? Only the Python code of the package
// knows: it imports extension modules under conditions, opens libraries with ctypes, and changes the flags for what
// follows (sys.setdlopenflags). The code is not executed. The reader of Python (src/python) turns each file into a list
// of events, which name modules and functions, and this walk executes the lists as importlib executes the files:
// packages before their modules, each module once, a call into the function of another file, `with` around a generator
// up to its `yield`. `try` is followed by what is known: a module that is missing in a package of the installation
// fails, so the handler runs; if nothing is known, both sides run. tests/import_plan_oracle compares the result with
// CPython.
//
// The same walk says which files certainly run (Follow::CertainImports): then it follows only imports that nothing can
// skip or catch.
#include "import_plan/import_walk.h"

#include <algorithm>
#include <utility>

#include "model/rtld.h"

namespace wheelcheck::import_plan {
namespace {

// CPython's limit of 1000 frames allows about 200 nested imports.
constexpr std::size_t deepest = 300;

// "a.b" of "a.b.f"; "" of "f".
std::string_view before_last(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view() : name.substr(0, dot);
}

}  // namespace

bool is_certain(const PythonEvent& event) {
  return event.reach == Reach::Certain && event.condition == no_python_index && event.attempt == no_python_index;
}

// The last definition of a name counts, and the first import of one.
const Run::Names& Run::names_of(ModuleId module) const {
  const auto [at, fresh] = names_.try_emplace(module);
  if (!fresh) return at->second;
  const PythonFile& file = modules_.file(module);
  for (std::uint32_t i = 1; i < file.units.size(); ++i) at->second.units[file.units[i].name] = i;
  for (const PythonUnit& unit : file.units) {
    const auto begin = file.events.begin() + unit.first, end = begin + unit.count;
    const auto pause = std::ranges::find(begin, end, PythonAction::Pause, &PythonEvent::action);
    at->second.to_pause.push_back(static_cast<std::uint32_t>(pause - begin));
  }
  if (file.units.empty()) return at->second;
  const PythonUnit& body = file.units.front();
  for (std::uint32_t i = body.first; i < body.first + body.count; ++i)
    if (file.events[i].action == PythonAction::Import)
      for (const std::string& name : file.events[i].names) at->second.imports.try_emplace(name, i);
  return at->second;
}

void Run::restart() {
  flags_ = default_;
  loaded_.clear();
  order_.clear();
  attempts_.clear();
  saved_.clear();
  stack_.clear();
  running_.clear();
  seen_.clear();
  openings_.clear();
  globals_.clear();
}

void Run::import(ModuleId module) { load(modules_[module].name, Reach::Certain); }

Run::State Run::load(std::string_view name, Reach reach) {
  State state = State::Unknown;
  for (std::size_t dot = name.find('.');; dot = name.find('.', dot + 1)) {
    const auto module = modules_.find(name.substr(0, dot));
    // A module that is missing in a package of this installation does not exist elsewhere.
    if (!module) return state;
    load_one(*module, reach);
    if (dot == name.npos) return State::Fine;
    state =
        modules_[*module].package && modules_[*module].form != Module::Form::Extension ? State::Failed : State::Unknown;
  }
}

void Run::load_one(ModuleId id, Reach reach) {
  if (!loaded_.insert(id).second) return;
  order_.push_back(id);
  const Module& module = modules_[id];
  if (module.form == Module::Form::Extension)
    openings_.push_back({ElfIndex{module.at}, module.distribution, flags_.bits, flags_.cause, reach});
  if (module.form != Module::Form::Parsed || modules_.file(id).units.empty()) return;
  const PythonUnit& body = modules_.file(id).units.front();
  execute({.module = id, .reach = reach}, body.first, body.count);
}

void Run::execute(const Frame& start, std::uint32_t first, std::uint32_t count) {
  if (stack_.size() >= deepest) return;
  stack_.push_back(start);
  const PythonFile& file = modules_.file(start.module);
  for (std::uint32_t i = first; i < first + count && work_.spend(); ++i) {
    const PythonEvent& event = file.events[i];
    const auto reach = reach_of(event, start);
    if (!reach) continue;
    stack_.back().line = event.line;
    stack_.back().reach = *reach;
    const Frame frame = stack_.back();
    const State state = perform(event, frame);
    if (event.attempt == none) continue;
    State& attempt = attempts_[{start.module, event.attempt}];
    attempt = std::max(attempt, state);
  }
  stack_.pop_back();
}

// The reach of the event in this frame; nullopt: it does not run.
std::optional<Reach> Run::reach_of(const PythonEvent& event, const Frame& frame) const {
  if (follow_ == Follow::CertainImports)
    return event.action == PythonAction::Import && is_certain(event) ? std::optional(frame.reach) : std::nullopt;
  Reach reach = std::min(event.reach, frame.reach);
  const auto state_of = [&](std::uint32_t attempt) {
    const auto at = attempts_.find({frame.module, attempt});
    return at == attempts_.end() ? State::Fine : at->second;
  };
  if (event.attempt != none && state_of(event.attempt) == State::Failed) return std::nullopt;
  const auto& conditions = modules_.file(frame.module).conditions;
  for (std::uint32_t c = event.condition; c != none; c = conditions[c].outer) {
    const State state = state_of(conditions[c].attempt);
    if (state == State::Unknown) {
      reach = std::min(reach, Reach::Likely);
    } else if ((state == State::Fine) != conditions[c].succeeds) {
      if (follow_ != Follow::Everything || state == State::Failed) return std::nullopt;
      reach = Reach::Possible;
    }
  }
  if (reach == Reach::Possible && follow_ != Follow::Everything) return std::nullopt;
  return reach;
}

Run::State Run::perform(const PythonEvent& event, const Frame& frame) {
  switch (event.action) {
    case PythonAction::Import:
      return import_event(event, frame);
    case PythonAction::Call:
    case PythonAction::Enter:
    case PythonAction::Leave:
      call(event, frame);
      return State::Fine;
    case PythonAction::SaveFlags:
      saved_[{frame.module, event.target}] = flags_;
      return State::Fine;
    case PythonAction::SetFlags:
      set_flags(event, frame);
      return State::Fine;
    case PythonAction::Load:
      return load_library(event, frame);
    case PythonAction::Pause:
      break;
  }
  return State::Fine;
}

Run::State Run::import_event(const PythonEvent& event, const Frame& frame) {
  const Module& here = modules_[frame.module];
  const auto name = absolute(event.name, here.name, here.package);
  if (!name) return State::Failed;
  State state = load(*name, frame.reach);
  const auto from = modules_.find(*name);
  if (state == State::Fine && from && modules_[*from].package) {
    // A name that is not a module may be a name of the package.
    for (const std::string& taken : event.names) {
      const auto module = modules_.find(*name + '.' + taken);
      if (module) load_one(*module, frame.reach);
      if (!module && taken != "*") state = State::Unknown;
    }
  }
  return state;
}

Run::State Run::load_library(const PythonEvent& event, const Frame& frame) {
  const PythonCall& call = modules_.file(frame.module).calls[event.call];
  if (!call.library) return State::Unknown;
  if (!seen_.emplace(place_of(frame), event.call).second) return State::Unknown;
  Cause cause = cause_of(event, frame);
  const std::uint32_t flags = call.flags.value_or(call.global ? rtld_global : 0U) | rtld_now;
  openings_.push_back({std::nullopt, modules_[frame.module].distribution, flags, cause, frame.reach});
  return State::Unknown;
}

// --- calls --------------------------------------------------------------------------------------------------------
void Run::call(const PythonEvent& event, const Frame& frame) {
  if (event.target != none) return call_unit(frame.module, event.target, event.action, frame);
  call_elsewhere(event, frame);
}

// A generator function runs only as a context manager: Enter runs it up to its `yield`, Leave runs the rest.
void Run::call_unit(ModuleId module, std::uint32_t index, PythonAction action, const Frame& frame) {
  const PythonFile& file = modules_.file(module);
  const PythonUnit& unit = file.units[index];
  const std::uint32_t to_pause = names_of(module).to_pause[index];
  if (action == PythonAction::Call && to_pause < unit.count) return;
  if (action == PythonAction::Leave && to_pause == unit.count) return;
  if (!running_.emplace(module, index).second) return;
  const Frame inside{.module = module, .called = true, .reach = std::min(frame.reach, Reach::Likely)};
  if (action == PythonAction::Leave) {
    execute(inside, unit.first + to_pause, unit.count - to_pause);
  } else {
    execute(inside, unit.first, to_pause);
  }
  running_.erase({module, index});
}

// Calls a function or class that was imported, possibly through another package that imported it.
void Run::call_elsewhere(const PythonEvent& event, const Frame& frame) {
  constexpr int max_steps = 4;
  const Module& here = modules_[frame.module];
  auto name = absolute(event.name, here.name, here.package);
  for (int step = 0; name && step < max_steps; ++step) {
    std::string_view owner = before_last(*name);
    auto module = modules_.find(owner);
    if (!module && !owner.empty()) module = modules_.find(owner = before_last(owner));  // a method of a class
    if (!module || modules_[*module].form != Module::Form::Parsed) return;
    const auto& units = names_of(*module).units;
    const std::string rest = name->substr(owner.size() + 1);
    const auto run = [&](const std::string& unit, PythonAction action) {
      const auto found = units.find(unit);
      if (found != units.end()) call_unit(*module, found->second, action, frame);
      return found != units.end();
    };
    if (run(rest, event.action)) return;
    if (event.action == PythonAction::Leave && run(rest + ".__exit__", PythonAction::Call)) return;
    if (event.action != PythonAction::Leave) {
      const bool made = run(rest + ".__init__", PythonAction::Call);
      if ((event.action == PythonAction::Enter && run(rest + ".__enter__", PythonAction::Call)) || made) return;
    }
    name = imported_as(*module, rest);
  }
}

std::optional<std::string> Run::imported_as(ModuleId module, std::string_view name) const {
  const auto& imports = names_of(module).imports;
  const auto found = imports.find(name);
  if (found == imports.end()) return std::nullopt;
  auto from =
      absolute(modules_.file(module).events[found->second].name, modules_[module].name, modules_[module].package);
  if (from) *from += '.' + std::string(name);
  return from;
}

// --- flags --------------------------------------------------------------------------------------------------------
SourcePosition Run::place_of(const Frame& frame) const {
  return {modules_[frame.module].distribution, modules_.file(frame.module).member, frame.line};
}

Cause Run::cause_of(const PythonEvent& event, const Frame& frame) const {
  Cause cause{.place = place_of(frame), .call = event.call, .through = {}, .reach = frame.reach};
  for (auto caller = stack_.rbegin(); caller != stack_.rend() && caller->called; ++caller) {
    if (std::next(caller) == stack_.rend() || std::next(caller)->module == frame.module) continue;
    cause.through = place_of(*std::next(caller));
    break;
  }
  return cause;
}

void Run::set_flags(const PythonEvent& event, const Frame& frame) {
  const auto saved = saved_.find({frame.module, event.target});
  const Flags base = saved == saved_.end() ? default_ : saved->second;
  const std::uint32_t bits = (base.bits & ~event.known) | (event.bits & event.known);
  if (bits == base.bits) {
    flags_ = base;
    return;
  }
  flags_.bits = bits;
  flags_.cause.reset();
  if (bits == default_.bits) return;
  flags_.cause = cause_of(event, frame);
  if ((bits & rtld_global) != 0 && seen_.emplace(place_of(frame), event.call).second) globals_.push_back(*flags_.cause);
}

}  // namespace wheelcheck::import_plan
