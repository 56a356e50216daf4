// Runs a plan: the start of the program (glibc elf/rtld.c), each dlopen (elf/dl-open.c), the undo of a failed open
// (elf/dl-close.c), and finally the lazily bound functions. For musl the same parts of ldso/dynlink.c.
//
// It is a model of ld.so that loads facts instead of files, so the result is the same on every machine and nothing is
// executed. Each step has the name and the order of the function of glibc that it follows, because what users see
// (which copy wins, which version is missing) follows from that order: files are mapped breadth first
// (process_dependencies.cpp), a name is searched among the loaded ones and then along the paths (process_maps.cpp), the
// scopes are built, symbols are bound with their versions (process_lookup.cpp), and only then do constructors run,
// which may open more files. The oracle tests run the real ld.so and musl on the same libraries and compare.
//
// Where glibc releases differ, the release of the plan decides. Untrusted files can make all of this quadratic, so
// every loop takes its steps from one Budget; if it is spent, the open fails as given up, and the report says so.
#include "wheelcheck/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "ldso/definitions.h"
#include "ldso/process_lookup.h"
#include "ldso/process_maps.h"
#include "ldso/static_tls.h"

namespace wheelcheck::resolver {
namespace {

using process::BindingResult;
using process::BoundReference;
using process::Open;
using process::OpenBy;
using process::Outcome;

class Process {
 public:
  Process(const process::World& world, const Definitions& definitions, const process::Plan& plan, std::uint64_t steps)
      : plan_(plan),
        definitions_(definitions),
        work_(steps, "the model of a process"),
        files_(world, plan.main, plan.environment.directory, work_),
        maps_(files_, plan),
        look_ups_(definitions, maps_, plan.environment.dynamic_weak),
        tls_(maps_),
        loaded_by_(world.files.size()),
        was_relocated_(world.files.size()) {
    if (plan.traced.empty()) return;
    traced_.resize(definitions.size());
    for (std::uint32_t i = 0; i < definitions.size(); ++i)
      traced_[i] = std::ranges::find(plan.traced, definitions.text({i})) != plan.traced.end();
  }

  Outcome run() {
    if (auto started = is_musl() ? start_musl() : start(); !started) {
      out_.refused = std::move(started.error().text);
      return std::move(out_);
    }
    started_ = true;
    for (step_ = 0; step_ < plan_.steps.size() && !ended_; ++step_) {
      const auto& opens = plan_.steps[step_].opens;
      for (std::uint32_t i = 0; i < opens.size() && !ended_; ++i) {
        open_ = i;
        dlopen(opens[i]);
      }
    }
    if (!ended_) call_everything();
    for (const ObjectIndex object : maps_.order()) out_.loaded.push_back({object, loaded_by_[object.value]});
    return std::move(out_);
  }

 private:
  struct Late {
    ObjectIndex from;
    std::uint32_t reference;
  };

  // elf/rtld.c, dl_main.
  Loaded<void> start() {
    const ObjectIndex program = maps_.map_program();
    const auto interpreter = maps_.map_interpreter();
    const Request at_start{.kind = MapKind::AtStart};
    std::vector<ObjectIndex> preloaded;
    for (const std::string& name : plan_.environment.preload) {
      const std::size_t before = maps_.order().size();
      const auto object = maps_.request(program, name, at_start);  // a failure is printed and otherwise ignored
      if (object && maps_.order().size() > before) preloaded.push_back(**object);
    }
    if (auto done = maps_.request_dependencies(program, preloaded, at_start); !done)
      return std::unexpected(ended_by(done.error(), program, "error while loading shared libraries: "));
    if (interpreter) maps_.settle_interpreter(*interpreter);
    for (const ObjectIndex object : maps_.global()) maps_[object].global = true;
    for (const ObjectIndex object : maps_.order())
      if (auto checked = check_versions(maps_, object); !checked)
        return std::unexpected(ended_by(checked.error(), program, ""));
    out_.global = maps_.global();
    const std::vector<ObjectIndex> sorted = maps_[program].dependencies;
    for (auto object = sorted.rbegin(); object != sorted.rend(); ++object)
      if (*object != interpreter)
        if (auto done = relocate(*object, !plan_.environment.bind_now); !done)
          return std::unexpected(ended_by(done.error(), program, "symbol lookup error: "));
    if (interpreter && maps_[*interpreter].loaded) (void)relocate(*interpreter, false);
    for (const ObjectIndex object : maps_.order()) maps_[object].initialised = true;
    tls_.start(maps_.order());
    if (work_.is_spent()) return std::unexpected(given_up(work_));
    return {};
  }

  bool is_musl() const { return files_.platform().loader == process::Loader::Musl; }

  // ldso/dynlink.c, __dls3. The program is relocated last.
  Loaded<void> start_musl() {
    maps_.map_program_of_musl();
    const ObjectIndex program = maps_.program();
    for (const std::string& name : plan_.environment.preload) (void)maps_.request_of_musl(std::nullopt, name);
    if (auto done = maps_.request_dependencies_of_musl(program); !done) return done;
    maps_.global() = {maps_.order().begin(), maps_.order().end()};
    out_.global = maps_.global();
    for (const ObjectIndex object : maps_.global()) {
      maps_[object].global = maps_[object].initialised = true;
      maps_[object].kind = object == program ? MapKind::Program : MapKind::AtStart;
      maps_[object].scope = {{program, false}};
    }
    for (const ObjectIndex object : maps_.global())
      if (object != program)
        if (auto done = relocate(object, false); !done) return done;
    return relocate(program, false);
  }

  // Adds the prefix of elf/dl-catch.c, fatal_error, and elf/rtld.c, print_missing_version.
  LoadError ended_by(const LoadError& error, ObjectIndex program, std::string_view occasion) const {
    if (error.fatal) return error;
    return {.text = fmt::format("{}: {}{}", maps_.shown_name(program), occasion, error.text)};
  }

  void dlopen(const Open& open) {
    // A module that is in sys.modules is not opened again, even with other flags.
    if (open.by == OpenBy::Import && imported_.contains(open.name)) return;
    const std::size_t first_bound = out_.bound.size(), first_late = late_.size();
    const std::size_t tls_placed = tls_.placed();
    const std::uint64_t tls_free = tls_.free();
    const std::size_t loaded = maps_.order().size();
    std::optional<ObjectIndex> object;
    const Loaded<void> done = is_musl() ? open_musl(open) : open_worker(open, object);
    if (done && open.by == OpenBy::Import) imported_.insert(open.name);
    if (done) return;
    const LoadError& error = done.error();
    ended_ = ended_ || error.fatal;
    out_.failures.push_back({.step = step_,
                             .open = open_,
                             .error = error.text,
                             .fatal = error.fatal && !error.given_up,
                             .nested = depth_ > 0,
                             .given_up = error.given_up,
                             .missing = error.missing});
    if (ended_) return;
    for (std::size_t i = first_bound; i < out_.bound.size(); ++i) out_.bound[i].undone = true;
    late_.resize(std::min(late_.size(), first_late));
    tls_.undo(tls_placed, tls_free);
    if (object) close(*object);
    if (is_musl()) unload_since(loaded);
  }

  // ldso/dynlink.c, dlopen. The name is searched for from the program, whatever file calls dlopen. Files become global
  // before their constructors run.
  Loaded<void> open_musl(const Open& open) {
    if (open.name.empty()) return {};
    auto requested = maps_.request_of_musl(maps_.program(), open.name, open.flags.noload);
    if (!requested) return std::unexpected(std::move(requested.error()));
    if (!*requested) return std::unexpected(LoadError{fmt::format("Library {} is not already loaded", open.name)});
    const ObjectIndex object = **requested;
    if (!maps_[object].searchlist)
      if (auto needed = maps_.request_dependencies_of_musl(object); !needed) return needed;
    const auto from = std::ranges::find(maps_.order(), object);
    const std::vector<ObjectIndex> later(from, maps_.order().end());
    if (!maps_[object].relocated)
      for (const ObjectIndex member : later) {
        if (maps_[member].relocated) continue;
        maps_[member].scope = {{maps_.program(), false}, {object, false}};
        if (auto done = relocate(member, open.flags.lazy); !done) return done;
      }
    for (const ObjectIndex member : later)
      if (!std::exchange(maps_[member].initialised, true)) loaded_by_[member.value] = process::Moment{step_, open_};
    if (open.flags.global) publish(object);
    bind_waiting();
    return construct(open.constructors);
  }

  // redo_lazy_relocs: references that had no definition, in the global scope.
  void bind_waiting() {
    std::erase_if(late_, [&](const Late& late) {
      maps_[late.from].scope = {{maps_.program(), false}};
      return bind_late(late, false);
    });
  }

  void unload_since(std::size_t count) {
    std::vector<bool> gone(files_.size());
    for (const ObjectIndex object : maps_.order().subspan(count)) gone[object.value] = true;
    look_ups_.forget(gone);
    maps_.unload(gone);
  }

  // elf/dl-open.c, dl_open_worker and dl_open_worker_begin.
  Loaded<void> open_worker(const Open& open, std::optional<ObjectIndex>& object) {
    if (open.name.empty()) {
      ++maps_[maps_.program()].opened;
      return {};
    }
    const Request how{
        .kind = MapKind::Opened, .deepbind = open.flags.deepbind, .noload = open.flags.noload, .only_search = true};
    auto requested = maps_.request(open.caller.value_or(maps_.program()), open.name, how);
    if (!requested) return std::unexpected(std::move(requested.error()));
    if (!*requested) return not_loaded(open);
    object = **requested;
    ++maps_[*object].opened;
    if (maps_[*object].searchlist) {
      if (open.flags.global && !maps_[*object].global) publish(*object);
      maps_[*object].kept = maps_[*object].kept || open.flags.nodelete;
      return {};
    }
    if (auto needed = maps_.request_dependencies(*object, {}, {.kind = MapKind::Opened, .deepbind = how.deepbind});
        !needed)
      return needed;
    const std::vector<ObjectIndex> list = *maps_[*object].searchlist;
    for (const ObjectIndex member : list)
      if (!std::exchange(maps_[member].versions_checked, true))
        if (auto checked = check_versions(maps_, member); !checked) {
          maps_[member].versions_checked = false;
          return checked;
        }
    const bool lazy = open.flags.lazy && !plan_.environment.bind_now;
    for (const ObjectIndex member : relocation_order(*object))
      if (auto relocated = relocate(member, lazy); !relocated) return relocated;
    maps_[*object].kept = maps_[*object].kept || open.flags.nodelete;
    extend_scopes(*object, list);
    for (const ObjectIndex member : list)
      if (!std::exchange(maps_[member].initialised, true)) loaded_by_[member.value] = process::Moment{step_, open_};
    if (auto run = construct(open.constructors); !run) return run;
    if (open.flags.global) publish(*object);
    return {};
  }

  Loaded<void> construct(const std::vector<Open>& opens) {
    if (depth_ == deepest_constructor) work_.spend(work_.steps());
    if (work_.is_spent()) return std::unexpected(given_up(work_));
    ++depth_;
    for (const Open& open : opens)
      if (!ended_) dlopen(open);
    --depth_;
    return {};
  }

  // RTLD_NOLOAD of a file that is not loaded: dlopen returns null without an error, and CPython has an error text of
  // its own (Modules/_ctypes/callproc.c, py_dl_open; Python/dynload_shlib.c).
  static Loaded<void> not_loaded(const Open& open) {
    return std::unexpected(LoadError{open.by == OpenBy::Ctypes   ? "dlopen() error"
                                     : open.by == OpenBy::Import ? "unknown dlopen() error"
                                                                 : ""});
  }

  std::vector<ObjectIndex> relocation_order(ObjectIndex object) const {
    std::vector<ObjectIndex> out;
    const auto unrelocated = [&](ObjectIndex member) { return !maps_[member].relocated; };
    if (files_.platform().glibc >= process::Glibc{2, 33}) {
      std::ranges::copy_if(maps_[object].dependencies, std::back_inserter(out), unrelocated);
    } else {
      // All files since then, in the order of loading, sorted again.
      const auto from = std::ranges::find(maps_.order(), object);
      std::copy_if(from, maps_.order().end(), std::back_inserter(out), unrelocated);
      sort_as_before_2_35(maps_, out);
    }
    std::ranges::reverse(out);
    return out;
  }

  // elf/dl-reloc.c, _dl_relocate_object.
  Loaded<void> relocate(ObjectIndex object, bool lazy) {
    Map& map = maps_[object];
    const DynamicFacts* const facts = maps_.dynamic(object);
    if (std::exchange(map.relocated, true) || facts == nullptr) return {};
    // The first relocation is bounded by the size of the file. Repetitions after failed opens are counted, because of
    // their memory.
    constexpr std::uint64_t steps_a_repeated_reference = 32;
    if (was_relocated_[object.value]) work_.spend(facts->references.size() * steps_a_repeated_reference);
    was_relocated_[object.value] = true;
    look_ups_.enter(object);
    const bool initial_exec = started_ && facts->static_tls_relocations > 0;
    if (initial_exec && !has_static_tls(object, facts->own_static_tls_relocations > 0))
      return std::unexpected(no_room(object, object));
    if (started_ && !is_musl() && !initial_exec && facts->own_tls_descriptors > 0)
      tls_.place_if_possible(object, files_.platform().glibc >= process::Glibc{2, 32});
    for (std::uint32_t i = 0; i < facts->references.size(); ++i) {
      if (work_.is_spent()) return std::unexpected(given_up(work_));
      // musl binds at once what it can.
      const bool at_first_call = lazy && facts->references[i].at_first_call,
                 waits_for_definition = at_first_call && is_musl();
      if (at_first_call && !is_musl()) {
        late_.push_back({object, i});
        continue;
      }
      const LookupResult found = look_ups_.look_up(i);
      if (waits_for_definition && found.way == BindingResult::Missing) {
        late_.push_back({object, i});
        continue;
      }
      if (found.inconsistent) return std::unexpected(inconsistent_version());
      trace(object, i);
      out_.bound.push_back(
          {.from = object, .reference = i, .to = found.object, .definition = found.definition, .way = found.way});
      if (found.way != BindingResult::Missing) {
        // A R_*_TPOFF relocation with a variable of another file. The facts do not show which relocation is of that
        // type; it is known only if the file has no TLS of its own.
        const bool elsewhere = initial_exec && found.object && *found.object != object && is_tls(found) &&
                               files_.facts(object).segments.tls_size == 0;
        if (elsewhere && !has_static_tls(*found.object, true)) return std::unexpected(no_room(object, *found.object));
        continue;
      }
      map.relocated = false;
      return std::unexpected(undefined(object, i));
    }
    return {};
  }

  // Records the look-up for the next entry of `bound`, if its name is traced.
  void trace(ObjectIndex object, std::uint32_t reference) {
    if (traced_.empty() || !traced_[definitions_.name(object, reference).value]) return;
    std::optional<process::Moment> at = loaded_by_[object.value];
    if (!at && started_) at = process::Moment{step_, open_};
    out_.searches.push_back({static_cast<std::uint32_t>(out_.bound.size()), at, look_ups_.scope()});
  }

  bool is_tls(const LookupResult& found) const {
    const DynamicFacts* const facts = maps_.dynamic(*found.object);
    return facts != nullptr && found.definition < facts->exports.size() &&
           facts->exports[found.definition].kind == SymbolKind::Tls;
  }

  // In musl only the files that are loaded at the start have static TLS.
  bool has_static_tls(ObjectIndex object, bool is_used) {
    if (!is_musl()) return tls_.place(object);
    return !is_used || maps_[object].kind != MapKind::Opened || files_.facts(object).segments.tls_size == 0;
  }

  LoadError no_room(ObjectIndex from, ObjectIndex of) {
    maps_[from].relocated = false;
    return {.text = is_musl()
                        ? fmt::format("Error relocating {}: initial-exec TLS resolves to dynamic definition in {}",
                                      maps_.shown_name(from), maps_.shown_name(of))
                        : fmt::format("{}: cannot allocate memory in static TLS block", maps_.shown_name(of)),
            .missing = process::Missing{.what = process::Missing::What::StaticTls,
                                        .from = from,
                                        .library = of,
                                        .bytes = files_.facts(of).segments.tls_size,
                                        .free = tls_.free()}};
  }

  LoadError undefined(ObjectIndex object, std::uint32_t reference) const {
    const process::SymbolRequest symbol_request = process::symbol_request(files_.facts(object), reference);
    return {.text = is_musl()
                        ? fmt::format("Error relocating {}: {}: symbol not found", maps_.shown_name(object),
                                      symbol_request.name)
                        : fmt::format("{}: undefined symbol: {}{}{}", maps_.shown_name(object), symbol_request.name,
                                      symbol_request.version ? ", version " : "", symbol_request.version.value_or("")),
            .missing = process::Missing{.what = process::Missing::What::Symbol,
                                        .from = object,
                                        .name = std::string(symbol_request.name),
                                        .version = std::string(symbol_request.version.value_or(""))}};
  }

  // elf/dl-open.c, update_scopes: files of earlier opens get the new searchlist in their scopes, for later look-ups.
  void extend_scopes(ObjectIndex object, const std::vector<ObjectIndex>& list) {
    constexpr std::uint64_t steps_an_entry = 8;  // for the memory that it needs
    const ScopeEntry entry{object, false};
    for (const ObjectIndex member : list) {
      Map& map = maps_[member];
      if (!map.initialised || map.kind != MapKind::Opened || work_.is_spent()) continue;
      work_.spend(steps_an_entry);
      // A new searchlist can be in a scope only from the start: at one of the first three places.
      const auto start = std::span(map.scope).first(std::min<std::size_t>(map.scope.size(), 3));
      if (std::ranges::find(start, entry) == start.end()) map.scope.push_back(entry);
    }
  }

  // elf/dl-open.c, add_to_global_update.
  void publish(ObjectIndex object) {
    work_.spend(maps_[object].searchlist->size());
    for (const ObjectIndex member : std::vector<ObjectIndex>(*maps_[object].searchlist)) {
      if (std::exchange(maps_[member].global, true)) continue;
      maps_.global().push_back(member);
      out_.published.push_back({member, step_, open_});
    }
  }

  // elf/dl-close.c, _dl_close_worker: unloads files that are no longer referenced, and removes their UNIQUE symbols.
  void close(ObjectIndex object) {
    if (--maps_[object].opened > 0 || maps_[object].kind != MapKind::Opened) return;
    work_.spend(files_.size() + look_ups_.unique_symbols());
    std::vector<bool> gone(files_.size(), true);
    std::vector<ObjectIndex> used;
    const auto use = [&](ObjectIndex member) {
      if (gone[member.value]) used.push_back(member);
      gone[member.value] = false;
    };
    for (const ObjectIndex member : maps_.order())
      if (const Map& map = maps_[member]; map.kind != MapKind::Opened || map.opened > 0 || map.kept) use(member);
    for (std::size_t i = 0; i < used.size(); ++i) {
      work_.spend(maps_[used[i]].dependencies.size());
      std::ranges::for_each(maps_[used[i]].dependencies, use);
    }
    for (const ObjectIndex member : used) forget_scopes(maps_[member], member, gone);
    look_ups_.forget(gone);
    maps_.unload(gone);
    std::erase_if(out_.published, [&](const process::Published& entry) { return gone[entry.file.value]; });
  }

  // A file may stay loaded although the file that loaded it is unloaded (DF_1_NODELETE in glibc before 2.31). It then
  // searches its own dependencies instead of that searchlist.
  static void forget_scopes(Map& map, ObjectIndex member, const std::vector<bool>& gone) {
    const auto is_gone = [&](const ScopeEntry& entry) { return gone[entry.of.value]; };
    if (map.loader && gone[map.loader->value]) map.loader.reset();
    const auto first = std::ranges::find_if(map.scope, is_gone);
    if (map.kind != MapKind::Opened || first == map.scope.end()) return;
    if (!map.searchlist && !map.dependencies.empty()) {
      map.searchlist = map.dependencies;
      *first = {member, false};
    }
    std::erase_if(map.scope, is_gone);
  }

  // elf/dl-runtime.c, _dl_fixup, as if every lazily bound function were called once at this point.
  void call_everything() {
    for (const Late& late : late_) {
      if (work_.is_spent()) {
        const LoadError error = given_up(work_);
        out_.failures.push_back({.step = step_, .error = error.text, .given_up = true});
        return;
      }
      bind_late(late, true);
    }
  }
  // Returns false, and binds nothing, if there is no definition and not `bind_missing`.
  bool bind_late(const Late& late, bool bind_missing) {
    look_ups_.enter(late.from);
    const LookupResult found = look_ups_.look_up_late(late.reference);
    if (found.way == BindingResult::Missing && !bind_missing) return false;
    trace(late.from, late.reference);
    out_.bound.push_back({.from = late.from,
                          .reference = late.reference,
                          .to = found.object,
                          .definition = found.definition,
                          .way = found.way,
                          .lazy = true});
    return true;
  }

  const process::Plan& plan_;
  const Definitions& definitions_;
  Budget work_;
  ProcessFiles files_;
  Maps maps_;
  LookUpTable look_ups_;
  Outcome out_;
  std::vector<Late> late_;
  StaticTls tls_;
  std::set<std::string_view> imported_;
  std::uint32_t step_ = 0, open_ = 0, depth_ = 0;
  bool started_ = false, ended_ = false;
  std::vector<std::optional<process::Moment>> loaded_by_;  // by object
  std::vector<bool> traced_;                               // by SymbolNumber; empty: nothing is traced
  std::vector<bool> was_relocated_;  // relocated before in this process, possibly by an open that failed

  static constexpr std::uint32_t deepest_constructor = 500;  // the stack of ld.so is limited too
};

}  // namespace
}  // namespace wheelcheck::resolver

namespace wheelcheck::process {

Predictor::Predictor(const World& world)
    : world_(world), definitions_(std::make_unique<const resolver::Definitions>(world.files)) {}

Predictor::~Predictor() = default;

std::vector<Outcome> Predictor::predict(std::span<const Plan> plans, std::uint64_t steps) const {
  std::vector<Outcome> out;
  for (const Plan& plan : plans) out.push_back(resolver::Process(world_, *definitions_, plan, steps).run());
  return out;
}

std::vector<Outcome> predict(const World& world, std::span<const Plan> plans, std::uint64_t steps) {
  return Predictor(world).predict(plans, steps);
}

}  // namespace wheelcheck::process
