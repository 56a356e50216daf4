// The pipeline of `repair`: check the wheel, find the libraries that the policy does not allow it to expect, bundle
// them, check the result, and only then give it its name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "app/repair_check.h"
#include "app/rewriting.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/text.h"
#include "knowledge/tables.h"
#include "model/required_tag.h"
#include "policy/assess.h"
#include "repair/bundle_plan.h"
#include "repair/packages.h"
#include "repair/system_root.h"
#include "report/shared/names.h"
#include "report/shared/text.h"
#include "wheelcheck/rewrite.h"
#include "wheelcheck/rule.h"

namespace wheelcheck {
namespace {

using app::Destination;

std::string package_text(const repair::SystemPackage& package) {
  return fmt::format("{} {} {}", package.distro.empty() ? package.type : package.distro, package.name, package.version);
}

// What the wheels of one call have in common.
struct Batch {
  std::set<std::size_t> used_excludes;  // indices in RepairOptions::exclude
  bool plans = false;                   // a wheel has machine code
  std::set<std::string> names;          // of the results
  rewrite::DebugFiles debug;
};

Result<void> check_excludes(const RepairOptions& options, const Batch& batch) {
  for (std::size_t i = 0; i < options.exclude.size(); ++i)
    if (!batch.used_excludes.contains(i))
      return fail(ErrorCode::Usage, "--exclude {} matches no library that {} requires", escape(options.exclude[i]),
                  options.wheels.size() == 1 ? "the wheel" : "one of the wheels");
  return {};
}

class Repairer {
 public:
  Repairer(const RepairOptions& options, const std::string& path, app::OpenedWheel& wheel, Batch& batch)
      : options_(options),
        path_(path),
        wheel_(wheel),
        batch_(batch),
        root_({.sysroot = options.sysroot,
               .library_paths = options.library_paths,
               .default_directories = options.default_directories,
               .limits = options.settings.limits}) {}

  Result<RepairResult> run() {
    if (wheel_.judged().verdict.pure) return copy();
    if (options_.matrix) return matrix();
    for (const auto step : {&Repairer::check_input, &Repairer::read_levels, &Repairer::choose_level,
                            &Repairer::note_excludes, &Repairer::check_files, &Repairer::edit, &Repairer::write})
      if (auto done = (this->*step)(); !done) return std::unexpected(std::move(done.error()));
    return std::move(result_);
  }
  // The file of the result, which has no name yet.
  std::optional<rewrite::OutputFile>& output() { return output_; }

 private:
  const WheelFacts& facts() const { return wheel_.judged().facts; }
  std::string libs_directory() const { return facts().name.distribution + options_.libs_suffix; }

  Result<RepairResult> copy() {
    if (!options_.allow_pure)
      return fail(ErrorCode::Usage,
                  "{}: has no machine code, so nothing can be repaired; --allow-pure-python-wheel "
                  "copies such a wheel",
                  escape(facts().file));
    result_.file_name = facts().file;
    // A copy to its own place changes nothing, and auditwheel accepts it.
    std::vector<std::string> others = options_.environment.protected_files;
    std::erase(others, path_);
    if (auto done = claim_name(others); !done) return std::unexpected(std::move(done.error()));
    if (!options_.dry_run) {
      auto output = rewrite::OutputFile::create(options_.directory);
      if (!output) return std::unexpected(std::move(output.error()));
      if (auto done = rewrite::copy_file(*wheel_.file, output->descriptor().value()); !done)
        return std::unexpected(std::move(done.error()));
      result_.written = options_.directory + "/" + facts().file;
      output_ = std::move(*output);
    }
    return std::move(result_);
  }

  Result<void> claim_name(const std::vector<std::string>& protected_files) {
    if (!batch_.names.insert(result_.file_name).second)
      return fail(ErrorCode::Usage, "another wheel of this call has the result {} too", escape(result_.file_name));
    return app::demand_new_file({options_.directory, result_.file_name}, protected_files);
  }

  Result<void> check_input() {
    if (!options_.sysroot.empty() && !std::filesystem::is_directory(options_.sysroot))
      return fail(ErrorCode::Usage, "--sysroot {} is not a directory", escape(options_.sysroot));
    if (!facts().dist_info || !facts().wheel)
      return fail(ErrorCode::Usage, "{}: has no *.dist-info/WHEEL", escape(facts().file));
    const std::string libraries = libs_directory();
    for (const std::string_view part : split(libraries, '/'))
      if (part.empty() || part == "." || part == "..")
        return fail(ErrorCode::Usage, "--lib-sdir {}: {} is not the name of a directory in a wheel",
                    escape(options_.libs_suffix), escape(libraries));
    return {};
  }

  Result<void> check_files() {
    for (const ElfMember& elf : facts().elfs) {
      if (!is_host_code(elf)) continue;
      const std::string path = escape(facts().members[elf.member.value].path.text());
      for (const Flaw& flaw : elf.facts.flaws)
        if (flaw.fatal) return fail(ErrorCode::Usage, "{} is damaged: {}", path, flaw.reason);
      if (elf.facts.kind == ElfKind::SharedObject && elf.facts.segments.executable_stack == true)
        return fail(ErrorCode::Usage, "{} requires an executable stack, which new systems refuse; `wheelcheck {}", path,
                    elf.facts.trampolines == false ? "fix` clears the flag" : "explain WC601` says how to rebuild it");
    }
    return {};
  }

  // A library that needs no other, and whose name has the same form for glibc and musl (before CPython 3.11).
  bool is_libc_unknown() const {
    bool unknown = false;
    for (const ElfMember& elf : facts().elfs) {
      if (!is_host_code(elf)) continue;
      if (elf.libc != Libc::None) return false;
      unknown = unknown || elf.facts.kind == ElfKind::SharedObject;
    }
    const auto names_libc = [](const PlatformTag& tag) { return tag.family != PlatformTag::Family::Linux; };
    return unknown && std::ranges::none_of(facts().name.platforms, names_libc);
  }

  Result<RepairResult> matrix() {
    for (const auto step : {&Repairer::check_input, &Repairer::read_levels})
      if (auto done = (this->*step)(); !done) return std::unexpected(std::move(done.error()));
    for (std::size_t i = 1; i < levels_.levels.size(); ++i) {
      RepairResult::Level& level = result_.matrix.emplace_back();
      level.platform = app::platform_tags(levels_.levels[i], arch_).front();
      const auto plan = plan_for(i);
      if (!plan) {
        level.reason = plan.error().message;
        continue;
      }
      for (const repair::BundledFile& file : plan->bundled) level.bundled.push_back(file.needed_as);
    }
    return std::move(result_);
  }

  // The levels of the family and architecture of the content, and what they do not provide.
  Result<void> read_levels() {
    auto policies = load_policies(options_.settings.policies);
    if (!policies) return std::unexpected(std::move(policies.error()));
    const auto content = policy::targets_of_content(facts());
    if (content.empty())
      return fail(ErrorCode::Usage, "{}: no platform tag names the machine of its code", escape(facts().file));
    family_ = content.front().family;
    // Where no file says so, the platform that was asked for or claimed does.
    const bool wants_musl = options_.platform.starts_with("musllinux") ||
                            std::ranges::any_of(facts().name.platforms, [](const PlatformTag& tag) {
                              return tag.family == PlatformTag::Family::Musllinux;
                            });
    if (wants_musl && std::ranges::all_of(facts().elfs, [](const ElfMember& elf) { return elf.libc == Libc::None; }))
      family_ = PlatformTag::Family::Musllinux;
    arch_ = content.front().arch;
    levels_ = policies->policy_levels(family_, arch_);
    const std::vector<policy::TargetPlatform> targets = {{family_, arch_, {}}};
    assessment_ = policy::assess(facts(), wheel_.judged().resolution, {}, *policies, targets).front();
    auto knowledge = knowledge::shared_knowledge(options_.settings.knowledge);
    if (!knowledge) return std::unexpected(std::move(knowledge.error()));
    knowledge_ = *knowledge;
    return {};
  }

  Result<void> choose_level() {
    if (options_.platform != "auto") return choose_named();
    if (is_libc_unknown())
      return fail(ErrorCode::Usage, "{}: no file says whether it is for glibc or musl; name the platform with --plat",
                  escape(facts().file));
    return choose_oldest();
  }

  Result<repair::BundlePlan> plan_for(std::size_t level) {
    return repair::plan_bundle({.wheel = wheel_.judged(),
                                .level = levels_.levels[level],
                                .assessment = assessment_,
                                .index = LevelIndex{static_cast<std::uint32_t>(level)},
                                .knowledge = *knowledge_,
                                .exclude = options_.exclude,
                                .opened = options_.opened,
                                .any_instruction_set = options_.any_instruction_set,
                                .libs_directory = libs_directory()},
                               root_);
  }

  // The levels from the oldest to the newest. The symbols of musl have no versions, so its files do not show that they
  // run on an older musl: there the claimed levels come first, then the newest.
  std::vector<std::size_t> levels_to_try() const {
    std::vector<std::size_t> out;
    for (std::size_t i = levels_.levels.size(); i-- > 1;) out.push_back(i);
    if (family_ != PlatformTag::Family::Musllinux) return out;
    const auto is_claimed = [&](std::size_t level) {
      return std::ranges::any_of(facts().name.platforms, [&](const PlatformTag& tag) {
        return tag.family == family_ && tag.libc == levels_.levels[level].libc;
      });
    };
    const auto others = std::ranges::stable_partition(out, is_claimed);
    std::ranges::reverse(others);
    return out;
  }

  Result<void> choose_oldest() {
    std::optional<Error> newest_error;
    for (const std::size_t i : levels_to_try()) {
      auto plan = plan_for(i);
      if (plan) {
        level_ = i;
        plan_ = std::move(*plan);
        return {};
      }
      newest_error = std::move(plan.error());
    }
    if (!newest_error) return fail(ErrorCode::Usage, "there is no policy for {} wheels", name_of(arch_));
    return std::unexpected(std::move(*newest_error));
  }

  Result<void> choose_named() {
    for (std::size_t i = 1; i < levels_.levels.size(); ++i) {
      const Policy& level = levels_.levels[i];
      const std::vector<std::string> tags = app::platform_tags(level, arch_);
      const auto is_it = [&](const std::string& tag) {
        return options_.platform == tag || fmt::format("{}_{}", options_.platform, name_of(arch_)) == tag;
      };
      if (std::ranges::none_of(tags, is_it)) continue;
      auto plan = plan_for(i);
      if (!plan) return std::unexpected(std::move(plan.error()));
      level_ = i;
      plan_ = std::move(*plan);
      return {};
    }
    return fail(ErrorCode::Usage, "--plat {} is not a {} platform of {}; see `wheelcheck policy list`",
                escape(options_.platform), name_of(family_), name_of(arch_));
  }

  // Before the work that takes time.
  Result<void> note_excludes() {
    batch_.plans = true;
    batch_.used_excludes.insert(plan_.used_patterns.begin(), plan_.used_patterns.end());
    return path_ == options_.wheels.back() ? check_excludes(options_, batch_) : Result<void>();
  }

  // The names that the result claims: the level, and an older one that it is compatible with too.
  std::vector<std::string> platform_names() {
    std::set<std::string> out;
    const auto add = [&](const Policy& level) {
      for (std::string& tag : app::platform_tags(level, arch_)) out.insert(std::move(tag));
    };
    add(levels_.levels[level_]);
    const auto names = [](const repair::BundlePlan& plan) {
      std::vector<std::string> list;
      for (const repair::BundledFile& file : plan.bundled) list.push_back(file.needed_as);
      return list;
    };
    const bool tries_older = !options_.only_platform && family_ == PlatformTag::Family::Manylinux;
    for (std::size_t i = levels_.levels.size(); tries_older && i-- > level_ + 1;)
      if (const auto plan = plan_for(i); plan && names(*plan) == names(plan_) && plan->excluded == plan_.excluded) {
        add(levels_.levels[i]);
        break;
      }
    // Tags of other systems stay, and newer ones than that of the result, as auditwheel leaves them.
    for (const PlatformTag& tag : facts().name.platforms) {
      if (tag.family == PlatformTag::Family::Any || tag.family == PlatformTag::Family::Linux) continue;
      const bool same_system = tag.family == family_ && tag.arch == arch_;
      if (!same_system || (tag.isa.empty() && levels_.levels[level_].libc < tag.libc)) out.insert(tag.text);
    }
    return {out.begin(), out.end()};
  }

  Result<void> edit() {
    result_.platform = app::platform_tags(levels_.levels[level_], arch_).front();
    result_.excluded.assign(plan_.excluded.begin(), plan_.excluded.end());
    std::set<std::string> removed;
    for (auto& [path, elf] : plan_.elfs) {
      removed.insert(elf.remove_needed.begin(), elf.remove_needed.end());
      edits_.changes[path].elf = elf;
    }
    result_.removed.assign(removed.begin(), removed.end());
    if (!plan_.elfs.empty() || !plan_.bundled.empty()) {
      auto found = rewrite::Patchelf::find(options_.environment.patchelf, options_.environment.program_path);
      if (!found) return std::unexpected(std::move(found.error()));
      patchelf_ = std::move(*found);
      if (std::string note = patchelf_->note(); !note.empty()) result_.notes.push_back(std::move(note));
    }
    if (auto done = strip_members(); !done) return done;
    move_programs();
    result_.file_name = facts().file;
    if (options_.update_tags) {
      const std::vector<std::string> platforms = platform_names();
      result_.file_name = rewrite::file_name_of(facts().name, platforms);
      const std::string path = *facts().dist_info + "/WHEEL";
      const auto text = app::text_of_member(wheel_.archive, path);
      if (!text) return std::unexpected(report::named(path_, text.error()));
      edits_.changes[path].content = rewrite::with_tags(*text, facts().name, platforms, true);
    }
    edits_.new_record = true;
    for (const MemberFacts& member : facts().members)
      if (rewrite::is_signature(facts(), member.path.text()))
        result_.notes.push_back(
            fmt::format("{} is not copied, because it signs the old RECORD", escape(base_name(member.path.text()))));
    return bundle();
  }

  rewrite::ElfTools tools() const {
    return {.patchelf = patchelf_ ? &*patchelf_ : nullptr, .objcopy = objcopy_ ? &*objcopy_ : nullptr};
  }

  // gdb finds the debug information by the build ID of a file, or by a name in its .gnu_debuglink.
  void strip_file(const std::string& path, const ElfFacts& elf, rewrite::ElfEdit& edit) const {
    edit.strip = options_.strip;
    if (options_.debug_directory.empty()) return;
    const std::string id = elf.build_id.value_or("");
    edit.debug_name =
        id.size() > 2 ? fmt::format(".build-id/{}/{}.debug", id.substr(0, 2), id.substr(2)) : path + ".debug";
  }

  Result<void> strip_members() {
    if (options_.strip == StripLevel::None) return {};
    auto found = rewrite::Objcopy::find(options_.environment.program_path, options_.dry_run ? nullptr : &batch_.debug);
    if (!found) return std::unexpected(std::move(found.error()));
    objcopy_ = std::move(*found);
    for (const ElfMember& elf : facts().elfs) {
      const std::string& path = facts().members[elf.member.value].path.text();
      const ElfKind kind = elf.facts.kind;
      if (is_host_code(elf) && (kind == ElfKind::SharedObject || kind == ElfKind::Executable))
        strip_file(path, elf.facts, edits_.changes[path].elf);
    }
    return {};
  }

  void move_programs() {
    for (const repair::MovedProgram& program : plan_.moved) {
      rewrite::Change& change = edits_.changes[program.from];
      const MemberFacts& member = facts().members[find_member(facts().members, program.from)->value];
      const std::uint32_t mode = member.unix_mode == 0 ? 0100755 : member.unix_mode | 0111;
      change.moved_to = program.to;
      change.mode = mode;
      edits_.added.push_back({.path = program.from, .content = repair::start_script(program), .mode = mode});
    }
  }

  // Adds the libraries, their licence files and the SBOM.
  Result<void> bundle() {
    std::vector<repair::BundledFile*> files;  // each file once
    std::set<std::string> names;
    for (repair::BundledFile& file : plan_.bundled)
      if (names.insert(file.file_name).second) files.push_back(&file);
    std::vector<Result<std::string>> contents(files.size());
    std::vector<std::string> hashes(files.size());
    parallel_for(files.size(), options_.settings.jobs, [&](std::size_t i) {
      strip_file(libs_directory() + "/" + files[i]->file_name, files[i]->library->facts, files[i]->edit);
      contents[i] = rewrite::apply_edit(files[i]->edit, files[i]->library->content, tools());
      if (contents[i]) hashes[i] = sha256_hex(std::as_bytes(std::span(*contents[i])));
    });
    std::vector<std::string> of_system;
    for (const repair::BundledFile* const file : files)
      if (file->library->in_sysroot) of_system.push_back(file->library->path);
    const repair::PackageDatabase packages(root_, options_.environment.program_path, of_system);
    std::vector<repair::BundledLibraryOfPackage> origins;
    std::set<std::string> licences;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const repair::SystemLibrary& library = *files[i]->library;
      if (!contents[i])
        return fail(contents[i].error().code, escape(library.path) + ": " + contents[i].error().message);
      const std::string member = libs_directory() + "/" + files[i]->file_name;
      auto package = library.in_sysroot ? packages.package_of(library.path) : std::nullopt;
      const std::uint32_t mode = (library.mode & 0111) != 0 ? 0100755 : 0100644;
      edits_.added.push_back({.path = member, .content = std::move(*contents[i]), .mode = mode, .sha256 = hashes[i]});
      if (package) add_licences(*package, licences);
      result_.bundled.push_back({.needed_as = files[i]->needed_as,
                                 .source = library.path,
                                 .member = member,
                                 .package = package ? package_text(*package) : ""});
      origins.push_back({.member = member, .sha256 = hashes[i], .package = std::move(package)});
    }
    note_python_openers();
    note_run_time_files(files);
    if (!origins.empty())
      edits_.added.push_back(
          {.path = sbom_path(), .content = repair::sbom_text(facts().name, result_.file_name, version(), origins)});
    return check_added();
  }

  // ctypes searches the path of the interpreter, not that of a file of the wheel.
  void note_python_openers() {
    for (const std::string& opened : options_.opened) {
      const std::string name(base_name(opened));
      for (const PythonFile& file : facts().python)
        if (std::ranges::any_of(file.names, [&](const PythonName& one) { return one.text == name; }))
          result_.notes.push_back(
              fmt::format("{} names {}: Python code finds it by its path only, {}/{} in site-packages",
                          escape(facts().members[file.member.value].path.text()), escape(name),
                          escape(libs_directory()), escape(name)));
    }
    std::set<std::string, std::less<>> known(plan_.excluded.begin(), plan_.excluded.end());
    for (const std::string& opened : options_.opened) known.emplace(base_name(opened));
    for (const Finding& finding : wheel_.judged().findings)
      if (finding.rule->code == std::string_view("WC545") && std::holds_alternative<AtMember>(finding.place))
        if (const std::string& name = finding.evidence.front().value; !known.contains(name))
          result_.notes.push_back(fmt::format("{}; --bundle {} would copy it", finding.message, name));
  }

  // What a bundled library opens without naming it in DT_NEEDED.
  void note_run_time_files(const std::vector<repair::BundledFile*>& files) {
    std::set<std::string, std::less<>> known(plan_.excluded.begin(), plan_.excluded.end());
    for (const repair::BundledFile* const file : files) known.insert(file->needed_as);
    for (const std::string_view name : levels_.levels[level_].libraries) known.emplace(name);
    for (const repair::BundledFile* const file : files)
      if (std::string note = repair::run_time_note(*file->library, file->needed_as, known, root_); !note.empty())
        result_.notes.push_back(std::move(note));
  }

  void add_licences(const repair::SystemPackage& package, std::set<std::string>& done) {
    for (const std::string& path : package.licence_files) {
      const std::string member =
          fmt::format("{}/licenses/{}/{}/{}", *facts().dist_info, libs_directory(), package.name, base_name(path));
      if (!done.insert(member).second) continue;
      if (auto text = root_.text_of(path)) edits_.added.push_back({.path = member, .content = std::move(*text)});
    }
  }

  // A wheel that was repaired before can have some of the files already.
  Result<void> check_added() {
    std::erase_if(edits_.added, [&](const rewrite::Added& added) {
      const auto text = replaces(added) ? app::text_of_member(wheel_.archive, added.path) : std::unexpected(Error{});
      return text && *text == added.content;
    });
    for (const rewrite::Added& added : edits_.added)
      if (replaces(added)) return fail(ErrorCode::Usage, "the wheel already has another {}", escape(added.path));
    return {};
  }
  bool replaces(const rewrite::Added& added) const {
    const auto change = edits_.changes.find(added.path);
    const bool moves = change != edits_.changes.end() && change->second.moved_to;
    return !moves && find_member(facts().members, added.path);
  }
  std::string sbom_path() const {
    std::string path = *facts().dist_info + "/sboms/wheelcheck.cdx.json";
    for (std::size_t i = 2; find_member(facts().members, path); ++i)
      path = fmt::format("{}/sboms/wheelcheck-{}.cdx.json", *facts().dist_info, i);
    return path;
  }

  Result<void> write() {
    const Destination to{options_.directory, result_.file_name};
    if (auto done = claim_name(options_.environment.protected_files); !done) return done;
    auto output = options_.dry_run ? rewrite::OutputFile::nameless() : rewrite::OutputFile::create(to.directory);
    if (!output) return std::unexpected(std::move(output.error()));
    Settings settings = options_.settings;
    settings.external.insert(settings.external.end(), options_.exclude.begin(), options_.exclude.end());
    settings.external.insert(settings.external.end(), result_.excluded.begin(), result_.excluded.end());
    const app::Rewriting rewriting{.edits = edits_,
                                   .tools = tools(),
                                   .source_date_epoch = options_.environment.source_date_epoch,
                                   .level = options_.compression_level,
                                   .settings = settings};
    auto after = app::write_and_judge(wheel_, rewriting, *output, to.path());
    if (!after) return std::unexpected(std::move(after.error()));
    if (!options_.debug_directory.empty() && !options_.dry_run)
      result_.notes.push_back(fmt::format("the debug information is in {} ({})", escape(options_.debug_directory),
                                          count_of(batch_.debug.count(), "file")));
    const app::RepairedWheel repaired{.before = facts(),
                                      .after = *after->entries.front().wheel,
                                      .edits = edits_,
                                      .plan = plan_,
                                      .libs_directory = libs_directory(),
                                      .level = levels_.levels[level_],
                                      .options = options_};
    if (auto done = app::demand_compatible(repaired); !done) return done;
    if (std::string note = app::instruction_set_note(repaired.after); !note.empty())
      result_.notes.push_back(std::move(note));
    if (options_.verify_run)
      if (auto done = app::demand_loaded(repaired, *output, arch_, root_); !done) return done;
    result_.findings = static_cast<std::size_t>(std::ranges::count_if(
        repaired.after.findings, [](const Finding& finding) { return finding.severity > Severity::Note; }));
    if (options_.dry_run) return {};
    result_.written = to.path();
    output_ = std::move(*output);
    return {};
  }

  const RepairOptions& options_;
  const std::string& path_;
  app::OpenedWheel& wheel_;
  Batch& batch_;
  std::optional<rewrite::OutputFile> output_;
  repair::SystemRoot root_;
  RepairResult result_;
  PlatformTag::Family family_ = PlatformTag::Family::Manylinux;
  Arch arch_ = Arch::Other;
  PolicyLevels levels_;
  Assessment assessment_;
  std::shared_ptr<const Knowledge> knowledge_;
  std::size_t level_ = 0;
  repair::BundlePlan plan_;
  std::optional<rewrite::Patchelf> patchelf_;
  std::optional<rewrite::Objcopy> objcopy_;
  rewrite::Edits edits_;
};

}  // namespace

Result<std::vector<RepairResult>> repair_wheels(const RepairOptions& options) {
  Batch batch{.debug = rewrite::DebugFiles(options.debug_directory)};
  std::vector<RepairResult> results;
  std::vector<std::pair<std::string, rewrite::OutputFile>> outputs;  // by name
  for (const std::string& path : options.wheels) {
    auto wheel = app::open_wheel(path, options.settings);
    if (!wheel) return std::unexpected(std::move(wheel.error()));
    Repairer repairer(options, path, *wheel, batch);
    auto result = repairer.run();
    if (!result) {
      Error error = std::move(result.error());
      const bool names_wheel = error.message.find(escape(wheel->judged().facts.file)) != std::string::npos;
      return std::unexpected(options.wheels.size() == 1 || names_wheel ? std::move(error) : report::named(path, error));
    }
    result->input = wheel->judged().facts.file;
    if (repairer.output()) outputs.emplace_back(result->file_name, std::move(*repairer.output()));
    results.push_back(std::move(*result));
  }
  if (batch.plans)
    if (auto done = check_excludes(options, batch); !done) return std::unexpected(std::move(done.error()));
  if (auto done = batch.debug.keep(); !done) return std::unexpected(std::move(done.error()));
  for (auto& [name, output] : outputs)
    if (auto done = output.keep(name); !done) return std::unexpected(std::move(done.error()));
  return results;
}

}  // namespace wheelcheck
