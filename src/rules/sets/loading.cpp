// How the libraries of one distribution are loaded changes what another distribution gets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "model/loader_calls.h"
#include "rules/sets/set_common.h"

// WC540: a library is replaced by another copy of it whose own dependencies differ.
namespace wheelcheck::rules::split_stack {
namespace {

using process::ObjectIndex;

const std::vector<std::string_view>& needed_of(const Installation& all, ObjectIndex object) {
  static const std::vector<std::string_view> none;
  const DynamicFacts* const dynamic = dynamic_of(all, object);
  return dynamic != nullptr ? dynamic->needed : none;
}

// A library of the file's distribution that is loaded and that the file needs, but the replacing copy does not.
std::optional<ObjectIndex> split_off(const Conflicts& conflicts, const Relation& relation) {
  const Installation& all = conflicts.installation;
  const auto& twin = needed_of(all, relation.provider);
  for (const std::string_view name : needed_of(all, relation.own)) {
    if (std::ranges::find(twin, name) != twin.end()) continue;
    for (const ObjectIndex file : files_called(all, base_name(name))) {
      if (all.origins[file.value].distribution != all.origins[relation.own.value].distribution) continue;
      for (const std::uint32_t plan : relation.load_plans)
        if (std::ranges::any_of(conflicts.outcomes[plan].loaded, [&](const auto& each) { return each.file == file; }))
          return file;
    }
  }
  return std::nullopt;
}

// Whether a file that is sure to be opened asks for the library. Which of its modules calls it is then no question:
// Cython modules import each other by compiled code.
bool is_asked_for_certainly(const Conflicts& conflicts, const Relation& relation) {
  const Installation& all = conflicts.installation;
  const ElfFacts& own = *all.world.files[relation.own.value].facts;
  const std::string_view soname =
      own.dynamic && own.dynamic->soname ? *own.dynamic->soname : base_name(all.world.files[relation.own.value].path);
  for (const std::uint32_t plan : relation.load_plans)
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded) {
      const Origin& origin = all.origins[each.file.value];
      if (!each.by || origin.kind != Origin::Kind::Distribution || origin.distribution != relation.distribution)
        continue;
      if (is_opened_uncertainly(conflicts, plan, each)) continue;
      if (std::ranges::find(needed_of(all, each.file), soname) != needed_of(all, each.file).end()) return true;
    }
  return false;
}

// Whether a file that is sure to be opened loads the replacing copy.
bool is_loaded_certainly(const Conflicts& conflicts, const Relation& relation) {
  return std::ranges::any_of(relation.load_plans, [&](std::uint32_t plan) {
    return std::ranges::any_of(conflicts.outcomes[plan].loaded, [&](const process::Loaded& each) {
      return each.file == relation.provider && each.by && !is_opened_uncertainly(conflicts, plan, each);
    });
  });
}

// Libraries of one wheel that are replaced by those of another in the same orders, next to the same one of its own.
struct Cause {
  std::optional<DistributionIndex> user, provider;
  ObjectIndex behind;
  std::vector<std::uint32_t> load_plans;
  auto operator<=>(const Cause&) const = default;
};

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  std::map<Cause, std::vector<const Relation*>> found;
  for (const Relation& relation : conflicts.relations) {
    if (relation.kind != RelationKind::Displaced || relation.distribution == relation.provider_distribution) continue;
    if (!is_of_distribution(all, relation.own)) continue;
    if (const auto behind = split_off(conflicts, relation))
      found[{relation.distribution, relation.provider_distribution, *behind, relation.load_plans}].push_back(&relation);
  }
  for (const auto& [cause, relations] : found) {
    const Relation& first = *relations.front();
    std::vector<Evidence> evidence{
        {"its own needs", list_of({needed_of(all, first.own).begin(), needed_of(all, first.own).end()})},
        {"needs of the twin", list_of({needed_of(all, first.provider).begin(), needed_of(all, first.provider).end()})}};
    std::vector<std::string> replaced;
    for (const Relation* const each : relations) replaced.emplace_back(file_name(all, each->own));
    const std::size_t more = replaced.size() - 1;
    if (more > 0) evidence.push_back({"replaced", list_of(replaced)});
    add_orders(conflicts, cause.load_plans, evidence, concerned(first));
    const std::string user = name_of(all, cause.user), provider = name_of(all, cause.provider);
    emit({.place = AtObject{first.own},
          .message = fmt::format("{} of {} is loaded instead of {}{}, with other libraries, while {} also uses {}: "
                                 "objects of one are passed to the other",
                                 file_name(all, first.provider), provider, replaced.front(),
                                 more == 0 ? "" : fmt::format(" (as {} {} more)", more == 1 ? "is" : "are", more), user,
                                 file_name(all, cause.behind)),
          .evidence = std::move(evidence),
          .fix = fmt::format("install releases of {} and {} that bundle the same libraries, or give the libraries of "
                             "one of them other names",
                             user, provider),
          .severity = std::ranges::any_of(relations,
                                          [&](const Relation* each) {
                                            return is_loaded_certainly(conflicts, *each) &&
                                                   (!each->maybe || is_asked_for_certainly(conflicts, *each));
                                          })
                          ? Severity::Error
                          : Severity::Warning,
          .load_plans = cause.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC540",
    .name = "split-stack",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::split_stack

// WC544: a library that is opened with RTLD_DEEPBIND uses its own copies of symbols that must exist once in a process.
namespace wheelcheck::rules::deepbind {
namespace {

using process::ObjectIndex;

// The names in the files that every lookup of other files searches first.
std::set<std::string_view> global_names(const Conflicts& conflicts, std::uint32_t plan) {
  std::set<std::string_view> names;
  const Installation& all = conflicts.installation;
  const auto add = [&](ObjectIndex file) {
    const ElfFacts* const facts = all.world.files[file.value].facts;
    if (facts == nullptr || !facts->dynamic) return;
    for (const Export& symbol : facts->dynamic->exports) names.insert(symbol.name);
  };
  std::ranges::for_each(conflicts.outcomes[plan].global, add);
  for (const process::Published& each : conflicts.outcomes[plan].published) add(each.file);
  return names;
}

// Symbols whose second copy breaks a process: the allocator, the standard streams, type identity.
bool must_be_one(std::string_view name) {
  static const std::set<std::string_view> ones = {"malloc", "free",      "calloc",    "realloc", "_Znwm",
                                                  "_ZdlPv", "_ZSt4cout", "_ZSt4cerr", "_ZSt3cin"};
  return ones.contains(name) || name.starts_with("_ZTI");
}

struct Kept {
  std::set<std::string_view> names;
  const PlannedOpen* open = nullptr;
  std::vector<std::uint32_t> load_plans;
};

std::map<ObjectIndex, Kept> kept_names(const Conflicts& conflicts) {
  std::map<ObjectIndex, Kept> found;
  const Installation& all = conflicts.installation;
  for (std::uint32_t plan = 0; plan < conflicts.outcomes.size(); ++plan) {
    const LoadPlan& load_plan = conflicts.load_plans[plan];
    std::map<ObjectIndex, ObjectIndex> opened_by;  // files that were loaded by such an open: the file that was opened
    for (const process::Loaded& each : conflicts.outcomes[plan].loaded)
      if (each.by && load_plan.plan.steps[each.by->step].opens[each.by->open].flags.deepbind)
        if (const PlannedOpen& open = load_plan.opens[each.by->step][each.by->open]; open.object) {
          opened_by.emplace(each.file, *open.object);
          found[*open.object].open = &open;
        }
    if (opened_by.empty()) continue;
    const auto global = global_names(conflicts, plan);
    const std::set<ObjectIndex> first(conflicts.outcomes[plan].global.begin(), conflicts.outcomes[plan].global.end());
    for (const process::BoundReference& bound : conflicts.outcomes[plan].bound) {
      const auto at = opened_by.find(bound.from);
      if (at == opened_by.end() || bound.undone || !bound.to || first.contains(*bound.to)) continue;
      const std::string_view name =
          process::symbol_request(*all.world.files[bound.from.value].facts, bound.reference).name;
      if (!global.contains(name)) continue;
      Kept& kept = found[at->second];
      kept.names.insert(name);
      if (kept.load_plans.empty() || kept.load_plans.back() != plan) kept.load_plans.push_back(plan);
    }
  }
  return found;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const auto& [object, kept] : kept_names(conflicts)) {
    if (kept.names.empty()) continue;
    std::vector<std::string_view> worst;
    std::ranges::copy_if(kept.names, std::back_inserter(worst), must_be_one);
    std::vector<Evidence> evidence{
        {"names", list_of_first(worst.empty() ? std::vector(kept.names.begin(), kept.names.end()) : worst)}};
    if (kept.open->flags) evidence.push_back({"made so by", shown(all, *kept.open->flags)});
    emit({.place = AtObject{object},
          .message = fmt::format(
              "{} is opened with RTLD_DEEPBIND and uses its own copy of {} that the process already has{}",
              file_name(all, object), count_of(kept.names.size(), "name"),
              worst.empty() ? "" : ": streams, exceptions and memory that it shares with other files break"),
          .evidence = std::move(evidence),
          .fix = "open it without RTLD_DEEPBIND; hide its names (-fvisibility=hidden) or link it with -Wl,-Bsymbolic "
                 "if other libraries must not replace them",
          .severity = worst.empty() ? Severity::Warning : Severity::Error,
          .load_plans = kept.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC544",
    .name = "deepbind",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::deepbind

// WC543: Python code sets an environment variable that libraries of another distribution read as well.
namespace wheelcheck::rules::variable_for_others {
namespace {

struct Known {
  std::string_view variable;
  std::string_view what;                    // what the variable refers to
  std::array<std::string_view, 3> readers;  // patterns for the file names of libraries that read it
};
// From the documentation of the libraries.
constexpr auto known_variables = std::to_array<Known>({
    {"GDAL_DATA", "data files", {"libgdal*.so*"}},
    {"GDAL_DRIVER_PATH", "plugins", {"libgdal*.so*"}},
    {"GST_PLUGIN_PATH", "plugins", {"libgstreamer-1*.so*"}},
    {"HDF5_PLUGIN_PATH", "filters", {"libhdf5*.so*"}},
    {"MAGICK_CONFIGURE_PATH", "configuration", {"libMagickCore*.so*"}},
    {"OPENSSL_CONF", "configuration", {"libcrypto*.so*"}},
    {"OPENSSL_MODULES", "providers", {"libcrypto*.so*"}},
    {"PROJ_DATA", "its database", {"libproj*.so*", "libgdal*.so*"}},
    {"PROJ_LIB", "its database", {"libproj*.so*", "libgdal*.so*"}},
    {"QML2_IMPORT_PATH", "plugins", {"libQt5Qml*.so*", "libQt6Qml*.so*"}},
    {"QML_IMPORT_PATH", "plugins", {"libQt5Qml*.so*", "libQt6Qml*.so*"}},
    {"QT_PLUGIN_PATH", "plugins", {"libQt5Core*.so*", "libQt6Core*.so*"}},
    {"QT_QPA_PLATFORM_PLUGIN_PATH", "plugins", {"libQt5Gui*.so*", "libQt6Gui*.so*", "libQt?Core*.so*"}},
    {"TBB_PLUGIN_PATH", "plugins", {"libtbb*.so*"}},
    {"VTK_AUTOLOAD_PATH", "modules", {"libvtkCommonCore*.so*"}},
});

std::optional<std::string_view> reader_in(const WheelFacts& wheel, const Known& known) {
  for (const ElfMember& file : wheel.elfs) {
    const std::string_view name = wheel.members[file.member.value].path.name();
    for (const std::string_view pattern : known.readers)
      if (!pattern.empty() && glob_match(pattern, name)) return wheel.members[file.member.value].path.text();
  }
  return std::nullopt;
}

void report(const Installation& all, DistributionIndex setter, const PythonFile& file, const PythonVariable& variable,
            const Known& known, const Emit& emit) {
  const WheelFacts& wheel = all.distributions[setter.value].facts;
  // A wheel without such a library sets the variable to nothing useful: opencv-python-headless contains the statement
  // but not Qt.
  if (!reader_in(wheel, known)) return;
  std::vector<std::string> readers;
  std::vector<Evidence> evidence{{"set at", fmt::format("{}:{}, {}: {}", wheel.members[file.member.value].path.text(),
                                                        variable.line, name_of(variable.reach), variable.text)}};
  for (std::uint32_t other = 0; other < all.distributions.size(); ++other) {
    if (DistributionIndex{other} == setter) continue;
    const auto library = reader_in(all.distributions[other].facts, known);
    if (!library) continue;
    readers.push_back(name_of(all, DistributionIndex{other}));
    if (evidence.size() < shown_items) evidence.push_back({"read by", std::string(*library)});
  }
  if (readers.empty()) return;
  const std::string owner = name_of(all, setter);
  const std::string_view path = below_site(wheel.members[file.member.value].path.text());
  const std::string_view module = path.substr(0, std::min(path.find('/'), path.rfind('.')));
  emit({.place = AtPath{wheel.members[file.member.value].path.text()},
        .message = fmt::format("{} sets {} when it is imported, and {} {} it too: {} of {} {} then loaded from {}",
                               owner, variable.name, list_of(readers), readers.size() == 1 ? "reads" : "read",
                               known.what, list_of(readers),
                               known.what == "its database" || known.what == "configuration" ? "is" : "are", owner),
        .evidence = std::move(evidence),
        .fix = fmt::format("after `import {}`: os.environ.pop({:?}, None); in {}: set the path by the library's own "
                           "function instead of the environment",
                           module, variable.name, owner)});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (std::uint32_t p = 0; p < all.distributions.size(); ++p) {
    std::set<std::string_view> reported;  // variables: several statements of a wheel are one finding
    for (const PythonFile& file : all.distributions[p].facts.python)
      for (const PythonVariable& variable : file.variables) {
        const auto known = std::ranges::find(known_variables, std::string_view(variable.name), &Known::variable);
        if (known != known_variables.end() && variable.reach != Reach::Possible &&
            reported.insert(known->variable).second)
          report(all, {p}, file, variable, *known, emit);
      }
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC543",
    .name = "variable-for-others",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::variable_for_others

// WC236: compiled code opens libraries by names that are not constants, so they are not part of what was played.
namespace wheelcheck::rules::unread_loading {
namespace {

using process::ObjectIndex;

// Names in the data of the file, which it may open.
std::string names_in(const ElfFacts& facts) {
  std::set<std::string_view> names;
  for (const std::string_view text : facts.texts.libraries)
    if (const std::string_view name = base_name(text); name.starts_with("lib") && name.find(' ') == name.npos)
      names.insert(name);
  std::vector<std::string> shown(names.begin(), names.end());
  const std::size_t left = shown.size() > shown_items ? shown.size() - shown_items : 0;
  shown.resize(shown.size() - left);
  if (shown.empty()) return "its data names no library";
  return fmt::format("its data names {}{}", join(shown, ", "), left > 0 ? fmt::format(" and {} more", left) : "");
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::map<DistributionIndex, std::set<ObjectIndex>> files;
  for (const process::Outcome& outcome : view.conflicts.outcomes)
    for (const process::Loaded& each : outcome.loaded) {
      const Origin& origin = all.origins[each.file.value];
      const ElfFacts* const facts = all.world.files[each.file.value].facts;
      if (each.by && facts != nullptr && origin.kind == Origin::Kind::Distribution && has_unread_dlopen(*facts))
        files[origin.distribution].insert(each.file);
    }
  for (const auto& [distribution, objects] : files) {
    std::vector<Evidence> evidence;
    for (const ObjectIndex object : objects)
      if (evidence.size() < shown_items)
        evidence.push_back({std::string(file_name(all, object)), names_in(*all.world.files[object.value].facts)});
    emit({.place = AtObject{*objects.begin()},
          .message = fmt::format(
              "{} opens libraries by computed names ({}): what they open later is not part of the simulation",
              name_of(all, distribution), count_of(objects.size(), "file")),
          .evidence = std::move(evidence),
          .fix = "nothing has to be changed; --global adds a library that they open with RTLD_GLOBAL"});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC236",
    .name = "unread-loading",
    .severity = Severity::Note,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::unread_loading

// WC541: the static TLS block of the process has no space left for a library.
namespace wheelcheck::rules::static_tls_exhausted {
namespace {

// The files that were loaded before and use space in the block: those with initial-exec TLS.
std::vector<Evidence> takers(const Conflicts& conflicts, const ImportFailure& failure) {
  std::vector<Evidence> out;
  const Installation& all = conflicts.installation;
  for (const process::Loaded& each : conflicts.outcomes[failure.load_plan].loaded) {
    const ElfFacts* const facts = all.world.files[each.file.value].facts;
    if (!each.by || facts == nullptr || !facts->dynamic || facts->dynamic->static_tls_relocations == 0) continue;
    if (facts->segments.tls_size == 0 || out.size() >= shown_items) continue;
    out.push_back({std::string(file_name(all, each.file)), fmt::format("{} bytes", facts->segments.tls_size)});
  }
  return out;
}

// A library that Python code only names. No call is known that opens it in this process: ray gives the name of its
// libjemalloc.so to LD_PRELOAD, and such a library has its TLS from the start.
bool is_only_named(const Conflicts& conflicts, const FailureGroup& group) {
  const process::Moment& at = group.first->at;
  const process::Open& open = conflicts.load_plans[group.first->load_plan].plan.steps[at.step].opens[at.open];
  return group.first->maybe && group.open->module.empty() && !group.open->in_code && open.by != process::OpenBy::Ctypes;
}

// The surplus that has room for the block beside the default one of 512 bytes (glibc elf/dl-tls.c), with a margin for
// its alignment.
std::uint64_t optional_static_tls(std::uint64_t bytes) {
  constexpr std::uint64_t least = 4096;
  return (bytes / least + 1) * least;
}

void check_set(const SetView& view, const Emit& emit) {
  const Conflicts& conflicts = view.conflicts;
  const Installation& all = conflicts.installation;
  for (const FailureGroup& group : grouped_failures(conflicts)) {
    const ImportFailure& failure = *group.first;
    if (!failure.missing || failure.missing->what != process::Missing::What::StaticTls) continue;
    if (is_only_named(conflicts, group)) continue;
    const bool is_musl = all.world.platform.loader == process::Loader::Musl;
    const process::ObjectIndex file = failure.missing->library.value_or(failure.missing->from);
    std::vector<Evidence> evidence{{"ImportError", failure.error}};
    std::ranges::move(takers(conflicts, failure), std::back_inserter(evidence));
    add_orders(conflicts, group.load_plans, evidence);
    emit({.place = AtObject{file},
          .message =
              fmt::format("{} fails{}: {} requires {} bytes of static TLS, but {}", what_fails(all, *group.open),
                          failure.alone ? "" : " with the other imports", file_name(all, file), failure.missing->bytes,
                          is_musl ? "musl has none for files that are opened later"
                                  : fmt::format("only {} are free", failure.missing->free)),
          .evidence = std::move(evidence),
          .fix = is_musl
                     ? "build without -ftls-model=initial-exec"
                     : fmt::format("set GLIBC_TUNABLES=glibc.rtld.optional_static_tls={} before Python starts "
                                   "(glibc 2.33 and later); in {}: build without -ftls-model=initial-exec",
                                   optional_static_tls(failure.missing->bytes),
                                   is_of_distribution(all, file) ? name_of(all, all.origins[file.value].distribution)
                                                                 : std::string(file_name(all, file))),
          .severity = failure.maybe ? Severity::Warning : Severity::Error,
          .load_plans = group.load_plans});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC541",
    .name = "static-tls-exhausted",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::static_tls_exhausted
