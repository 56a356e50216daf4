// Builds the load plans of an installation from the files of the distributions, their Python code and the user's
// options.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "import_plan/distribution_files.h"
#include "import_plan/first_import.h"
#include "import_plan/flag_overrides.h"
#include "import_plan/import_walk.h"
#include "import_plan/lone_module.h"
#include "import_plan/modules.h"
#include "import_plan/own_loads.h"
#include "model/plugins.h"
#include "model/python_calls.h"
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
struct ImportRequest {
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
struct BindingResult {
  OpenBy by = OpenBy::Dlopen;
  std::string name = {};  // "": by its path
  std::optional<ObjectIndex> caller = {};
};

class Planner {
 public:
  Planner(const Installation& installation, const LoadPlanOptions& options, const DlopenFlagOverrides& overrides)
      : in_(installation),
        options_(options),
        overrides_(overrides),
        files_(all_files(installation)),
        parts_(parts_of(installation, files_)),
        modules_(parts_) {
    for (std::uint32_t i = 0; i < in_.origins.size(); ++i) {
      if (in_.origins[i].kind == Origin::Kind::Stdlib) stdlib_.push_back(ObjectIndex{i});
      if (in_.origins[i].kind == Origin::Kind::Stdlib && in_.origins[i].module == "_ctypes") ctypes_ = ObjectIndex{i};
    }
    only_libraries_ = std::ranges::all_of(files_, [](const DistributionFiles& files) { return files.modules.empty(); });
    std::ranges::sort(stdlib_, {}, [&](ObjectIndex i) { return std::tie(in_.origins[i.value].module, i.value); });
  }

  Result<std::vector<ImportRequest>> requests() const {
    std::vector<ImportRequest> result;
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
  LoadPlan plan_imports(const std::vector<DistributionIndex>& order) {
    begin(order);
    for (const DistributionIndex distribution : order) import_distribution(distribution);
    // Other opens that are only possible come last, so that they do not take a soname from opens that are certain.
    for (const DistributionIndex distribution : order) {
      begin_step();
      open_uncertain(distribution);
      open_plugins(distribution);
      if (!load_plan_.opens.back().empty()) continue;
      load_plan_.plan.steps.pop_back();
      load_plan_.opens.pop_back();
    }
    open_stdlib();
    return finished();
  }

  // A plan of a process whose first import is this distribution.
  LoadPlan plan_first_import(DistributionIndex distribution) {
    begin({distribution});
    begin_step();
    open_distribution(distribution);
    // Whoever uses a wheel with one module imports this module (PyQtChart).
    if (const std::vector<ModuleFile>& modules = files_[distribution.value].modules;
        modules.size() == 1 && opens_none(distribution))
      import_module(distribution, modules.front());
    return finished();
  }

  // Plans that import one module of a distribution whose own import opens none, and then others that have some of the
  // same libraries.
  std::vector<LoadPlan> plan_lone_modules() {
    std::vector<LoadPlan> plans;
    for (const LoneModule& lone : lone_modules(in_, files_)) {
      begin({});
      begin_step();
      open_distribution(lone.distribution);
      if (!opens_none(lone.distribution)) continue;
      std::vector<DistributionIndex> order{lone.distribution};
      order.insert(order.end(), lone.others.begin(), lone.others.end());
      begin(order);
      load_plan_.module = lone.module.name;
      begin_step();
      import_module(lone.distribution, lone.module);
      for (const DistributionIndex other : lone.others) import_distribution(other);
      plans.push_back(finished());
    }
    return plans;
  }

  // A plan that imports these modules, one step for each.
  LoadPlan plan_imports(const std::vector<ImportRequest>& imports) {
    begin({});
    for (const ImportRequest& request : imports) {
      begin_step();
      if (request.module) {
        const DistributionIndex distribution{modules_[*request.module].distribution};
        if (load_plan_.order.empty() || load_plan_.order.back() != distribution)
          load_plan_.order.push_back(distribution);
        import(*request.module);
      } else {
        open(*request.stdlib, default_flags(),
             {.module = origin(*request.stdlib).module, .flags = overrides_.every_import()});
      }
    }
    open_stdlib();
    return finished();
  }

 private:
  static std::vector<DistributionFiles> all_files(const Installation& in) {
    const std::string interpreter = interpreter_tag(in);
    std::vector<DistributionFiles> files;
    for (std::uint32_t p = 0; p < in.distributions.size(); ++p)
      files.push_back(files_of(in, DistributionIndex{p}, interpreter));
    return files;
  }
  static std::vector<Part> parts_of(const Installation& in, const std::vector<DistributionFiles>& files) {
    std::vector<Part> parts;
    for (std::uint32_t p = 0; p < in.distributions.size(); ++p) {
      parts.push_back({.wheel = &in.distributions[p].facts, .modules = {}});
      for (const ModuleFile& module : files[p].modules) parts.back().modules.emplace_back(module.name, module.elf);
    }
    return parts;
  }

  const Origin& origin(ObjectIndex object) const { return in_.origins[object.value]; }

  void begin(std::vector<DistributionIndex> order) {
    load_plan_ = {
        .order = std::move(order), .module = {}, .plan = {.main = in_.main, .steps = {}}, .opens = {}, .cut = {}};
    opened_.assign(in_.world.files.size(), Opened::No);
    ran_.assign(in_.world.files.size(), false);
    needed_.clear();
    run_.emplace(modules_, overrides_.import_bits(), options_.possible ? Run::Follow::Everything : Run::Follow::Likely);
    taken_ = 0;
  }
  LoadPlan finished() {
    load_plan_.cut = run_->cut();
    return std::move(load_plan_);
  }
  void begin_step() {
    load_plan_.plan.steps.emplace_back();
    load_plan_.opens.emplace_back();
  }

  // A step of its own.
  void import_distribution(DistributionIndex distribution) {
    begin_step();
    open_distribution(distribution);
    // The imports may reach no module: `cv2` finds its own by sys.path, and those of Shapely 1.8 are imported with
    // shapely.geometry. Without one the distribution is of no use.
    if (opens_none(distribution)) open_uncertain(distribution);
  }

  // A module that somebody imports, with the packages that contain it.
  void import_module(DistributionIndex distribution, const ModuleFile& module) {
    if (const auto known = modules_.find(module.name); known && modules_[*known].distribution == distribution.value)
      import(*known);
    open_module(distribution, module.elf, {.bits = overrides_.import_bits()});
  }

  // Opens what the Python code opens during the import, in that order. If the imports are unknown, opens every module.
  void open_distribution(DistributionIndex distribution) {
    const DistributionFiles& files = files_[distribution.value];
    preload(distribution);
    const WheelFacts& wheel = in_.distributions[distribution.value].facts;
    if (wheel.all_python) {
      for (const ModuleId root : roots_of(modules_, distribution.value)) import(root);
    } else {
      for (const PythonFile& file : wheel.python)
        if (const auto module = modules_.of_file(distribution.value, file.member)) import(*module);
    }
    if (!wheel.all_python)
      for (const ModuleFile& module : files.modules)
        open_module(distribution, module.elf, {.bits = overrides_.import_bits(), .maybe = false});
    for (const ElfIndex elf : files.loose)  // only if the user's options open it
      if (overrides_.global(distribution, elf) != nullptr) open_library(distribution, elf, true);
  }

  // Opens the modules that the imports do not reach, and the libraries that are not needed by any file but are named in
  // the wheel's Python code. Other libraries are not opened: a wheel that only contains libraries loads none of them.
  void open_uncertain(DistributionIndex distribution) {
    const DistributionFiles& files = files_[distribution.value];
    const WheelFacts& wheel = in_.distributions[distribution.value].facts;
    for (const ModuleFile& module : files.modules) {
      // Whoever imports it imports its packages first, and what these import.
      const auto known = modules_.find(module.name);
      if (wheel.all_python && known && modules_[*known].distribution == distribution.value) import(*known, true);
      open_module(distribution, module.elf, {.bits = overrides_.import_bits(), .maybe = wheel.all_python});
    }
    // Distributions that contain only libraries are played by opening these.
    if (only_libraries_)
      for (const ElfIndex elf : files.loose) open_library(distribution, elf, false);
    for (const ElfIndex elf : files.loose)
      if (is_named_in_python(wheel, base_name(path_of(in_.distributions[distribution.value], elf))))
        open_library(distribution, elf, true);
    // pyscf: load_library(name), where the call shows only "*.so".
    if (files.modules.empty() && opens_no_file(distribution))
      for (const ElfIndex elf : files.loose)
        if (is_opened_by_name(wheel, base_name(path_of(in_.distributions[distribution.value], elf))))
          open_library(distribution, elf, true);
    for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
      if (const auto object = in_.objects[distribution.value][i]; object && ran_[object->value])
        for (const CodeOpen& call : opened_by_code(in_, distribution, ElfIndex{i}))
          if (!call.at_load) open_called(call, true);
  }

  // They come after all imports: a program shows its first window when it has imported everything. The toolkit's
  // libraries may be in another distribution than the modules that need them.
  void open_plugins(DistributionIndex distribution) {
    const Distribution& from = in_.distributions[distribution.value];
    for (std::uint32_t i = 0; i < from.facts.elfs.size(); ++i) {
      const auto object = in_.objects[distribution.value][i];
      const ElfFacts& facts = from.facts.elfs[i].facts;
      if (!object) continue;
      const auto host = std::ranges::find_if(plugin_hosts, [&](const PluginHost& each) {
        return is_plugin_of(each, path_of(from, ElfIndex{i}), facts) && is_used(each, facts);
      });
      if (host != plugin_hosts.end()) open_called({*object, *object, "", host->flags, false, false}, true);
    }
  }

  // Whether the library that opens the plugin is loaded: the one that it requires, or any if it requires none.
  bool is_used(const PluginHost& host, const ElfFacts& plugin) const {
    const auto is_host = [&](std::string_view name) { return glob_match(host.library, name); };
    const auto& required = plugin.dynamic->needed;
    return std::ranges::none_of(required, is_host) ? std::ranges::any_of(needed_, is_host)
                                                   : std::ranges::any_of(required, [&](const auto& name) {
                                                       return is_host(name) && needed_.contains(name);
                                                     });
  }

  bool opens_none(DistributionIndex distribution) const {
    const std::vector<ModuleFile>& modules = files_[distribution.value].modules;
    return !modules.empty() && std::ranges::none_of(modules, [&](const ModuleFile& module) {
      return opened_[in_.objects[distribution.value][module.elf.value]->value] != Opened::No;
    });
  }

  bool opens_no_file(DistributionIndex distribution) const {
    return std::ranges::none_of(in_.objects[distribution.value], [&](const std::optional<ObjectIndex>& object) {
      return object && opened_[object->value] != Opened::No;
    });
  }

  static bool is_named_in_python(const WheelFacts& wheel, std::string_view library) {
    for (const PythonFile& file : wheel.python)
      for (const PythonName& name : file.names)
        if (glob_match(base_name(name.text), library)) return true;
    return false;
  }

  // Opens the dependencies for which the user requests RTLD_GLOBAL first, like a preload. Modules and libraries that
  // are opened anyway get the flags at that time.
  void preload(DistributionIndex distribution) {
    const DistributionFiles& files = files_[distribution.value];
    const auto is_opened_anyway = [&](const auto& option) {
      return std::ranges::find(files.modules, option.first, &ModuleFile::elf) != files.modules.end() ||
             std::ranges::find(files.loose, option.first) != files.loose.end();
    };
    const auto& globals = overrides_.globals(distribution);
    if (std::ranges::any_of(globals, is_opened_anyway)) return;
    for (const auto& [elf, source] : globals) open_library(distribution, elf, false);
  }

  void open_stdlib() {
    if (!options_.stdlib) return;
    begin_step();
    for (const ObjectIndex object : stdlib_)
      open(object, default_flags(),
           {.module = origin(object).module, .flags = overrides_.every_import(), .maybe = true});
  }

  // uncertain: nothing is known that imports the module.
  void import(ModuleId module, bool uncertain = false) {
    run_->import(module);
    for (; taken_ < run_->openings().size(); ++taken_) {
      const Opening& opening = run_->openings()[taken_];
      const DistributionIndex distribution{opening.distribution};
      const bool maybe = uncertain || opening.reach == Reach::Possible;
      if (opening.module) {
        open_module(distribution, *opening.module, {opening.flags, opening.cause, maybe});
      } else {
        open_named(opening, maybe);
      }
    }
  }

  void open_module(DistributionIndex distribution, ElfIndex elf, const How& how) {
    const ElfMember& file = in_.distributions[distribution.value].facts.elfs[elf.value];
    PlannedOpen planned{
        .distribution = distribution, .module = std::get<ExtensionModule>(file.role).module, .maybe = how.maybe};
    planned.flags = how.cause ? std::optional(source_of(*how.cause)) : overrides_.every_import();
    OpenFlags flags = flags_of_bits(how.bits);
    make_global(distribution, elf, flags, planned);
    open(*in_.objects[distribution.value][elf.value], flags, std::move(planned));
  }

  void open_library(DistributionIndex distribution, ElfIndex elf, bool maybe) {
    PlannedOpen planned{.distribution = distribution, .module = "", .maybe = maybe};
    OpenFlags flags;
    make_global(distribution, elf, flags, planned);
    open(*in_.objects[distribution.value][elf.value], flags, std::move(planned));
  }

  void make_global(DistributionIndex distribution, ElfIndex elf, OpenFlags& flags, PlannedOpen& planned) const {
    const FlagSource* const source = overrides_.global(distribution, elf);
    if (!source) return;
    flags.global = true;
    planned.flags = *source;
  }

  // Opens the library of a call of ctypes or cffi.
  void open_named(const Opening& opening, bool maybe) {
    const DistributionIndex distribution{opening.distribution};
    const SourcePosition& place = opening.cause->place;
    const PythonCall& call = call_of(*opening.cause);
    const auto named = libraries_named(in_, distribution, place.file, *call.library);
    const WheelFacts& wheel = in_.distributions[distribution.value].facts;
    // If the imports are unknown, only the code of an __init__.py is certain to run.
    const bool is_package = wheel.members[place.file.value].path.name() == "__init__.py";
    maybe = maybe || named.size() > 1 || (!wheel.all_python && !is_package);
    const bool tried = is_caught(file_of(*opening.cause), opening.cause->call);
    for (const Named& one : named) {
      PlannedOpen planned{
          .distribution = origin(one.object).distribution, .module = "", .maybe = maybe, .tried = tried};
      OpenFlags flags = flags_of_bits(opening.flags);
      if (opening.flags != rtld_now) planned.flags = source_of(*opening.cause);
      make_global(origin(one.object).distribution, origin(one.object).elf, flags, planned);
      const bool ctypes = call.call == LoadCall::Cdll;
      open(one.object, flags, std::move(planned),
           {.by = ctypes ? OpenBy::Ctypes : OpenBy::Dlopen, .name = one.by_path ? "" : *call.library});
    }
  }

  const PythonFile& file_of(const Cause& cause) const {
    const std::vector<PythonFile>& files = in_.distributions[cause.place.distribution].facts.python;
    return *std::ranges::lower_bound(files, cause.place.file, {}, &PythonFile::member);
  }
  const PythonCall& call_of(const Cause& cause) const { return file_of(cause).calls[cause.call]; }

  FlagSource source_of(const Cause& cause) const {
    const SourcePosition& place = cause.through.value_or(cause.place);
    return {.by = FlagSource::By::Python,
            .distribution = DistributionIndex{place.distribution},
            .file = place.file,
            .line = place.line,
            .text = call_of(cause).text,
            .reach = cause.reach};
  }

  OpenFlags default_flags() const { return flags_of_bits(overrides_.import_bits()); }

  // Adds an open. A file is opened only once per process, because a second open has an effect only if it adds
  // RTLD_GLOBAL.
  void open(ObjectIndex object, OpenFlags flags, PlannedOpen planned, BindingResult way = {}) {
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
    if (origin(object).kind == Origin::Kind::Distribution) run_code(object, maybe);
  }

  // The calls of dlopen in constructors and PyInit functions of a file and of its libraries. What they open may call
  // it again: a queue, so that no chain of files is too long.
  void run_code(ObjectIndex object, bool maybe) {
    started_.push_back({object, maybe});
    if (started_.size() > 1) return;
    for (std::size_t i = 0; i < started_.size(); ++i) {
      const auto [file, uncertain] = started_[i];
      const DistributionIndex distribution = origin(file).distribution;
      for (const ElfIndex elf : with_own_dependencies(in_.distributions[distribution.value], origin(file).elf)) {
        const auto own = in_.objects[distribution.value][elf.value];
        if (!own || ran_[own->value]) continue;
        ran_[own->value] = true;
        if (const auto& dynamic = in_.world.files[own->value].facts->dynamic)
          needed_.insert(dynamic->needed.begin(), dynamic->needed.end());
        for (const CodeOpen& call : opened_by_code(in_, distribution, elf))
          if (call.at_load) open_called(call, uncertain);
      }
    }
    started_.clear();
  }

  void open_called(const CodeOpen& call, bool maybe) {
    const Origin& from = origin(call.caller);
    PlannedOpen planned{
        .distribution = from.distribution, .module = "", .maybe = maybe || !call.at_load, .in_code = true};
    if (call.is_read)
      planned.flags = FlagSource{.by = FlagSource::By::Code,
                                 .distribution = from.distribution,
                                 .file = in_.distributions[from.distribution.value].facts.elfs[from.elf.value].member,
                                 .text = call_text(call)};
    OpenFlags flags = flags_of_bits(call.flags);
    make_global(origin(call.object).distribution, origin(call.object).elf, flags, planned);
    open(call.object, flags, std::move(planned), {.name = call.name, .caller = call.caller});
  }

  enum class Opened : std::uint8_t { No, Locally, Globally };

  const Installation& in_;
  const LoadPlanOptions& options_;
  const DlopenFlagOverrides& overrides_;
  const std::vector<DistributionFiles> files_;  // by distribution
  const std::vector<Part> parts_;
  const Modules modules_;
  std::vector<ObjectIndex> stdlib_;
  bool only_libraries_ = false;  // no distribution has an extension module
  std::optional<ObjectIndex> ctypes_;
  std::optional<Run> run_;
  std::size_t taken_ = 0;              // number of run_->openings() that are processed
  std::vector<Opened> opened_;         // by object
  std::vector<bool> ran_;              // by object: its constructors
  std::set<std::string_view> needed_;  // by these files
  std::vector<std::pair<ObjectIndex, bool>> started_;
  LoadPlan load_plan_;
};

}  // namespace

std::vector<LoadPlan> plan_first_imports(const Installation& installation, const LoadPlanOptions& options,
                                         std::span<const DistributionIndex> distributions) {
  std::vector<LoadPlan> plans;
  const auto overrides = DlopenFlagOverrides::read(installation, options);
  if (!overrides || distributions.empty()) return plans;
  Planner planner(installation, options, *overrides);
  for (const DistributionIndex distribution : distributions) plans.push_back(planner.plan_first_import(distribution));
  return plans;
}

}  // namespace import_plan

namespace {

// The distributions that give a library of the platform their own thread-local variables, or functions without an
// address, if they are the first to load it (WC239, WC240).
std::vector<DistributionIndex> providers_of_state(const Installation& installation) {
  std::set<std::string_view> of_platform;
  for (std::size_t i = 0; i < installation.world.files.size(); ++i)
    if (const ElfFacts* const facts = installation.world.files[i].facts;
        facts != nullptr && facts->dynamic && installation.origins[i].kind == Origin::Kind::Platform)
      for (const Export& symbol : facts->dynamic->exports) of_platform.insert(symbol.name);
  const auto provides = [&](const ElfMember& file) {
    if (!file.facts.dynamic || !is_host_code(file)) return false;
    const DynamicFacts& dynamic = *file.facts.dynamic;
    return std::ranges::any_of(dynamic.exports,
                               [&](const Export& symbol) {
                                 return symbol.kind == SymbolKind::Tls && of_platform.contains(symbol.name);
                               }) ||
           std::ranges::any_of(dynamic.exports_at_zero,
                               [&](std::string_view name) { return of_platform.contains(name); });
  };
  std::vector<DistributionIndex> out;
  for (std::uint32_t i = 0; i < installation.distributions.size(); ++i)
    if (std::ranges::any_of(installation.distributions[i].facts.elfs, provides)) out.push_back({i});
  return out;
}

// Whether only what it requires is imported before it.
bool comes_first(const Installation& installation, const std::vector<DistributionIndex>& order,
                 DistributionIndex distribution) {
  const std::vector<bool> required = required_by(installation, distribution);
  for (const DistributionIndex each : order) {
    if (each == distribution) return true;
    if (!required[each.value]) return false;
  }
  return false;
}

}  // namespace

Result<std::vector<LoadPlan>> plan_imports(const Installation& installation, const LoadPlanOptions& options) {
  const Result<import_plan::DlopenFlagOverrides> overrides =
      import_plan::DlopenFlagOverrides::read(installation, options);
  if (!overrides) return std::unexpected(overrides.error());
  import_plan::Planner planner(installation, options, *overrides);
  if (!options.imports.empty()) {
    auto requests = planner.requests();
    if (!requests) return std::unexpected(requests.error());
    std::vector<LoadPlan> plans{planner.plan_imports(*requests)};
    if (options.order != ImportOrder::Both || requests->size() < 2) return plans;
    std::ranges::reverse(*requests);
    plans.push_back(planner.plan_imports(*requests));
    return plans;
  }
  constexpr std::size_t max_wheels_both_ways = 6;
  std::vector<DistributionIndex> order = options.first;
  if (order.empty())
    for (std::uint32_t p = 0; p < installation.distributions.size(); ++p) order.push_back(DistributionIndex{p});
  const ImportOrder import_order =
      options.order.value_or(order.size() <= max_wheels_both_ways ? ImportOrder::Both : ImportOrder::Given);
  std::vector<DistributionIndex> backwards(order.rbegin(), order.rend());
  for (std::uint32_t p = 0; p < installation.distributions.size(); ++p)
    if (std::ranges::find(order, DistributionIndex{p}) == order.end()) {
      order.push_back(DistributionIndex{p});
      backwards.push_back(DistributionIndex{p});
    }
  std::vector<LoadPlan> plans{planner.plan_imports(requirements_first(installation, order))};
  const bool both = import_order == ImportOrder::Both && order.size() > 1;
  if (const auto other = requirements_first(installation, backwards); both && other != plans.front().order) {
    plans.push_back(planner.plan_imports(other));
  } else if (both && order.size() == 2) {
    const std::vector<DistributionIndex> other_way(plans.front().order.rbegin(), plans.front().order.rend());
    plans.push_back(planner.plan_imports(other_way));
    plans.back().dependant_first = true;
  }
  if (options.order) return plans;
  // In a large set, an order of names puts others before those whose place matters.
  constexpr std::size_t max_plans = 6;
  for (const DistributionIndex distribution : providers_of_state(installation)) {
    if (std::ranges::any_of(plans,
                            [&](const LoadPlan& plan) { return comes_first(installation, plan.order, distribution); }))
      continue;
    if (plans.size() == max_plans) {
      plans.front().cut = fmt::format("only {} orders of imports are simulated, none with {} first", max_plans,
                                      name_of_distribution(installation.distributions[distribution.value].facts));
      break;
    }
    std::vector<DistributionIndex> first{distribution};
    std::ranges::copy_if(order, std::back_inserter(first),
                         [&](DistributionIndex each) { return each != distribution; });
    plans.push_back(planner.plan_imports(requirements_first(installation, first)));
  }
  for (LoadPlan& plan : planner.plan_lone_modules()) {
    if (plans.size() == max_plans) {
      plans.front().cut =
          fmt::format("only {} orders of imports are simulated, none with {} alone first", max_plans, plan.module);
      break;
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace wheelcheck
