// Builds the load plans of an installation from the files of the distributions, their Python code and the user's
// options.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
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

// An entry of --import: a module of a distribution, or of the standard library.
struct Wanted {
  std::optional<ModuleId> module;
  std::optional<ObjectIndex> stdlib;
};

// How an extension module is opened.
struct How {
  std::uint32_t bits = rtld_now;
  std::optional<Cause> cause = {};
  bool maybe = false;
};
// How any library is opened.
struct Way {
  OpenBy by = OpenBy::Dlopen;
  std::string name = {};  // "": by its path
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

  // A plan that imports the distributions one after the other.
  LoadPlan tell(const std::vector<PartyIndex>& order) {
    begin(order);
    for (const PartyIndex party : order) {
      begin_step();
      open_party(party);
    }
    // Opens that are only possible come last, so that they do not take a soname from opens that are certain.
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

  // A plan that imports these modules, one step for each.
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
    run_.emplace(modules_, wishes_.import_bits(), options_.possible);
    taken_ = 0;
  }
  void begin_step() {
    load_plan_.plan.steps.emplace_back();
    load_plan_.opens.emplace_back();
  }

  // Opens what the Python code opens during the import, in that order. If the imports are unknown, opens every module.
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
    for (const ElfIndex elf : files.loose)  // only if the user's options open it
      if (wishes_.global(party, elf) != nullptr) open_library(party, elf, true);
  }

  // Opens the modules that the imports do not reach, and the libraries that are not needed by any file but are named in
  // the wheel's Python code. Other libraries are not opened: a wheel that only contains libraries loads none of them.
  void open_uncertain(PartyIndex party) {
    const PartyFiles& files = files_[party.value];
    const WheelFacts& wheel = in_.parties[party.value].facts;
    for (const ModuleFile& module : files.modules)
      open_module(party, module.elf, {.bits = wishes_.import_bits(), .maybe = wheel.all_python});
    for (const ElfIndex elf : files.loose)
      if (is_named_in_python(wheel, base_name(path_of(in_.parties[party.value], elf)))) open_library(party, elf, true);
  }

  static bool is_named_in_python(const WheelFacts& wheel, std::string_view library) {
    for (const PythonFile& file : wheel.python)
      for (const PythonName& name : file.names)
        if (glob_match(base_name(name.text), library)) return true;
    return false;
  }

  // Opens the dependencies for which the user requests RTLD_GLOBAL first, like a preload. Modules and libraries that
  // are opened anyway get the flags at that time.
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

  // Opens the library of a call of ctypes or cffi.
  void open_named(const Opening& opening, bool maybe) {
    const PartyIndex party{opening.party};
    const Place& place = opening.cause->place;
    const PythonCall& call = call_of(*opening.cause);
    const auto named = libraries_named(in_, party, place.file, *call.library);
    const WheelFacts& wheel = in_.parties[party.value].facts;
    // If the imports are unknown, only the code of an __init__.py is certain to run.
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

  // Adds an open. A file is opened only once per process, because a second open has an effect only if it adds
  // RTLD_GLOBAL.
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
                                                  .caller = searched ? ctypes_ : std::nullopt});
    load_plan_.opens.back().push_back(std::move(planned));
  }

  enum class Opened : std::uint8_t { No, Locally, Globally };

  const Installation& in_;
  const LoadPlanOptions& options_;
  const DlopenFlagOverrides& wishes_;
  const std::vector<PartyFiles> files_;  // by distribution
  const std::vector<Part> parts_;
  const Modules modules_;
  std::vector<ObjectIndex> stdlib_;
  std::optional<ObjectIndex> ctypes_;
  std::optional<Run> run_;
  std::size_t taken_ = 0;       // number of run_->openings() that are processed
  std::vector<Opened> opened_;  // by object
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
