// From a directory and a plan to a process: mounts the files, gives the plan's paths their meaning, and assumes what
// the platform is promised to have and nobody gave.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "base/text.h"
#include "environment/disk.h"
#include "environment/plan.h"
#include "wheelcheck/environment.h"

namespace wheelcheck {
namespace {

namespace fs = std::filesystem;
using environment::Disk;
using environment::WrittenOpen;
using environment::WrittenPlan;
using process::ObjectIndex;

// Where the dynamic loader of a common distribution looks by itself: ld.so.conf of Debian, then of the others.
constexpr std::string_view system_directories[] = {"/usr/local/lib",
                                                   "/lib/x86_64-linux-gnu",
                                                   "/usr/lib/x86_64-linux-gnu",
                                                   "/lib/aarch64-linux-gnu",
                                                   "/usr/lib/aarch64-linux-gnu",
                                                   "/lib64",
                                                   "/usr/lib64",
                                                   "/lib",
                                                   "/usr/lib"};

// All that these define has a version (the libraries of glibc and GCC).
bool is_versioned(std::string_view name) {
  static constexpr std::string_view stems[] = {"libc.so.",     "libm.so.",       "libpthread.so.", "libdl.so.",
                                               "librt.so.",    "libutil.so.",    "libresolv.so.",  "libmvec.so.",
                                               "libanl.so.",   "libnsl.so.",     "libcrypt.so.",   "ld-linux",
                                               "libgcc_s.so.", "libstdc++.so.6", "libgomp.so.",    "libatomic.so."};
  return std::ranges::any_of(stems, [&](std::string_view stem) { return name.starts_with(stem); });
}

// Threads are often left to whoever brings them, so these names come without a version. libc has some functions of libm
// as well, and comes first; from 2.34 on it has all of the others (glibc NEWS).
process::Assumed assumed_libc(const process::Glibc& glibc) {
  process::Assumed out{.prefixes = {"pthread_", "__pthread_", "sem_"}};
  for (const std::string stem : {"copysign", "frexp", "ldexp", "modf", "scalbn", "finite", "__finite", "__signbit"})
    for (const char* const type : {"", "f", "l"}) out.also.push_back(stem + type);
  if (glibc >= process::Glibc{2, 34})
    out.speaks_for = {"libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1", "libanl.so.1"};
  return out;
}

// What the names of the other libraries of the policies begin with; of one that is not listed, anything.
process::Assumed assumed_library(std::string_view name, const process::Glibc& glibc) {
  if (name == "libc.so.6") return assumed_libc(glibc);
  static const std::map<std::string_view, std::vector<std::string>> prefixes = {
      {"libz.so.1", {"adler32", "compress", "crc32", "deflate", "get_crc_table", "gz", "inflate", "uncompress", "z"}},
      {"libexpat.so.1", {"XML_"}},
      {"libX11.so.6", {"X", "_X"}},
      {"libXext.so.6", {"X", "_X"}},
      {"libXrender.so.1", {"XRender"}},
      {"libICE.so.6", {"Ice", "_Ice"}},
      {"libSM.so.6", {"Sm", "_Sm"}},
      {"libGL.so.1", {"gl"}},
      {"libglib-2.0.so.0", {"g_", "glib_"}},
      {"libgobject-2.0.so.0", {"g_"}},
      {"libgthread-2.0.so.0", {"g_"}}};
  const auto known = prefixes.find(name);
  return {.versioned = is_versioned(name),
          .prefixes = known == prefixes.end() ? std::vector<std::string>{} : known->second};
}

class Reader {
 public:
  Reader(const EnvironmentInput& input, const StringSet& platform)
      : input_(input), platform_(platform), disk_(out_, input_) {}

  Result<Environment> run() {
    std::error_code failed;
    top_ = fs::absolute(input_.directory, failed).lexically_normal();
    if (!top_.has_filename()) top_ = top_.parent_path();
    auto written = plan_file();
    if (!written) return std::unexpected(written.error());
    if (auto done = disk_.read_directory(top_); !done) return std::unexpected(done.error());
    auto main = program(*written);
    if (!main) return std::unexpected(main.error());
    out_.plan.main = *main;
    out_.world.platform.glibc = written->glibc;
    read_outside(*written);
    read_platform();
    assume();
    meaning_of(*written);
    if (!lost_caller_.empty())
      return std::unexpected(
          Error{ErrorCode::NotFound, fmt::format("the plan's caller {} is no ELF file", escape(lost_caller_))});
    names();
    return std::move(out_);
  }

 private:
  Result<WrittenPlan> plan_file() const {
    std::ifstream in(input_.plan, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad() || text.empty())
      return std::unexpected(Error{ErrorCode::NotFound, fmt::format("cannot read the plan {}", escape(input_.plan))});
    return environment::parse_plan(text, input_.plan);
  }

  std::string below_top(const std::string& path) const { return (top_ / path).lexically_normal().string(); }

  bool is_below_top(std::string_view path) const { return path.starts_with(top_.string() + '/'); }

  Result<ObjectIndex> program(const WrittenPlan& written) {
    if (written.main.empty()) return default_program();
    const std::string path = below_top(written.main);
    if (const auto read = disk_.read_file(path, true)) {
      prefix_library_ = (fs::path(path).parent_path() / "../lib").lexically_normal().string();
      if (const auto interpreter = out_.world.files[read->value].facts->interpreter)
        disk_.read_file(std::string(*interpreter), false);
      return *read;
    }
    return std::unexpected(
        Error{ErrorCode::NotFound, fmt::format("the plan's main {} is no ELF file", escape(written.main))});
  }

  // An interpreter with a shared libpython: its C API is assumed, and so is the platform below it.
  ObjectIndex default_program() {
    auto facts = std::make_unique<ElfFacts>();
    if (!out_.world.files.empty() && out_.world.files.front().facts != nullptr) {
      const ElfFacts& like = *out_.world.files.front().facts;
      facts->bits = like.bits;
      facts->machine = like.machine;
      facts->little_endian = like.little_endian;
    }
    facts->kind = ElfKind::Executable;
    facts->dynamic.emplace().needed = {libpython, "libc.so.6", "libm.so.6"};
    out_.world.files.push_back({.path = "/usr/bin/python", .facts = facts.get()});
    out_.world.files.push_back(
        {.path = std::string(libpython), .assumed = process::Assumed{.prefixes = {"Py", "_Py"}}});
    const ObjectIndex main{static_cast<std::uint32_t>(out_.world.files.size() - 2)};
    out_.facts.resize(out_.world.files.size());
    out_.facts[main.value] = std::move(facts);
    return main;
  }

  // The interpreter's own modules lie elsewhere; the plan names them by absolute paths.
  void read_outside(const WrittenPlan& written) {
    for (const auto& step : written.steps) read_outside(step);
  }
  void read_outside(const std::vector<WrittenOpen>& opens) {
    for (const WrittenOpen& open : opens) {
      if (open.path.starts_with('/')) disk_.read_file(below_top(open.path), true);
      if (!open.path.empty() && !is_path(open)) searched_.insert(open.path);
      if (open.caller.starts_with('/')) disk_.read_file(below_top(open.caller), true);
      read_outside(open.constructors);
    }
  }

  // An interpreter's own libraries lie in the lib beside its bin, whether ld.so.conf names that or not.
  void read_platform() {
    const std::vector<std::string> system(std::begin(system_directories), std::end(system_directories));
    std::vector<std::string> prefix;
    if (!prefix_library_.empty()) prefix.push_back(prefix_library_);
    disk_.read_needed(system, prefix, searched_);
    auto& directories = out_.world.platform.directories;
    directories = prefix;
    directories.insert(directories.end(), system.begin(), system.end());
  }

  // Their names answer only where no file does.
  void assume() {
    std::set<std::string> names{"libc.so.6", "libm.so.6"};
    for (const process::File& file : out_.world.files) {
      if (file.facts == nullptr || !file.facts->dynamic) continue;
      // The interpreter and its own modules work where they are, so there is what they need.
      const bool outside = !is_below_top(file.path);
      for (const std::string_view name : file.facts->dynamic->needed)
        if (outside || platform_.contains(name) || is_versioned(name)) names.emplace(name);
    }
    for (const std::string& name : names)
      out_.world.files.push_back({.path = name, .assumed = assumed_library(name, out_.world.platform.glibc)});
  }

  std::vector<process::Open> meaning_of(const std::vector<WrittenOpen>& opens) {
    std::vector<process::Open> out;
    for (const WrittenOpen& open : opens)
      out.push_back({.name = name_of(open),
                     .flags = open.flags,
                     .by = open.by,
                     .caller = caller_of(open),
                     .constructors = meaning_of(open.constructors)});
    return out;
  }

  std::optional<ObjectIndex> caller_of(const WrittenOpen& open) {
    if (open.caller.empty()) return std::nullopt;
    const auto found = disk_.known_file(below_top(open.caller));
    if (!found) lost_caller_ = open.caller;
    return found;
  }

  void meaning_of(const WrittenPlan& written) {
    for (const auto& step : written.steps) {
      out_.plan.steps.push_back({meaning_of(step)});
    }
    process::Environment& environment = out_.plan.environment;
    environment.directory = top_.string();
    const auto parts_of = [&](const std::string& name, std::string_view separators) {
      std::vector<std::string> parts;
      const auto found = written.variables.find(name);
      if (found == written.variables.end()) return parts;
      std::string value = found->second;
      std::ranges::replace_if(value, [&](char c) { return separators.find(c) != std::string_view::npos; }, ':');
      for (const std::string_view part : split(value, ':'))
        if (!part.empty()) parts.emplace_back(part);
      return parts;
    };
    environment.bind_now = !parts_of("LD_BIND_NOW", "").empty();
    environment.dynamic_weak = written.variables.contains("LD_DYNAMIC_WEAK");
    environment.preload = parts_of("LD_PRELOAD", " ");
    environment.library_path = parts_of("LD_LIBRARY_PATH", ";");
  }

  // A path of the environment, else a name that is searched for. An import always has a path.
  std::string name_of(const WrittenOpen& open) const {
    return is_path(open) && !open.path.empty() ? below_top(open.path) : open.path;
  }
  static bool is_path(const WrittenOpen& open) {
    return open.path.find('/') != std::string::npos || open.by == process::OpenBy::Import;
  }

  void names() {
    for (std::uint32_t i = 0; i < out_.world.files.size(); ++i) {
      const std::string& path = out_.world.files[i].path;
      const std::string base = path.substr(path.rfind('/') + 1);
      out_.names.push_back(i == out_.plan.main.value       ? "<main>"
                           : base.starts_with("libpython") ? "<libpython>"
                           : is_below_top(path)            ? path.substr(top_.string().size() + 1)
                                                           : base);
    }
  }

  static constexpr std::string_view libpython = "libpython3.so";
  const EnvironmentInput& input_;
  const StringSet& platform_;
  Environment out_;
  Disk disk_;
  fs::path top_;
  std::string prefix_library_, lost_caller_;
  std::set<std::string> searched_;  // names without a slash that the plan opens
};

}  // namespace

Result<Environment> read_environment(const EnvironmentInput& input, const StringSet& platform) {
  return Reader(input, platform).run();
}

}  // namespace wheelcheck
