// A wheel was compiled for, or requires, another release of a distribution than the one that is installed with it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "base/text.h"
#include "model/import_checks.h"
#include "model/pep440.h"
#include "model/requires_dist.h"
#include "rules/sets/set_common.h"
#include "wheelcheck/version.h"

// WC548: a module of Cython was compiled for objects of another size than those of the wheel that is installed with it.
namespace wheelcheck::rules::type_size_differs {
namespace {

struct Definition {
  DistributionIndex distribution;
  ElfIndex file;
  DefinedType type;
};
using Definitions = std::multimap<std::string_view, Definition>;

template <class Visit>
void each_module(const WheelFacts& wheel, Visit visit) {
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
    if (std::holds_alternative<ExtensionModule>(wheel.elfs[i].role) && is_host_code(wheel.elfs[i]))
      visit(ElfIndex{i}, wheel.elfs[i].facts.interfaces);
}

Definitions definitions_of(const Installation& all) {
  Definitions found;
  for (std::uint32_t i = 0; i < all.distributions.size(); ++i)
    each_module(all.distributions[i].facts, [&](ElfIndex file, const InterfaceFacts& facts) {
      for (const DefinedType& type : facts.defined_types)
        found.emplace(type.name, Definition{DistributionIndex{i}, file, type});
    });
  return found;
}

// The definition in another distribution that the module refuses. Null if one of that name fits or is the wheel's own.
const Definition* refused(const Definitions& definitions, DistributionIndex user, const ImportedType& type) {
  const auto [begin, end] = definitions.equal_range(type.name);
  const bool fits = std::any_of(
      begin, end, [&](const auto& each) { return each.second.distribution == user || type.accepts(each.second.type); });
  return begin == end || fits ? nullptr : &begin->second;
}

// The definition in another distribution that is larger, so that Python prints a warning. NumPy's objects grow by
// fields at the end that nobody outside uses, and NumPy hides the warning.
const Definition* larger(const Definitions& definitions, DistributionIndex user, const ImportedType& type) {
  const auto [begin, end] = definitions.equal_range(type.name);
  const bool fits = std::any_of(begin, end, [&](const auto& each) {
    return each.second.distribution == user || each.second.type.size <= type.size;
  });
  return begin == end || fits || !type.warns || type.name.starts_with("numpy.") ? nullptr : &begin->second;
}

// Whether the module has a class of its own that can inherit from the type and adds fields to it: they are where the
// new fields of the type are. The size says so, because a class is at least as large as its base.
bool may_add_fields(const InterfaceFacts& module, const ImportedType& type) {
  return std::ranges::any_of(module.defined_types, [&](const DefinedType& own) { return own.size > type.size; });
}

struct Refusal {
  ElfIndex file;
  ImportedType type;
  const Definition* definition = nullptr;
  bool larger = false;   // only a warning of Python
  bool crashes = false;  // of a larger one: a class of the module can inherit from it
};
// By provider: the refused types, of each file the first.
std::map<DistributionIndex, std::vector<Refusal>> refusals_of(const Definitions& definitions, DistributionIndex user,
                                                              const WheelFacts& wheel) {
  std::map<DistributionIndex, std::vector<Refusal>> found;
  each_module(wheel, [&](ElfIndex file, const InterfaceFacts& facts) {
    const std::vector<ImportedType>& types = facts.imported_types;
    for (const ImportedType& type : types)
      if (const Definition* const definition = refused(definitions, user, type)) {
        found[definition->distribution].push_back({file, type, definition});
        return;
      }
    // One that a class of the module inherits from comes before others (LogrankCriterion of scikit-survival).
    std::optional<Refusal> warned;
    for (const ImportedType& type : types)
      if (const Definition* const definition = larger(definitions, user, type);
          definition != nullptr && (!warned || (!warned->crashes && may_add_fields(facts, type))))
        warned = {file, type, definition, true, may_add_fields(facts, type)};
    if (warned) found[warned->definition->distribution].push_back(*warned);
  });
  for (auto& [provider, refusals] : found)
    std::ranges::stable_sort(refusals, {},
                             [](const Refusal& one) { return one.larger + (one.larger && !one.crashes); });
  return found;
}

// WC547 has the same reason and the same fix.
bool is_refused_numpy(const WheelFacts& user, const WheelFacts& provider) {
  if (normal_project_name(name_of_distribution(provider)) != "numpy") return false;
  const auto demand = numpy_demand(user);
  const std::string version = version_of(provider);
  return demand && !demand->by_size &&
         ((!demand->minimum.empty() && natural_order(version, demand->minimum) < 0) ||
          (demand->refuses_2 && natural_order(version, "2") >= 0));
}

struct FirstImport {
  const PlannedOpen* open = nullptr;  // the first that is certain and opens a module that refuses a type
  const Refusal* refusal = nullptr;   // of this module, else the first
  bool certain = false;               // an import of any module of the distribution is certain
};
FirstImport first_import(const Conflicts& conflicts, DistributionIndex user, const std::vector<Refusal>& refusals) {
  FirstImport out{.refusal = &refusals.front()};
  for (const LoadPlan& load_plan : conflicts.load_plans)
    for (const auto& step : load_plan.opens)
      for (const PlannedOpen& open : step) {
        if (open.maybe || open.module.empty() || !open.object) continue;
        const Origin& origin = conflicts.installation.origins[open.object->value];
        if (origin.kind != Origin::Kind::Distribution || origin.distribution != user) continue;
        const auto refusal = std::ranges::find(refusals, origin.elf, &Refusal::file);
        out.certain = true;
        if (refusal != refusals.end()) return {&open, &*refusal, true};
      }
  return out;
}

std::string fix_of(const Installation& all, DistributionIndex user, DistributionIndex provider,
                   const Refusal& refusal) {
  const std::string one = name_of(all, user), other = name_of(all, provider);
  // The objects of NumPy 2 are smaller than those of NumPy 1.
  const std::string version = version_of(all.distributions[provider.value].facts);
  if (refusal.type.name == "numpy.dtype" && refusal.type.size > refusal.definition->type.size &&
      natural_order(version, "2") >= 0)
    return fmt::format("pip install 'numpy<2', or a version of {} that was compiled for {}", one,
                       name_and_version(all, provider));
  const auto line = requirement_on(all, user, provider);
  if (line && allows(specifier_of(*line), version) == false)
    return fmt::format("pip install {}", shell_word(other + specifier_of(*line)));
  return fmt::format("pip install --upgrade {} {}; in {}: require the releases of {} that it was compiled for",
                     shell_word(one), shell_word(other), one, other);
}

void report(const Conflicts& conflicts, DistributionIndex user, DistributionIndex provider,
            const std::vector<Refusal>& refusals, const Emit& emit) {
  const Installation& all = conflicts.installation;
  const auto [open, refusal, imports_others] = first_import(conflicts, user, refusals);
  // A package that imports none of its modules by a constant name (gevent) has no other ones.
  const bool certain = open != nullptr || !imports_others;
  const auto path = [&](DistributionIndex distribution, ElfIndex file) {
    return path_of(all.distributions[distribution.value].facts, file);
  };
  const std::string subject =
      open != nullptr ? what_fails(all, *open) : fmt::format("import of {}", path(user, refusal->file));
  std::vector<Evidence> evidence{
      {"effect",
       !refusal->larger
           ? fmt::format("{} fails: {} size changed, may indicate binary incompatibility", subject, refusal->type.name)
       : refusal->crashes
           ? fmt::format("RuntimeWarning: {} size changed, may indicate binary incompatibility. Classes of {} that "
                         "inherit from it write into its new fields: expect a crash",
                         refusal->type.name, name_of(all, user))
           : fmt::format("RuntimeWarning: {} size changed, may indicate binary incompatibility", refusal->type.name)},
      {"type", fmt::format("{}: {} bytes at compile time, {} in {}", refusal->type.name, refusal->type.size,
                           refusal->definition->type.size, path(provider, refusal->definition->file))},
      {"files", fmt::format("{} with such a type", refusals.size())}};
  if (const auto line = requirement_on(all, user, provider)) evidence.push_back({"Requires-Dist", std::string(*line)});
  emit({.place = AtPath{path(user, refusal->file)},
        .message = fmt::format("{} was compiled for another {} than {}", name_and_version(all, user),
                               name_of(all, provider), version_of(all.distributions[provider.value].facts)),
        .evidence = std::move(evidence),
        .fix = fix_of(all, user, provider, *refusal),
        .severity = certain && (!refusal->larger || refusal->crashes) ? Severity::Error : Severity::Warning,
        .confidence = {}});
}

void check_set(const SetView& view, const Emit& emit) {
  const auto& distributions = view.conflicts.installation.distributions;
  const Definitions definitions = definitions_of(view.conflicts.installation);
  for (std::uint32_t i = 0; i < distributions.size(); ++i)
    for (const auto& [provider, refusals] : refusals_of(definitions, {i}, distributions[i].facts))
      if (!is_refused_numpy(distributions[i].facts, distributions[provider.value].facts))
        report(view.conflicts, {i}, provider, refusals, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC548",
    .name = "type-size-differs",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::type_size_differs

// WC547: the modules of a wheel refuse the NumPy that is installed with it, or crash with it.
namespace wheelcheck::rules::numpy_mismatch {
namespace {

struct Imports {
  const PlannedOpen* with_check = nullptr;  // the first that is certain and opens a module with the check
  bool certain = false;                     // an import of another module is certain
};
Imports imports_of(const Conflicts& conflicts, DistributionIndex distribution) {
  const Installation& all = conflicts.installation;
  Imports out;
  for (const LoadPlan& load_plan : conflicts.load_plans)
    for (const auto& step : load_plan.opens)
      for (const PlannedOpen& open : step) {
        if (open.distribution != distribution || open.maybe || open.module.empty() || !open.object) continue;
        const Origin& origin = all.origins[open.object->value];
        // Another distribution can have a file of the same path, which is used instead.
        if (origin.kind != Origin::Kind::Distribution || origin.distribution != distribution) continue;
        out.certain = true;
        if (numpy_check(all.distributions[distribution.value].facts.elfs[origin.elf.value].facts)) {
          out.with_check = &open;
          return out;
        }
      }
  return out;
}

// The function of a library with the check by which a module that is certainly imported asks for NumPy
// (arrow_init_numpy). Other callers handle the exception: torch works without NumPy.
std::string called_by_module(const Conflicts& conflicts, DistributionIndex user) {
  const Installation& all = conflicts.installation;
  const auto elf_of = [&](process::ObjectIndex object) -> const ElfMember* {
    const Origin& origin = all.origins[object.value];
    const bool own = origin.kind == Origin::Kind::Distribution && origin.distribution == user;
    return own ? &all.distributions[user.value].facts.elfs[origin.elf.value] : nullptr;
  };
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    std::set<process::ObjectIndex> certain;
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded)
      if (each.by && !is_opened_uncertainly(conflicts, plan, each)) certain.insert(each.file);
    for (const process::BoundReference& bound : conflicts.outcomes[plan].bound) {
      if (bound.undone || !bound.to || !certain.contains(bound.from)) continue;
      const ElfMember *const module = elf_of(bound.from), *const library = elf_of(*bound.to);
      if (module == nullptr || library == nullptr || !std::holds_alternative<ExtensionModule>(module->role)) continue;
      const std::string_view name = process::symbol_request(module->facts, bound.reference).name;
      if (name.contains("numpy") && (name.contains("init") || name.contains("import")) && numpy_check(library->facts))
        return std::string(name);
    }
  }
  return "";
}

void report(const Conflicts& conflicts, DistributionIndex user, DistributionIndex numpy, const NumpyDemand& demand,
            bool too_old, bool in_libraries, const Emit& emit) {
  const Installation& all = conflicts.installation;
  const WheelFacts& wheel = all.distributions[user.value].facts;
  const Imports imports = imports_of(conflicts, user);
  // A package that imports none of its modules by a constant name (cv2) has no other ones.
  const std::string called = in_libraries ? called_by_module(conflicts, user) : "";
  const bool certain = in_libraries ? !called.empty() : imports.with_check != nullptr || !imports.certain;
  const std::string limit = too_old ? fmt::format(">={}", demand.minimum) : "<2";
  const std::string subject = imports.with_check != nullptr ? what_fails(all, *imports.with_check)
                                                            : fmt::format("import of {}", name_of(all, user));
  std::vector<Evidence> evidence{
      {"effect",
       fmt::format("{} fails, or its functions that use NumPy: its {} were compiled for NumPy {}, and refuse {}",
                   subject, in_libraries ? "libraries" : "modules",
                   too_old ? fmt::format("{} or newer", demand.minimum) : "1", name_and_version(all, numpy))},
      {"message", std::string(demand.message)},
      {"files", fmt::format("{} with that check", demand.files)}};
  if (!called.empty()) evidence.push_back({"called at import", called});
  if (const auto line = requirement_on(all, user, numpy)) evidence.push_back({"Requires-Dist", std::string(*line)});
  emit({.place = AtPath{path_of(wheel, demand.file)},
        .message = fmt::format("{} refuses {}", name_and_version(all, user), name_and_version(all, numpy)),
        .evidence = std::move(evidence),
        .fix = fmt::format("pip install 'numpy{}', or a version of {} that was compiled for {}", limit,
                           name_of(all, user), name_and_version(all, numpy)),
        .severity = certain ? Severity::Error : Severity::Warning,
        .confidence = {}});
}

constexpr std::size_t many_matrices = 10;  // a package whose subject they are

void report_crash(const Installation& all, DistributionIndex user, DistributionIndex numpy, const NumpyDemand& demand,
                  const Emit& emit) {
  const WheelFacts& wheel = all.distributions[user.value].facts;
  std::vector<Evidence> evidence{{"imports", std::string(demand.message)},
                                 {"files", fmt::format("{} with that import", demand.files)}};
  if (demand.matrices > 0)
    evidence.push_back({"calls PyArray_CopyInto", count_of(demand.matrices, "argument") + " of a type of Eigen"});
  if (const auto line = requirement_on(all, user, numpy)) evidence.push_back({"Requires-Dist", std::string(*line)});
  emit({.place = AtPath{path_of(wheel, demand.file)},
        .message = fmt::format(
            "functions of {} {}: it was compiled with a pybind11 before 2.12, which knows only NumPy 1, "
            "and {} is here",
            name_and_version(all, user), demand.matrices > 0 ? "that take a matrix crash" : "with arrays may crash",
            name_and_version(all, numpy)),
        .evidence = std::move(evidence),
        .fix = fmt::format("pip install 'numpy<2', or a version of {} that was compiled for {}", name_of(all, user),
                           name_and_version(all, numpy)),
        // Few other calls of pybind11 depend on what NumPy 2 changed (stim works), and a few functions with matrices
        // may never be called (pyceres 2.3 has two such arguments, gtsam 4.2 has 127).
        .severity = demand.matrices >= many_matrices ? Severity::Error
                    : demand.matrices > 0            ? Severity::Warning
                                                     : Severity::Note,
        .confidence = demand.matrices > 0 ? Confidence::High : Confidence::Medium});
}

void check_set(const SetView& view, const Emit& emit) {
  const auto& distributions = view.conflicts.installation.distributions;
  const auto numpy = std::ranges::find(distributions, "numpy", [](const Distribution& each) {
    return normal_project_name(name_of_distribution(each.facts));
  });
  if (numpy == distributions.end()) return;
  const std::string version = version_of(numpy->facts);
  const DistributionIndex provider{static_cast<std::uint32_t>(numpy - distributions.begin())};
  for (std::uint32_t i = 0; i < distributions.size() && !version.empty(); ++i) {
    if (DistributionIndex{i} == provider) continue;
    if (natural_order(version, "2") >= 0)
      if (const auto old = pybind11_demand(distributions[i].facts))
        report_crash(view.conflicts.installation, {i}, provider, *old, emit);
    auto demand = numpy_demand(distributions[i].facts);
    const bool in_libraries = !demand;
    if (in_libraries) demand = numpy_demand(distributions[i].facts, true);
    if (!demand || demand->by_size) continue;  // WC548 compares the sizes with those of this NumPy
    const bool too_old = !demand->minimum.empty() && natural_order(version, demand->minimum) < 0;
    if (too_old || (demand->refuses_2 && natural_order(version, "2") >= 0))
      report(view.conflicts, {i}, provider, *demand, too_old, in_libraries, emit);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC547",
    .name = "numpy-mismatch",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::numpy_mismatch

// WC551: a distribution requires another release of one that is given with it.
namespace wheelcheck::rules::requirement_unmet {
namespace {

bool has_code(const WheelFacts& wheel) { return std::ranges::any_of(wheel.elfs, is_host_code); }

// "1.21" of "1.21.4"
std::string_view series_of(std::string_view version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

// Where a version is that the specifiers do not allow.
struct Outside {
  bool above = false, below = false;
  // Above an upper bound, or below a range with two ends, of another series: the author knew that other releases break.
  // One that is only older than the wheel likes has perhaps all that is used.
  bool is_known = false;
};
Outside outside_of(std::string_view specifiers, std::string_view version) {
  Outside out;
  bool bounded = false, is_older_series = false;
  for (const std::string_view clause : split(specifiers, ',')) {
    const std::string_view one = trim(clause);
    const std::string_view limit = trim(one.substr(std::min(one.size(), one.find_first_not_of("<>=~!"))));
    const bool allowed = one.starts_with('!') || allows(one, version) != false;
    bounded = bounded || (allowed && !one.starts_with('>') && !one.starts_with('!'));
    if (allowed) continue;
    const bool below = one.starts_with('>') || (!one.starts_with('<') && natural_order(version, limit) < 0);
    (below ? out.below : out.above) = true;
    if (one.starts_with('>'))
      is_older_series = is_older_series || series_of(limit) != series_of(version);
    else
      out.is_known = true;
  }
  out.is_known = out.is_known || (bounded && is_older_series);
  return out;
}

// "numpy" in "Numba needs NumPy 1.24 or less" and in "numpy_version", but not in "numpy-quaternion".
bool mentions(std::string_view text, std::string_view project) {
  std::string small = lower(text);
  std::ranges::replace(small, '_', '-');
  const auto joins = [](std::string_view rest) {
    return !rest.empty() && (is_alpha(rest[0]) || is_digit(rest[0]) ||
                             (rest[0] == '-' && !rest.starts_with("-version") && rest.size() > 1 && is_alpha(rest[1])));
  };
  for (std::size_t at = small.find(project); at != small.npos; at = small.find(project, at + 1))
    if ((at == 0 || !is_alpha(small[at - 1])) && !joins(std::string_view(small).substr(at + project.size())))
      return true;
  return false;
}

// The statement by which the Python code of a wheel refuses such releases; null if there is none.
const PythonRefusal* refusal_of(const WheelFacts& user, const WheelFacts& provider, const Outside& outside) {
  const std::string project = normal_project_name(name_of_distribution(provider));
  for (const PythonFile& file : user.python)
    for (const PythonRefusal& refusal : file.refusals) {
      const std::string_view condition = refusal.condition;
      const bool is_other =
          condition.contains("!=") || condition.contains(" not in ") || condition.contains("require_version");
      if ((is_other || (outside.above && condition.contains('>')) || (outside.below && condition.contains('<'))) &&
          mentions(refusal.text, project))
        return &refusal;
    }
  return nullptr;
}

// Whether what the modules of a wheel use of the other one was compared, and fits: the C interfaces of NumPy (WC547)
// and protobuf (WC549), objects of Cython (WC548), and libraries of the same versioned soname (WC230).
bool is_compared(const WheelFacts& user, const WheelFacts& provider) {
  const std::string project = normal_project_name(name_of_distribution(provider));
  if (project == "numpy" || project == "protobuf") return true;
  std::set<std::string_view> libraries, types;
  for (const ElfMember& file : provider.elfs) {
    if (!is_host_code(file)) continue;
    // Copies that a repair tool made are no interface, and have one name in all wheels (libgomp-a34b3233.so.1.0.0).
    if (!std::holds_alternative<BundledLibrary>(file.role) && file.facts.dynamic && file.facts.dynamic->soname &&
        file.facts.dynamic->soname->contains(".so."))
      libraries.insert(*file.facts.dynamic->soname);
    for (const DefinedType& type : file.facts.interfaces.defined_types) types.insert(type.name);
  }
  return std::ranges::any_of(user.elfs, [&](const ElfMember& file) {
    return is_host_code(file) && file.facts.dynamic &&
           (std::ranges::any_of(file.facts.dynamic->needed,
                                [&](std::string_view name) { return libraries.contains(name); }) ||
            std::ranges::any_of(file.facts.interfaces.imported_types,
                                [&](const ImportedType& type) { return types.contains(type.name); }));
  });
}

// Whether a module can get the address of an object of another wheel: from a capsule or a number. The imports of NumPy,
// and of functions and types by Cython, use capsules too, and name what they import; pybind11 and nanobind share types
// through one.
bool takes_addresses(const ElfFacts& facts) {
  const InterfaceFacts& interfaces = facts.interfaces;
  const bool explained =
      !interfaces.numpy_messages.empty() || !interfaces.cython_messages.empty() || !interfaces.imported_types.empty();
  return !interfaces.pybind11_ids.empty() || !interfaces.nanobind_ids.empty() ||
         std::ranges::any_of(facts.dynamic->imports, [&](const Import& symbol) {
           return symbol.name == "PyCapsule_Import" || symbol.name == "PyLong_AsVoidPtr" ||
                  (symbol.name == "PyCapsule_GetPointer" && !explained);
         });
}

// Whether the machine code of two wheels exchanges nothing but Python objects: no file of one loads a library of the
// other, in whatever release, imports its C functions, or takes addresses (tables with blosc2, whose library it
// bundles; econml with scikit-learn).
bool shares_only_objects(const WheelFacts& user, const WheelFacts& provider) {
  const auto stem = [](std::string_view soname) { return soname.substr(0, soname.find(".so")); };
  std::set<std::string_view> others;  // libraries without a version, and modules
  for (const ElfMember& file : provider.elfs) {
    if (const auto* module = std::get_if<ExtensionModule>(&file.role)) others.insert(module->module);
    if (is_host_code(file) && file.facts.dynamic && !std::holds_alternative<BundledLibrary>(file.role))
      others.insert(stem(file.facts.dynamic->soname.value_or(base_name(file.installed))));
  }
  const auto is_other = [&](std::string_view name) { return others.contains(name); };
  return std::ranges::none_of(user.elfs, [&](const ElfMember& file) {
    if (!is_host_code(file) || !file.facts.dynamic || std::holds_alternative<BundledLibrary>(file.role)) return false;
    return takes_addresses(file.facts) || std::ranges::any_of(file.facts.dynamic->needed, is_other, stem) ||
           std::ranges::any_of(file.facts.interfaces.cython_modules, is_other);
  });
}

// WC230 names what is missing in the other release, with the same fix.
bool is_missed(const Conflicts& conflicts, DistributionIndex user, DistributionIndex provider) {
  return std::ranges::any_of(conflicts.failures, [&](const ImportFailure& failure) {
    if (!failure.alone || failure.outside || failure.maybe || failure.distribution != user || !failure.missing ||
        !failure.missing->library)
      return false;
    const Origin& origin = conflicts.installation.origins[failure.missing->library->value];
    return origin.kind == Origin::Kind::Distribution && origin.distribution == provider;
  });
}

// Distributions that require the same other release of one.
struct Unmet {
  std::vector<DistributionIndex> users;  // the one that refuses it first, then those with an error
  std::vector<std::string> lines;        // by user: of Requires-Dist
  std::size_t errors = 0;
  const PythonRefusal* refusal = nullptr;
};
// By the distribution, and what is required of it: "numpy<2".
using UnmetBy = std::map<std::pair<DistributionIndex, std::string>, Unmet>;

void add(const Installation& all, DistributionIndex user, DistributionIndex provider, const std::string& line,
         UnmetBy& found) {
  const WheelFacts &one = all.distributions[user.value].facts, &other = all.distributions[provider.value].facts;
  const std::string specifiers = specifier_of(line);
  const Outside outside = outside_of(specifiers, version_of(other));
  const bool other_series = series_of(version_of(one)) != series_of(version_of(other));
  const PythonRefusal* const refusal = has_code(other) ? refusal_of(one, other, outside) : nullptr;
  // Python code that names one release of a compiled distribution was published with it (pydantic and pydantic-core).
  const bool error =
      refusal != nullptr ||
      (has_code(other) &&
       (has_code(one) ? outside.is_known && !is_compared(one, other) && !shares_only_objects(one, other)
                      : is_one_release(specifiers) && (!is_optional_part(line, version_of(one)) || other_series)));
  Unmet& unmet = found[{provider, parse_dependency(line).name + specifiers}];
  const auto place = refusal != nullptr ? 0 : static_cast<std::ptrdiff_t>(error ? unmet.errors : unmet.users.size());
  unmet.users.insert(unmet.users.begin() + place, user);
  unmet.lines.insert(unmet.lines.begin() + place, line);
  unmet.errors += error ? 1 : 0;
  if (refusal != nullptr) unmet.refusal = refusal;
}

void report(const Installation& all, DistributionIndex provider, const std::string& wanted, const Unmet& unmet,
            const Emit& emit) {
  std::vector<std::string> users, names;
  std::vector<Evidence> evidence;
  for (std::size_t i = 0; i < unmet.users.size(); ++i) {
    users.push_back(name_and_version(all, unmet.users[i]));
    names.push_back(name_of(all, unmet.users[i]));
    if (i < shown_items) evidence.push_back({"Requires-Dist", escape(unmet.lines[i])});
  }
  const bool one = users.size() == 1;
  const std::string what_happens = unmet.refusal != nullptr ? fmt::format("Python code of {} refuses it", names.front())
                                                            : fmt::format("what {} of the other release may be missing",
                                                                          one ? "it needs" : "they need");
  if (unmet.refusal != nullptr) evidence.push_back({"refused by", escape(unmet.refusal->text)});
  emit({.place = AtPath{all.distributions[unmet.users.front().value].facts.file},
        .message = fmt::format("{} {} {}, and {} is here: {}", list_of(users), one ? "requires" : "require",
                               escape(wanted), name_and_version(all, provider), what_happens),
        .evidence = std::move(evidence),
        .fix = fmt::format("pip install {}, or {} of {} that {} {}", shell_word(wanted), one ? "a version" : "versions",
                           list_of(names), one ? "accepts" : "accept", name_and_version(all, provider)),
        .severity = unmet.errors > 0 ? Severity::Error : Severity::Warning});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::map<std::string, DistributionIndex> by_name;
  for (std::uint32_t i = 0; i < all.distributions.size(); ++i)
    by_name.emplace(normal_project_name(name_of_distribution(all.distributions[i].facts)), DistributionIndex{i});
  const type_size_differs::Definitions definitions = type_size_differs::definitions_of(all);
  UnmetBy found;
  for (std::uint32_t user = 0; user < all.distributions.size(); ++user) {
    const WheelFacts& wheel = all.distributions[user].facts;
    if (!wheel.metadata) continue;
    for (const std::string& line : wheel.metadata->requires_dist) {
      // A marker may select one of several lines.
      if (line.find(';') != std::string::npos && !is_optional_part(line, version_of(wheel))) continue;
      const auto provider = by_name.find(parse_dependency(line).name);
      if (provider == by_name.end() || provider->second.value == user) continue;
      // WC230 and WC548 say what fails, with the same fix.
      if (allows(specifier_of(line), version_of(all.distributions[provider->second.value].facts)) == false &&
          !is_missed(view.conflicts, {user}, provider->second) &&
          !type_size_differs::refusals_of(definitions, {user}, wheel).contains(provider->second))
        add(all, {user}, provider->second, line, found);
    }
  }
  for (const auto& [what, unmet] : found) report(all, what.first, what.second, unmet, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC551",
    .name = "requirement-unmet",
    .severity = Severity::Warning,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::requirement_unmet
