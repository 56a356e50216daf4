// Plans what `repair` bundles: the libraries that the files of a wheel need and that no system of the tag has.
//
// The search starts at the files of the wheel and follows DT_NEEDED through the libraries of a system root, along the
// search paths that ld.so would use there. A library that the tag allows ends the search. The others are copied with a
// hash in name and soname, as auditwheel does (auditwheel/repair.py), so that two wheels never share one by accident.
// Users get
// the new name with --replace-needed and a $ORIGIN path to it. A plan is refused with a reason if bundling cannot meet
// the tag: too new versions or forbidden symbols, a newer instruction set, a library of the graphics stack.
#include "repair/bundle_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <utility>
#include <variant>

#include "base/fail.h"
#include "base/text.h"
#include "model/graphics_stack.h"
#include "model/installed_files.h"
#include "model/search_path.h"
#include "policy/requirements.h"

namespace wheelcheck::repair {
namespace {

// libfoo.so.1 -> libfoo-1a2b3c4d.so.1, as auditwheel names it (auditwheel/repair.py, copylib).
std::string name_with_hash(std::string_view name, std::string_view sha256) {
  const std::string hash = "-" + std::string(sha256.substr(0, 8));
  const std::size_t dot = std::min(name.find('.'), name.size());
  if (name.substr(0, dot).ends_with(hash)) return std::string(name);
  return std::string(name.substr(0, dot)) + hash + std::string(name.substr(dot));
}

// The first version need that the level does not have, of a library that it provides; "" if there is none.
std::string too_new(const DynamicFacts& dynamic, const Policy& level) {
  for (const VersionNeed& need : dynamic.needs) {
    const std::size_t underscore = need.version.find('_');
    if (!level.libraries.contains(need.library) || need.weak || underscore == std::string_view::npos) continue;
    const auto versions = level.versions.find(need.version.substr(0, underscore));
    if (versions != level.versions.end() && !versions->second.contains(need.version.substr(underscore + 1)))
      return fmt::format("{} of {}", escape(need.version), escape(need.library));
  }
  for (const std::string_view needed : dynamic.needed) {
    const auto denied = level.denied_symbols.find(needed);
    if (denied == level.denied_symbols.end()) continue;
    for (const Import& import : dynamic.imports)
      if (!import.weak && denied->second.contains(import.name))
        return fmt::format("{} of {}", escape(import.name), escape(needed));
  }
  return "";
}

class BundlePlanner {
 public:
  BundlePlanner(const BundleInput& input, SystemRoot& root) : in_(input), root_(root) {}

  Result<BundlePlan> run() {
    if (auto done = check_wheel(); !done) return std::unexpected(std::move(done.error()));
    if (auto done = add_opened(); !done) return std::unexpected(std::move(done.error()));
    for (std::uint32_t i = 0; i < facts().elfs.size(); ++i)
      if (is_host_code(facts().elfs[i]) && facts().elfs[i].facts.dynamic)
        if (auto done = add_file(ElfIndex{i}); !done) return std::unexpected(std::move(done.error()));
    while (!queue_.empty()) {
      const std::string path = std::move(queue_.front());
      queue_.pop_front();
      if (auto done = add_needs_of(externals_.at(path)); !done) return std::unexpected(std::move(done.error()));
    }
    if (auto done = edit_wheel_files(); !done) return std::unexpected(std::move(done.error()));
    edit_libraries();
    return std::move(plan_);
  }

 private:
  // Where ld.so searches for the needs of a file (elf/dl-load.c, _dl_map_object): its own path, and without DT_RUNPATH
  // also DT_RPATH of the files that led to it.
  struct SearchPath {
    std::vector<std::string> own, inherited;
    bool is_runpath = false;
    // DT_RUNPATH of those files, which ld.so does not use here. auditwheel does, so a library that is nowhere else is
    // taken from there.
    std::vector<std::string> last;
    std::vector<std::string> directories() const {
      std::vector<std::string> out = own;
      if (!is_runpath) out.insert(out.end(), inherited.begin(), inherited.end());
      return out;
    }
    SearchPath below() const {
      SearchPath out{.own = {}, .inherited = is_runpath ? inherited : directories(), .is_runpath = false, .last = last};
      if (is_runpath) out.last.insert(out.last.end(), own.begin(), own.end());
      return out;
    }
  };
  struct External {
    const SystemLibrary* library;
    std::string needed_as, file_name;
    SearchPath path;
    std::vector<std::pair<std::string, std::string>> needs;  // DT_NEEDED, and the key in externals_
  };

  const WheelFacts& facts() const { return in_.wheel.facts; }
  const std::string& path_of(const ElfMember& elf) const { return facts().members[elf.member.value].path.text(); }

  // What bundling does not change: the machine, versions of libraries that the system has, denied symbols.
  Result<void> check_wheel() const {
    for (const RequirementIndex index : in_.assessment.levels[in_.index.value].unmet_requirements) {
      const Requirement& requirement = in_.assessment.requirements[index.value];
      if (std::holds_alternative<LibraryRequirement>(requirement.what)) continue;
      if (in_.any_instruction_set && std::holds_alternative<IsaRequirement>(requirement.what)) continue;
      if (const auto* version = std::get_if<VersionRequirement>(&requirement.what);
          version != nullptr && !in_.level.libraries.contains(version->library))
        continue;
      return fail(ErrorCode::Usage, "{} cannot be reached: {} requires {}", in_.assessment.level_names[in_.index.value],
                  escape(path_of(facts().elfs[requirement.elf.value])), text_of(requirement));
    }
    return {};
  }
  static std::string text_of(const Requirement& requirement) {
    if (const auto* version = std::get_if<VersionRequirement>(&requirement.what))
      return fmt::format("{} of {}", escape(version->version), escape(version->library));
    if (const auto* symbol = std::get_if<SymbolRequirement>(&requirement.what))
      return fmt::format("the symbol {} of {}", escape(symbol->symbol), escape(symbol->library));
    if (const auto* machine = std::get_if<MachineRequirement>(&requirement.what))
      return fmt::format("the machine {}", name_of(machine->arch));
    if (const auto* isa = std::get_if<IsaRequirement>(&requirement.what))
      return fmt::format("the instruction set x86-64-v{}", isa->level);
    if (const auto* missing = std::get_if<MissingVersionRequirement>(&requirement.what))
      return fmt::format("{} of {}, which does not define it", escape(missing->version), escape(missing->library));
    return "another build of CPython";
  }

  bool is_excluded(std::string_view name, std::string_view path) {
    bool excluded = false;
    for (std::size_t i = 0; i < in_.exclude.size(); ++i)
      if (glob_match(in_.exclude[i], name) || (!path.empty() && glob_match(in_.exclude[i], path))) {
        plan_.used_patterns.insert(i);
        excluded = true;
      }
    if (excluded) plan_.excluded.emplace(name);
    return excluded;
  }

  bool is_provided(std::string_view name) const {
    return in_.level.libraries.contains(name) || policy::is_loader(name, in_.level.family);
  }

  // The libraries of --bundle, before those that DT_NEEDED names, so that a library which both name keeps its name.
  Result<void> add_opened() {
    if (in_.opened.empty()) return {};
    const auto first = std::ranges::find_if(
        facts().elfs, [](const ElfMember& elf) { return is_host_code(elf) && elf.facts.dynamic.has_value(); });
    if (first == facts().elfs.end())
      return fail(ErrorCode::Usage, "--bundle {}: no file of the wheel loads libraries", escape(in_.opened.front()));
    for (const std::string& name : in_.opened) {
      auto added = add_external(name, "--bundle", first->facts, first->libc, {});
      if (!added) return std::unexpected(std::move(added.error()));
      if (added->empty()) continue;
      externals_.at(*added).file_name = base_name(name);
      opened_.emplace(base_name(name));
    }
    return {};
  }
  // The loader searches what a file opens along the search path of that file.
  bool opens_any(const ElfFacts& elf) const {
    return std::ranges::any_of(elf.texts.libraries, [&](std::string_view name) { return opened_.contains(name); });
  }

  Result<void> add_file(ElfIndex index) {
    const ElfMember& elf = facts().elfs[index.value];
    SearchPath path;
    path.is_runpath = effective_path(elf.facts).kind == "RUNPATH";
    for (const std::string_view element : effective_path(elf.facts).elements)
      if (element.starts_with('/')) path.own.emplace_back(element);
    for (const NeededFound& found : in_.wheel.resolution.needed[index.value]) {
      if (found.found == Found::Declared || found.found == Found::Required) is_excluded(found.name, "");
      if (found.found != Found::Outside) continue;
      const std::string name(found.name);
      if (is_libpython(name) && in_.level.allows_libpython) continue;
      if (is_libpython(name) && elf.facts.kind == ElfKind::SharedObject) {
        plan_.elfs[path_of(elf)].remove_needed.push_back(name);
        continue;
      }
      if (is_excluded(name, "") || is_provided(name)) continue;
      if (found.unreached && found.unreached->wheel.value == 0) {
        from_wheel_[index.value].emplace_back(name, found.unreached->elf);
        continue;
      }
      auto added = add_external(name, path_of(elf), elf.facts, elf.libc, path);
      if (!added) return std::unexpected(std::move(added.error()));
      if (!added->empty()) users_[index.value].emplace_back(name, *added);
    }
    return {};
  }

  // The key in externals_; "" if the library is excluded by its path. Two files can get two libraries for one name.
  Result<std::string> add_external(const std::string& name, const std::string& user, const ElfFacts& user_facts,
                                   Libc libc, const SearchPath& path) {
    const std::vector<std::string> directories = path.directories();
    // The linker writes the path of a library that has no soname.
    const bool is_path = name.find('/') != std::string::npos;
    if (is_path && !name.starts_with('/'))
      return fail(ErrorCode::Usage, "{} requires {}, which depends on the current directory", escape(user),
                  escape(name));
    auto found = is_path ? root_.at(name, user_facts) : root_.find(name, user_facts, libc, directories);
    if (found && *found == nullptr && !is_path) found = root_.find(name, user_facts, libc, path.last);
    if (!found) return std::unexpected(std::move(found.error()));
    if (*found == nullptr)
      return fail(ErrorCode::Usage, "{} requires {}, which was not found in {}; name its directory with --lib-path",
                  escape(user), escape(name), searched(user_facts, libc, directories));
    const SystemLibrary& library = **found;
    if (is_excluded(name, library.path)) return std::string();
    // With --sysroot, a directory of --lib-path can have the same path.
    const std::string key = (library.in_sysroot ? "" : "--lib-path ") + library.path;
    if (externals_.contains(key)) return key;
    if (auto done = check_library(name, library); !done) return std::unexpected(std::move(done.error()));
    SearchPath below = path.below();
    below.is_runpath = effective_path(library.facts).kind == "RUNPATH";
    const std::string origin = library.path.substr(0, library.path.rfind('/'));
    for (const std::string_view element : effective_path(library.facts).elements) {
      if (element.starts_with('/')) below.own.emplace_back(element);
      for (const std::string_view token : {"$ORIGIN", "${ORIGIN}"})
        if (element.starts_with(token)) below.own.push_back(origin + std::string(element.substr(token.size())));
    }
    externals_.emplace(key, External{.library = &library,
                                     .needed_as = name,
                                     .file_name = name_with_hash(base_name(library.path), library.sha256),
                                     .path = std::move(below),
                                     .needs = {}});
    queue_.push_back(key);
    return key;
  }

  std::string searched(const ElfFacts& user, Libc libc, const std::vector<std::string>& directories) const {
    std::vector<std::string> list = directories;
    const auto& defaults = root_.default_directories(libc, user);
    list.insert(list.end(), defaults.begin(), defaults.end());
    return list_of(list);
  }

  Result<void> check_library(const std::string& name, const SystemLibrary& library) const {
    if (!library.facts.dynamic || library.facts.kind != ElfKind::SharedObject)
      return fail(ErrorCode::Usage, "{} is not a shared library", escape(library.path));
    for (const Flaw& flaw : library.facts.flaws)
      if (flaw.fatal) return fail(ErrorCode::Usage, "{} is damaged: {}", escape(library.path), flaw.reason);
    if (library.facts.segments.executable_stack == true)
      return fail(ErrorCode::Usage,
                  "{} requires an executable stack, which new systems refuse; `wheelcheck explain WC601` says how to "
                  "rebuild it",
                  escape(library.path));
    // Bit n of GNU_PROPERTY_X86_ISA_1_NEEDED is x86-64-v(n + 1); no platform tag names more than the first.
    if (library.facts.x86_isa_needed > 1 && !in_.any_instruction_set)
      return fail(ErrorCode::Usage, "{} requires the instruction set x86-64-v{}, which platform tags do not include",
                  escape(library.path), std::bit_width(library.facts.x86_isa_needed));
    const std::string_view file = base_name(name), stem = file.substr(0, file.find(".so"));
    if (!graphics_library(file).empty())
      return fail(ErrorCode::Usage,
                  "{} must not be bundled: it belongs to the driver of the machine; use --exclude '{}'", escape(name),
                  escape(name));
    for (const KnownGpuLibrary& known : in_.knowledge.gpu)
      if (known.stem == stem && (known.driver || !known.redistributable))
        return fail(ErrorCode::Usage, "{} must not be bundled: it {}; use --exclude '{}'", escape(name),
                    known.driver ? "belongs to the driver of the machine"
                                 : "is not on the list of files that its licence lets others distribute",
                    escape(name));
    if (const std::string version = too_new(*library.facts.dynamic, in_.level); !version.empty())
      return fail(ErrorCode::Usage, "{} cannot be reached: {} requires {}", in_.assessment.level_names[in_.index.value],
                  escape(library.path), version);
    return {};
  }

  // References into the map stay valid while it grows.
  Result<void> add_needs_of(External& user) {
    const SystemLibrary& library = *user.library;
    const Libc libc = library.facts.libc == Libc::None ? content_libc() : library.facts.libc;
    for (const std::string_view needed : library.facts.dynamic->needed) {
      const std::string text(needed);
      if (is_excluded(text, "") || is_provided(text)) continue;
      auto added = add_external(text, library.path, library.facts, libc, user.path);
      if (!added) return std::unexpected(std::move(added.error()));
      if (!added->empty()) user.needs.emplace_back(text, *added);
    }
    return {};
  }
  Libc content_libc() const { return in_.level.family == PlatformTag::Family::Musllinux ? Libc::Musl : Libc::Glibc; }

  // The elements that stay, and the directories of what was added.
  Result<void> edit_wheel_files() {
    for (std::uint32_t i = 0; i < facts().elfs.size(); ++i) {
      const auto users = users_.find(i);
      const auto own = from_wheel_.find(i);
      const ElfMember& elf = facts().elfs[i];
      const bool is_user = users != users_.end() || (is_host_code(elf) && elf.facts.dynamic && opens_any(elf.facts));
      if (!is_user && own == from_wheel_.end()) continue;
      std::string installed = elf.installed;
      if (is_script(path_of(elf)) && std::ranges::count(path_of(elf), '/') == 2) {
        const std::string to = facts().name.distribution + ".scripts/" + std::string(base_name(path_of(elf)));
        plan_.moved.push_back({path_of(elf), to});
        installed = libs_prefix() + to;
      }
      const auto is_elsewhere = [&](const std::string& place) { return !place.starts_with(libs_prefix()); };
      const bool own_elsewhere =
          own != from_wheel_.end() && std::ranges::any_of(own->second, [&](const auto& need) {
            return is_elsewhere(installed) != is_elsewhere(facts().elfs[need.second.value].installed);
          });
      if (own_elsewhere || (is_user && is_elsewhere(installed)))
        return fail(ErrorCode::Usage,
                    "{} is not installed below site-packages, so no search path leads from it to the libraries on "
                    "every system; move it into a package",
                    escape(path_of(elf)));
      rewrite::ElfEdit& edit = plan_.elfs[path_of(elf)];
      std::vector<std::string> elements;
      const auto add = [&](std::string element) {
        if (std::ranges::find(elements, element) == elements.end()) elements.push_back(std::move(element));
      };
      for (const std::string_view element : effective_path(elf.facts).elements)
        if (starts_at_origin(element) && !names_a_file(element) && target_of(elf, element) == PathTarget::Inside)
          add(std::string(element));
      if (users != users_.end())
        for (const auto& [name, library] : users->second) add_replaced(edit, name, library);
      if (is_user) add(origin_path(installed, libs_prefix() + in_.libs_directory + "/x"));
      if (own != from_wheel_.end())
        for (const auto& [name, provider] : own->second) {
          const ElfMember& file = facts().elfs[provider.value];
          if (base_name(path_of(file)) != name) edit.replace_needed.emplace_back(name, base_name(path_of(file)));
          add(origin_path(installed, file.installed));
        }
      edit.search_path = join(elements, ":");
      edit.as_rpath = true;
    }
    return {};
  }
  void add_replaced(rewrite::ElfEdit& edit, const std::string& name, const std::string& library) const {
    if (const std::string& file = externals_.at(library).file_name; file != name)
      edit.replace_needed.emplace_back(name, file);
  }
  // The path of site-packages below the installation prefix: what precedes a member's own path there.
  std::string libs_prefix() const {
    for (const ElfMember& elf : facts().elfs) {
      const std::string& path = path_of(elf);
      if (elf.installed.ends_with("/" + path)) return elf.installed.substr(0, elf.installed.size() - path.size());
    }
    for (const ElfMember& elf : facts().elfs)
      if (const std::size_t at = elf.installed.find("/site-packages/"); at != std::string::npos)
        return elf.installed.substr(0, at + std::string_view("/site-packages/").size());
    return "lib/python3/site-packages/";
  }

  void edit_libraries() {
    for (const auto& [path, external] : externals_) {
      BundledFile file{
          .library = external.library, .needed_as = external.needed_as, .file_name = external.file_name, .edit = {}};
      file.edit.soname = external.file_name;
      for (const auto& [name, library] : external.needs) add_replaced(file.edit, name, library);
      const bool has_path = !effective_path(external.library->facts).kind.empty();
      if (!external.needs.empty() || opens_any(external.library->facts))
        file.edit.search_path = "$ORIGIN";
      else if (has_path)
        file.edit.search_path = "";
      file.edit.as_rpath = true;
      plan_.bundled.push_back(std::move(file));
    }
    std::ranges::stable_sort(plan_.bundled, {}, &BundledFile::needed_as);
  }

  const BundleInput& in_;
  SystemRoot& root_;
  BundlePlan plan_;
  std::map<std::string, External, std::less<>> externals_;  // by path and origin
  // By ElfIndex: DT_NEEDED, and the key in externals_.
  std::map<std::uint32_t, std::vector<std::pair<std::string, std::string>>> users_;
  std::map<std::uint32_t, std::vector<std::pair<std::string, ElfIndex>>> from_wheel_;  // libraries of the wheel itself
  std::deque<std::string> queue_;
  std::set<std::string, std::less<>> opened_;  // file names of --bundle
};

}  // namespace

std::string start_script(const MovedProgram& program) {
  std::string literal;  // of Python
  for (const char c : program.to) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return fmt::format(
      "#!python\n"
      "import os, sys, sysconfig\n\n"
      "program = os.path.join(sysconfig.get_path(\"platlib\"), \"{}\")\n"
      "os.execv(program, [program, *sys.argv[1:]])\n",
      literal);
}

Result<BundlePlan> plan_bundle(const BundleInput& input, SystemRoot& root) { return BundlePlanner(input, root).run(); }

}  // namespace wheelcheck::repair
