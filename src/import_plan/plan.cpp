// From the parties' files, their Python code and what the user says to the opens of one process.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "import_plan/code_calls.h"
#include "import_plan/flag_overrides.h"
#include "import_plan/import_walk.h"
#include "import_plan/modules.h"
#include "import_plan/party_files.h"
#include "model/requires_dist.h"
#include "model/rtld.h"
#include "wheelcheck/load_plan.h"

namespace wheelcheck {
namespace import_plan {
namespace {
using process::ObjectIndex;
using process::OpenBy;
using process::OpenFlags;

// An entry of --import: a module of a party, or one of the standard library's files.
struct Wanted {
  std::optional<ModuleId> module;
  std::optional<ObjectIndex> stdlib;
};

// Of an extension module.
struct How {
  std::uint32_t bits = rtld_now;
  std::optional<Cause> cause = {};
  bool maybe = false;
};
// Of any library.
struct Way {
  OpenBy by = OpenBy::Dlopen;
  std::string name = {};  // "" for the path
  std::optional<ObjectIndex> caller = {};
};

class Teller {
 public:
  Teller(const Installation& installation, const LoadPlanOptions& options, const DlopenFlagOverrides& wishes)
      : in_(installation),
        options_(options),
        wishes_(wishes),
        files_(all_files(installation)),
        parts_(parts_of(installation, files_)),
        modules_(parts_) {
    for (std::uint32_t i = 0; i < in_.origins.size(); ++i) {
      if (in_.origins[i].kind == Origin::Kind::Stdlib) stdlib_.push_back(ObjectIndex{i});
      if (in_.origins[i].kind == Origin::Kind::Stdlib && in_.origins[i].module == "_ctypes") ctypes_ = ObjectIndex{i};
    }
    only_libraries_ = std::ranges::all_of(files_, [](const PartyFiles& files) { return files.modules.empty(); });
    std::ranges::sort(stdlib_, {}, [&](ObjectIndex i) { return std::tie(in_.origins[i.value].module, i.value); });
  }

  Result<std::vector<Wanted>> wanted() const {
    std::vector<Wanted> result;
    for (const std::string& name : options_.imports) {
      const auto module = modules_.find(name);
      const auto stdlib =
          std::ranges::find(stdlib_, name, [&](ObjectIndex i) -> const std::string& { return origin(i).module; });
      if (!module && stdlib == stdlib_.end())
        return std::unexpected(
            Error{ErrorCode::Usage, fmt::format("--import {}: no distribution here has that module{}", escape(name),
                                                near_names(name, modules_.names()))});
      result.push_back({module, module ? std::nullopt : std::optional(*stdlib)});
    }
    return result;
  }

  // The parties one after the other.
  LoadPlan tell(const std::vector<PartyIndex>& order) {
    begin(order);
    for (const PartyIndex party : order) {
      begin_step();
      open_party(party);
    }
    // What nothing is known to open comes last, so that it takes no name from what is sure to be opened.
    for (const PartyIndex party : order) {
      begin_step();
      open_uncertain(party);
      if (!load_plan_.opens.back().empty()) continue;
      load_plan_.plan.steps.pop_back();
      load_plan_.opens.pop_back();
    }
    open_stdlib();
    return std::move(load_plan_);
  }

  // These modules and what they import, a step each.
  LoadPlan tell(const std::vector<Wanted>& imports) {
    begin({});
    for (const Wanted& wanted : imports) {
      begin_step();
      if (wanted.module) {
        load_plan_.order.push_back(PartyIndex{modules_[*wanted.module].party});
        import(*wanted.module);
      } else {
        open(*wanted.stdlib, default_flags(),
             {.module = origin(*wanted.stdlib).module, .flags = wishes_.every_import()});
      }
    }
    open_stdlib();
    return std::move(load_plan_);
  }

 private:
  static std::vector<PartyFiles> all_files(const Installation& in) {
    const std::string interpreter = interpreter_tag(in);
    std::vector<PartyFiles> files;
    for (std::uint32_t p = 0; p < in.parties.size(); ++p) files.push_back(files_of(in, PartyIndex{p}, interpreter));
    return files;
  }
  static std::vector<Part> parts_of(const Installation& in, const std::vector<PartyFiles>& files) {
    std::vector<Part> parts;
    for (std::uint32_t p = 0; p < in.parties.size(); ++p) {
      parts.push_back({.wheel = &in.parties[p].facts, .modules = {}});
      for (const ModuleFile& module : files[p].modules) parts.back().modules.emplace_back(module.name, module.elf);
    }
    return parts;
  }

  const Origin& origin(ObjectIndex object) const { return in_.origins[object.value]; }

  void begin(std::vector<PartyIndex> order) {
    load_plan_ = {.order = std::move(order), .plan = {.main = in_.main, .steps = {}}, .opens = {}};
    opened_.assign(in_.world.files.size(), Opened::No);
    ran_.assign(in_.world.files.size(), false);
    run_.emplace(modules_, wishes_.import_bits(), options_.possible);
    taken_ = 0;
  }
  void begin_step() {
    load_plan_.plan.steps.emplace_back();
    load_plan_.opens.emplace_back();
  }

  // What its Python code opens as it is imported, in that order; without the imports, every module.
  void open_party(PartyIndex party) {
    const PartyFiles& files = files_[party.value];
    preload(party);
    const WheelFacts& wheel = in_.parties[party.value].facts;
    if (wheel.all_python) {
      for (const ModuleId root : roots_of(modules_, party.value)) import(root);
    } else {
      for (const PythonFile& file : wheel.python)
        if (const auto module = modules_.of_file(party.value, file.member)) import(*module);
    }
    if (!wheel.all_python)
      for (const ModuleFile& module : files.modules)
        open_module(party, module.elf, {.bits = wishes_.import_bits(), .maybe = false});
    for (const ElfIndex elf : files.loose)  // that the user says is opened
      if (wishes_.global(party, elf) != nullptr) open_library(party, elf, true);
  }

  // Modules that the imports do not reach, and libraries of no file's DT_NEEDED that the wheel's Python code names.
  // What nothing names is not opened: a wheel of libraries alone loads none of them.
  void open_uncertain(PartyIndex party) {
    const PartyFiles& files = files_[party.value];
    const WheelFacts& wheel = in_.parties[party.value].facts;
    for (const ModuleFile& module : files.modules)
      open_module(party, module.elf, {.bits = wishes_.import_bits(), .maybe = wheel.all_python});
    // Distributions of libraries alone are there to be opened, whoever does it.
    if (only_libraries_)
      for (const ElfIndex elf : files.loose) open_library(party, elf, false);
    for (const ElfIndex elf : files.loose)
      if (is_named_in_python(wheel, base_name(path_of(in_.parties[party.value], elf)))) open_library(party, elf, true);
    for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
      if (const auto object = in_.objects[party.value][i]; object && ran_[object->value])
        for (const CodeOpen& call : opened_by_code(in_, party, ElfIndex{i}))
          if (!call.at_load) open_called(call, true);
  }

  static bool is_named_in_python(const WheelFacts& wheel, std::string_view library) {
    for (const PythonFile& file : wheel.python)
      for (const PythonName& name : file.names)
        if (glob_match(base_name(name.text), library)) return true;
    return false;
  }

  // Dependencies that the user wants global are opened first, as a preload is; modules and loose libraries get the
  // flags where they are opened anyway.
  void preload(PartyIndex party) {
    const PartyFiles& files = files_[party.value];
    const auto is_opened_anyway = [&](const auto& wish) {
      return std::ranges::find(files.modules, wish.first, &ModuleFile::elf) != files.modules.end() ||
             std::ranges::find(files.loose, wish.first) != files.loose.end();
    };
    const auto& globals = wishes_.globals(party);
    if (std::ranges::any_of(globals, is_opened_anyway)) return;
    for (const auto& [elf, source] : globals) open_library(party, elf, false);
  }

  void open_stdlib() {
    if (!options_.stdlib) return;
    begin_step();
    for (const ObjectIndex object : stdlib_)
      open(object, default_flags(), {.module = origin(object).module, .flags = wishes_.every_import(), .maybe = true});
  }

  void import(ModuleId module) {
    run_->import(module);
    for (; taken_ < run_->openings().size(); ++taken_) {
      const Opening& opening = run_->openings()[taken_];
      const PartyIndex party{opening.party};
      const bool maybe = opening.reach == Reach::Possible;
      if (opening.module) {
        open_module(party, *opening.module, {opening.flags, opening.cause, maybe});
      } else {
        open_named(opening, maybe);
      }
    }
  }

  void open_module(PartyIndex party, ElfIndex elf, const How& how) {
    const ElfMember& file = in_.parties[party.value].facts.elfs[elf.value];
    PlannedOpen planned{.party = party, .module = std::get<ExtensionModule>(file.role).module, .maybe = how.maybe};
    planned.flags = how.cause ? std::optional(source_of(*how.cause)) : wishes_.every_import();
    OpenFlags flags = flags_of_bits(how.bits);
    make_global(party, elf, flags, planned);
    open(*in_.objects[party.value][elf.value], flags, std::move(planned));
  }

  void open_library(PartyIndex party, ElfIndex elf, bool maybe) {
    PlannedOpen planned{.party = party, .module = "", .maybe = maybe};
    OpenFlags flags;
    make_global(party, elf, flags, planned);
    open(*in_.objects[party.value][elf.value], flags, std::move(planned));
  }

  void make_global(PartyIndex party, ElfIndex elf, OpenFlags& flags, PlannedOpen& planned) const {
    const FlagSource* const source = wishes_.global(party, elf);
    if (!source) return;
    flags.global = true;
    planned.flags = *source;
  }

  // A call of ctypes or cffi.
  void open_named(const Opening& opening, bool maybe) {
    const PartyIndex party{opening.party};
    const Place& place = opening.cause->place;
    const PythonCall& call = call_of(*opening.cause);
    const auto named = libraries_named(in_, party, place.file, *call.library);
    const WheelFacts& wheel = in_.parties[party.value].facts;
    // Where nobody followed the imports, only a package's own code is sure to run.
    const bool is_package = wheel.members[place.file.value].path.name() == "__init__.py";
    maybe = maybe || named.size() > 1 || (!wheel.all_python && !is_package);
    for (const Named& one : named) {
      PlannedOpen planned{.party = origin(one.object).party, .module = "", .maybe = maybe};
      OpenFlags flags = flags_of_bits(opening.flags);
      if (opening.flags != rtld_now) planned.flags = source_of(*opening.cause);
      make_global(origin(one.object).party, origin(one.object).elf, flags, planned);
      const bool ctypes = call.call == LoadCall::Cdll;
      open(one.object, flags, std::move(planned),
           {.by = ctypes ? OpenBy::Ctypes : OpenBy::Dlopen, .name = one.by_path ? "" : *call.library});
    }
  }

  const PythonCall& call_of(const Cause& cause) const {
    const std::vector<PythonFile>& files = in_.parties[cause.place.party].facts.python;
    return std::ranges::lower_bound(files, cause.place.file, {}, &PythonFile::member)->calls[cause.call];
  }

  FlagSource source_of(const Cause& cause) const {
    const Place& place = cause.through.value_or(cause.place);
    return {.by = FlagSource::By::Python,
            .party = PartyIndex{place.party},
            .file = place.file,
            .line = place.line,
            .text = call_of(cause).text,
            .reach = cause.reach};
  }

  OpenFlags default_flags() const { return flags_of_bits(wishes_.import_bits()); }

  // Once a process: a second open finds the file loaded, and does something only if it publishes.
  void open(ObjectIndex object, OpenFlags flags, PlannedOpen planned, Way way = {}) {
    Opened& before = opened_[object.value];
    const Opened now = flags.global ? Opened::Globally : Opened::Locally;
    if (before >= now) return;
    before = now;
    planned.object = object;
    if (!planned.module.empty()) way.by = OpenBy::Import;
    const bool searched = !way.name.empty();
    load_plan_.plan.steps.back().opens.push_back({.name = searched ? way.name : in_.world.files[object.value].path,
                                                  .flags = flags,
                                                  .by = way.by,
                                                  .caller = way.caller ? way.caller
                                                            : searched ? ctypes_
                                                                       : std::nullopt});
    const bool maybe = planned.maybe;
    load_plan_.opens.back().push_back(std::move(planned));
    if (origin(object).kind == Origin::Kind::Party) run_code(object, maybe);
  }

  // The calls of dlopen in constructors and PyInit functions of a file and of its libraries. What they open may call
  // it again: a queue, so that no chain of files is too long.
  void run_code(ObjectIndex object, bool maybe) {
    started_.push_back({object, maybe});
    if (started_.size() > 1) return;
    for (std::size_t i = 0; i < started_.size(); ++i) {
      const auto [file, uncertain] = started_[i];
      const PartyIndex party = origin(file).party;
      for (const ElfIndex elf : with_own_dependencies(in_.parties[party.value], origin(file).elf)) {
        const auto own = in_.objects[party.value][elf.value];
        if (!own || ran_[own->value]) continue;
        ran_[own->value] = true;
        for (const CodeOpen& call : opened_by_code(in_, party, elf))
          if (call.at_load) open_called(call, uncertain);
      }
    }
    started_.clear();
  }

  void open_called(const CodeOpen& call, bool maybe) {
    const Origin& from = origin(call.caller);
    PlannedOpen planned{.party = from.party, .module = "", .maybe = maybe || !call.at_load, .in_code = true};
    if (call.is_read)
      planned.flags = FlagSource{.by = FlagSource::By::Code,
                                 .party = from.party,
                                 .file = in_.parties[from.party.value].facts.elfs[from.elf.value].member,
                                 .text = call_text(call)};
    OpenFlags flags = flags_of_bits(call.flags);
    make_global(origin(call.object).party, origin(call.object).elf, flags, planned);
    open(call.object, flags, std::move(planned), {.name = call.name, .caller = call.caller});
  }

  enum class Opened : std::uint8_t { No, Locally, Globally };

  const Installation& in_;
  const LoadPlanOptions& options_;
  const DlopenFlagOverrides& wishes_;
  const std::vector<PartyFiles> files_;  // by party
  const std::vector<Part> parts_;
  const Modules modules_;
  std::vector<ObjectIndex> stdlib_;
  bool only_libraries_ = false;  // no distribution has an extension module
  std::optional<ObjectIndex> ctypes_;
  std::optional<Run> run_;
  std::size_t taken_ = 0;       // of run_->openings()
  std::vector<Opened> opened_;  // by object
  std::vector<bool> ran_;       // by object: its constructors
  std::vector<std::pair<ObjectIndex, bool>> started_;
  LoadPlan load_plan_;
};

}  // namespace
}  // namespace import_plan

Result<std::vector<LoadPlan>> tell(const Installation& installation, const LoadPlanOptions& options) {
  const Result<import_plan::DlopenFlagOverrides> wishes = import_plan::DlopenFlagOverrides::read(installation, options);
  if (!wishes) return std::unexpected(wishes.error());
  import_plan::Teller teller(installation, options, *wishes);
  if (!options.imports.empty()) {
    auto wanted = teller.wanted();
    if (!wanted) return std::unexpected(wanted.error());
    std::vector<LoadPlan> told{teller.tell(*wanted)};
    if (options.order != ImportOrder::Both || wanted->size() < 2) return told;
    std::ranges::reverse(*wanted);
    told.push_back(teller.tell(*wanted));
    return told;
  }
  constexpr std::size_t most_wheels_both_ways = 6;
  std::vector<PartyIndex> order;
  for (std::uint32_t p = 0; p < installation.parties.size(); ++p) order.push_back(PartyIndex{p});
  const ImportOrder wanted =
      options.order.value_or(order.size() <= most_wheels_both_ways ? ImportOrder::Both : ImportOrder::Given);
  const std::vector<PartyIndex> backwards(order.rbegin(), order.rend());
  std::vector<LoadPlan> told{teller.tell(requirements_first(installation, order))};
  if (wanted != ImportOrder::Both || order.size() < 2) return told;
  if (const auto other = requirements_first(installation, backwards); other != told.front().order) {
    told.push_back(teller.tell(other));
  } else if (order.size() == 2) {
    const std::vector<PartyIndex> other_way(told.front().order.rbegin(), told.front().order.rend());
    told.push_back(teller.tell(other_way));
    told.back().dependant_first = true;
  }
  return told;
}

}  // namespace wheelcheck
