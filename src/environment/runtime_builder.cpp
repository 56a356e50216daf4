// Adds the interpreter and the platform to a process.
//
// What a wheel binds to depends on the CPython and the C library around it. Each is taken from the first source that
// has it: files that the user named (--python, --sysroot), the reference that is compiled in (data/reference, facts of
// a real CPython and glibc on x86-64), or an assumed library, of which only the soname and the beginnings of its names
// are known. An assumed library is used only if no file has the name, so real files always decide, and the report says
// from which source the interpreter and the platform are.
#include "environment/runtime_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/fail.h"
#include "base/text.h"
#include "environment/reference.h"
#include "wheelcheck/environment.h"
#include "wheelcheck/platform.h"

namespace wheelcheck::environment {
namespace {

namespace fs = std::filesystem;
using process::File;
using process::ObjectIndex;

constexpr std::string_view assumed_libpython = "libpython3.so";
constexpr const char* c_api[] = {"Py", "_Py"};   // prefixes of its names
constexpr std::uint16_t reference_machine = 62;  // EM_X86_64

// The directories that the loaders of common distributions search: ld.so.conf of Debian, then of others.
constexpr std::string_view system_directories[] = {"/usr/local/lib",
                                                   "/lib/x86_64-linux-gnu",
                                                   "/usr/lib/x86_64-linux-gnu",
                                                   "/lib/aarch64-linux-gnu",
                                                   "/usr/lib/aarch64-linux-gnu",
                                                   "/lib64",
                                                   "/usr/lib64",
                                                   "/lib",
                                                   "/usr/lib"};

// The facts of a file for the most frequent machine; a wheel may contain some files for others.
const ElfFacts* max_common(const std::vector<File>& files) {
  std::map<std::tuple<std::uint16_t, std::uint16_t, bool>, std::pair<std::size_t, const ElfFacts*>> machines;
  const ElfFacts* best = nullptr;
  std::size_t max = 0;
  for (const File& file : files) {
    if (file.facts == nullptr) continue;
    auto& [count, first] = machines[{file.facts->machine, file.facts->bits, file.facts->little_endian}];
    if (first == nullptr) first = file.facts;
    if (++count <= max) continue;
    max = count;
    best = first;
  }
  return best;
}

bool is_for_reference(const ElfFacts& facts) {
  return facts.machine == reference_machine && facts.bits == 64 && facts.little_endian;
}

// True if a file is for that machine, or if there is no file.
bool fits_reference(const std::vector<File>& files) {
  bool any = false;
  for (const File& file : files) {
    if (file.facts == nullptr) continue;
    if (is_for_reference(*file.facts)) return true;
    any = true;
  }
  return !any;
}

// "_ssl" of .../_ssl.cpython-311-x86_64-linux-gnu.so.
std::string module_name(std::string_view path) {
  const std::string_view name = base_name(path);
  return std::string(name.substr(0, name.find('.')));
}

// 36 of GLIBC_2.36.
std::optional<unsigned> minor_of(std::string_view version) {
  constexpr std::string_view stem = "GLIBC_2.";
  std::uint64_t minor = 0;
  if (!version.starts_with(stem) || !parse_number(version.substr(stem.size()), minor) || minor > 1000)
    return std::nullopt;
  return static_cast<unsigned>(minor);
}

}  // namespace

RuntimeBuilder::RuntimeBuilder(process::World& world, std::vector<std::unique_ptr<const ElfFacts>>& facts, Disk& disk,
                               const RuntimeInput& input)
    : world_(world),
      facts_(facts),
      disk_(disk),
      input_(input),
      first_(world.files.size()),
      referable_(fits_reference(world.files)) {}

Result<ObjectIndex> RuntimeBuilder::add_interpreter() {
  const std::vector<std::string> known = reference_pythons();
  Result<ObjectIndex> added;
  const bool is_known = std::ranges::find(known, input_.python) != known.end();
  if (input_.libc == Libc::Musl && (is_known || input_.python.empty()))
    added = assume_interpreter();
  else if (is_known)
    added = known_interpreter(input_.python);
  else if (!input_.python.empty())
    added = read_interpreter();
  else
    added = referable_ ? known_interpreter(default_reference_python) : assume_interpreter();
  if (!added) return added;
  main_ = *added;
  const ElfFacts& program = *world_.files[main_->value].facts;
  if (is_musl_program(program)) {
    world_.platform.loader = process::Loader::Musl;
    platform_ = "musl";
    if (std::ranges::find(world_.files, *program.interpreter, &File::path) == world_.files.end())
      world_.files.push_back(musl_library(program, facts_));
  }
  return added;
}

Result<ObjectIndex> RuntimeBuilder::known_interpreter(std::string_view name) {
  if (!referable_)
    return fail(ErrorCode::Usage, "the interpreter {} is known for x86_64 alone, and no file is for that", name);
  auto known = reference_python(name);
  if (!known) return std::unexpected(known.error());
  const auto program =
      std::ranges::find_if(known->files, [](const File& file) { return file.facts->kind == ElfKind::Executable; });
  if (program == known->files.end()) return fail(ErrorCode::NotFound, "the reference {} contains no program", name);
  const std::string path = program->path;
  if (const auto interpreter = program->facts->interpreter) disk_.read_file(std::string(*interpreter), false);
  python_ = known->about;
  if (const auto release = release_to_stand_for(*program, input_.pythons)) {
    const bool more = python_.ends_with(')');  // the description ends with the variant in parentheses
    if (more) python_.pop_back();
    python_ += fmt::format("{}standing for 3.{})", more ? ", " : " (", *release);
    const auto shared = std::ranges::find_if(
        known->files, [](const File& file) { return base_name(file.path).starts_with("libpython"); });
    (shared != known->files.end() ? shared : program)->further = {std::begin(c_api), std::end(c_api)};
  }
  add_known(std::move(*known));
  const auto at = std::ranges::find_if(world_.files, [&](const File& file) {
    return file.path == path || std::ranges::find(file.aliases, path) != file.aliases.end();
  });
  return ObjectIndex{static_cast<std::uint32_t>(at - world_.files.begin())};
}

// Adds reference files, except those with a path that the world already has.
void RuntimeBuilder::add_known(Reference&& known) {
  std::set<std::string, std::less<>> taken;
  for (const File& file : world_.files) {
    taken.insert(file.path);
    taken.insert(file.aliases.begin(), file.aliases.end());
  }
  for (File& file : known.files) {
    if (taken.contains(file.path)) continue;
    std::erase_if(file.aliases, [&](const std::string& alias) { return taken.contains(alias); });
    file.reference = true;
    if (file.path.find("/lib-dynload/") != std::string::npos)
      modules_.try_emplace(static_cast<std::uint32_t>(world_.files.size()), module_name(file.path));
    world_.files.push_back(std::move(file));
  }
  std::ranges::move(known.facts, std::back_inserter(facts_));
}

Result<ObjectIndex> RuntimeBuilder::read_interpreter() {
  std::error_code failed;
  const std::string path = fs::absolute(input_.python, failed).lexically_normal().string();
  const auto main = disk_.read_program(path);
  if (!main || world_.files[main->value].facts == nullptr)
    return fail(ErrorCode::NotFound, "the interpreter {} is not an ELF file", escape(input_.python));
  const File program = world_.files[main->value];
  referable_ = is_for_reference(*program.facts);
  python_ = fmt::format("CPython {}{}{}", version_of(program), version_of(program).empty() ? "" : " of ",
                        escape(program.path));
  if (const auto interpreter = program.facts->interpreter) disk_.read_file(std::string(*interpreter), false);
  read_beside(program);
  name_directories(program);
  read_modules(program);
  return *main;
}

// The libraries of an interpreter are in the lib directory next to its bin. /usr/lib also contains libraries of the
// platform, which do not belong to the interpreter. If nothing else leads to its libpython, ld.so.conf must contain
// that directory.
void RuntimeBuilder::read_beside(const File& program) {
  const fs::path prefix = fs::path(program.path).parent_path().parent_path();
  const std::string beside = (prefix / "lib").string();
  if (prefix != "/usr" && prefix != "/") named_.push_back(beside);
  if (!program.facts->dynamic) return;
  const SearchPath& search = program.facts->dynamic->search;
  if (search.rpath.empty() && search.runpath.empty() &&
      std::ranges::any_of(program.facts->dynamic->needed, is_libpython))
    prefix_library_ = beside;
  std::vector<std::string> directories{beside, (prefix / "lib64").string()};
  directories.insert(directories.end(), std::begin(system_directories), std::end(system_directories));
  for (const std::string_view needed : program.facts->dynamic->needed)
    for (const std::string& directory : directories)
      if (is_libpython(needed) && disk_.read_file(directory + '/' + std::string(needed), true)) break;
}

// Reads the extension modules of a CPython installation: PREFIX/bin/python3.11 and PREFIX/lib/python3.11/lib-dynload,
// or lib64.
void RuntimeBuilder::read_modules(const File& program) {
  const std::string_view version = version_of(program);
  if (version.empty()) return;
  const fs::path prefix = fs::path(program.path).parent_path().parent_path();
  for (const char* const lib : {"lib", "lib64"}) {
    const std::string directory = (prefix / lib / fmt::format("python{}", version) / "lib-dynload").string();
    for (const std::string& name : disk_.names_in(directory)) {
      if (!name.ends_with(".so")) continue;
      const auto module = disk_.read_file(directory + '/' + name, true);
      if (!module) continue;
      modules_.try_emplace(module->value, module_name(name));
      name_directories(world_.files[module->value]);
    }
    if (!modules_.empty()) return;
  }
}

// Adds the search paths of the file. An interpreter that was built with its own libraries has them there.
void RuntimeBuilder::name_directories(const File& file) {
  if (file.facts == nullptr || !file.facts->dynamic) return;
  const std::string origin = fs::path(file.path).parent_path().string();
  for (const auto* list : {&file.facts->dynamic->search.rpath, &file.facts->dynamic->search.runpath})
    for (const std::string_view element : *list) {
      std::string path(element);
      for (const std::string_view token : {"$ORIGIN", "${ORIGIN}"})
        if (path.starts_with(token)) path = origin + path.substr(token.size());
      if (!path.starts_with('/') || path.find('$') != std::string::npos) continue;
      path = fs::path(path).lexically_normal().string();
      if (path.size() > 1 && path.ends_with('/')) path.pop_back();
      if (std::ranges::find(named_, path) == named_.end()) named_.push_back(path);
    }
}

// An interpreter with a shared libpython of which only the C API is known.
ObjectIndex RuntimeBuilder::assume_interpreter() {
  auto facts = std::make_unique<ElfFacts>();
  if (const ElfFacts* const like = max_common(world_.files)) {
    facts->bits = like->bits;
    facts->machine = like->machine;
    facts->little_endian = like->little_endian;
  }
  facts->kind = ElfKind::Executable;
  if (input_.libc == Libc::Musl) {
    facts->interpreter = musl_interpreter(*facts);
    facts->dynamic.emplace().needed = {assumed_libpython, "libc.so"};
  } else {
    facts->dynamic.emplace().needed = {assumed_libpython, "libc.so.6", "libm.so.6"};
  }
  const ObjectIndex main{static_cast<std::uint32_t>(world_.files.size())};
  world_.files.push_back({.path = "/usr/bin/python", .facts = facts.get()});
  world_.files.push_back({.path = std::string(assumed_libpython),
                          .assumed = process::Assumed{.prefixes = {std::begin(c_api), std::end(c_api)}}});
  facts_.push_back(std::move(facts));
  return main;
}

Result<void> RuntimeBuilder::add_platform(std::optional<process::Glibc> glibc) {
  std::vector<std::string> system(std::begin(system_directories), std::end(system_directories));
  if (is_musl()) system.assign(std::begin(musl_directories), std::end(musl_directories));
  disk_.read_needed(system, named_, names_to_find_);
  auto& directories = world_.platform.directories;
  directories.clear();
  if (!prefix_library_.empty()) directories.push_back(prefix_library_);
  directories.insert(directories.end(), system.begin(), system.end());
  if (!input_.sysroot.empty()) {
    platform_ = "libraries of " + escape(input_.sysroot);
  } else if (referable_ && !is_musl()) {
    auto known = reference_platform();
    if (!known) return std::unexpected(known.error());
    platform_ = known->about;
    add_known(std::move(*known));
  }
  if (!glibc) glibc = glibc_found();
  if (glibc) world_.platform.glibc = *glibc;
  assume();
  return {};
}

std::optional<process::Glibc> RuntimeBuilder::glibc_found() const {
  std::optional<process::Glibc> newest;
  for (std::size_t i = first_; i < world_.files.size(); ++i) {
    const File& file = world_.files[i];
    if (file.facts == nullptr || !file.facts->dynamic || file.facts->dynamic->soname != "libc.so.6") continue;
    for (const VersionDefinition& defined : file.facts->dynamic->provides)
      if (const auto minor = minor_of(defined.version))
        newest = std::max(newest.value_or(process::Glibc{2, 0}), process::Glibc{2, *minor});
    break;
  }
  return newest;
}

// Adds assumed libraries. They are used only if no file has the name. A system with musl need not have those of GCC.
void RuntimeBuilder::assume() {
  std::set<std::string> names;
  if (!is_musl()) names = {"libc.so.6", "libm.so.6"};
  for (std::size_t i = 0; i < world_.files.size(); ++i) {
    const File& file = world_.files[i];
    if (file.facts == nullptr || !file.facts->dynamic) continue;
    // The interpreter and its modules work on their system, so everything that they need exists.
    for (const std::string_view name : file.facts->dynamic->needed)
      if (i >= first_ || input_.promised.contains(name) || (!is_musl() && is_versioned(name))) names.emplace(name);
  }
  names.erase(std::string(assumed_libpython));
  for (const std::string& name : names)
    world_.files.push_back({.path = name, .assumed = assumed_library(name, world_.platform.glibc)});
}

std::vector<Origin> RuntimeBuilder::origins() const {
  std::vector<Origin> out;
  for (std::size_t i = first_; i < world_.files.size(); ++i) {
    const auto module = modules_.find(static_cast<std::uint32_t>(i));
    const bool interpreter = (main_ && main_->value == i) || base_name(world_.files[i].path).starts_with("libpython");
    if (module != modules_.end())
      out.push_back({.kind = Origin::Kind::Stdlib, .module = module->second});
    else
      out.push_back({.kind = interpreter ? Origin::Kind::Interpreter : Origin::Kind::Platform});
  }
  return out;
}

bool RuntimeBuilder::is_musl() const { return world_.platform.loader == process::Loader::Musl; }

std::string RuntimeBuilder::description() const {
  if (is_musl()) return fmt::format("{} and {}", python_, platform_);
  return fmt::format("{} and {}, glibc {}.{}", python_, platform_, world_.platform.glibc.major,
                     world_.platform.glibc.minor);
}

}  // namespace wheelcheck::environment

namespace wheelcheck {

bool reads_runtime(const std::string& python, const std::string& sysroot) {
  const std::vector<std::string> known = environment::reference_pythons();
  return !sysroot.empty() || (!python.empty() && std::ranges::find(known, python) == known.end());
}

Result<Runtime> add_runtime(process::World& world, const RuntimeInput& input) {
  Runtime out;
  environment::Disk disk(world, out.facts, {input.sysroot, input.limits, input.jobs});
  environment::RuntimeBuilder around(world, out.facts, disk, input);
  const auto main = around.add_interpreter();
  if (!main) return std::unexpected(main.error());
  if (auto done = around.add_platform(); !done) return std::unexpected(done.error());
  if (const bool musl = world.platform.loader == process::Loader::Musl; musl != (input.libc == Libc::Musl))
    return fail(ErrorCode::Usage, "the interpreter {} is for {}, and the wheels are for {}", escape(input.python),
                musl ? "musl" : "glibc", musl ? "glibc" : "musl");
  out.main = *main;
  out.origins = around.origins();
  out.description = around.description();
  return out;
}

}  // namespace wheelcheck
