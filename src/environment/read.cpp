// Builds a process from a directory and a plan: reads the files, adds an interpreter and a platform, and resolves the
// paths of the plan.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/fail.h"
#include "base/text.h"
#include "base/text_file.h"
#include "environment/disk.h"
#include "environment/plan.h"
#include "environment/runtime_builder.h"
#include "wheelcheck/environment.h"

namespace wheelcheck {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t largest_plan = 64 << 20;  // bytes
using environment::Disk;
using environment::WrittenOpen;
using environment::WrittenPlan;

class Reader {
 public:
  Reader(const EnvironmentInput& input, const StringSet& platform)
      : input_(input),
        disk_(out_.world, out_.facts, {input.sysroot, input.limits, input.jobs}),
        around_input_{input.python, input.sysroot, platform, input.limits, input.jobs} {}

  Result<Environment> run() {
    std::error_code failed;
    top_ = fs::absolute(input_.directory, failed).lexically_normal();
    if (!top_.has_filename()) top_ = top_.parent_path();
    auto written = plan_file();
    if (!written) return std::unexpected(written.error());
    if (input_.inputs_open)
      if (auto done = input_.inputs_open({.read = {"/"}, .cache = {}}); !done) return std::unexpected(done.error());
    if (auto done = disk_.read_directory(top_); !done) return std::unexpected(done.error());
    if (!written->main.empty()) around_input_.python = below_top(written->main);
    environment::RuntimeBuilder around(out_.world, out_.facts, disk_, around_input_);
    const auto main = around.add_interpreter();
    if (!main) return std::unexpected(main.error());
    out_.plan.main = *main;
    read_outside(*written);
    around.find_names(searched_);
    if (auto done = around.add_platform(written->glibc); !done) return std::unexpected(done.error());
    meaning_of(*written);
    if (!lost_caller_.empty())
      return fail(ErrorCode::NotFound, "the plan's caller {} is not an ELF file", escape(lost_caller_));
    names();
    return std::move(out_);
  }

 private:
  Result<WrittenPlan> plan_file() const {
    const auto text = read_text_file(input_.plan, largest_plan);
    if (!text) return fail(ErrorCode::NotFound, "the plan {}: {}", escape(input_.plan), text.error());
    return environment::parse_plan(*text, input_.plan);
  }

  std::string below_top(const std::string& path) const { return (top_ / path).lexically_normal().string(); }

  bool is_below_top(std::string_view path) const { return path.starts_with(top_.string() + '/'); }

  // Reads the files that the plan names by absolute paths, such as the interpreter's own modules.
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

  std::optional<process::ObjectIndex> caller_of(const WrittenOpen& open) {
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

  // A path in the environment, or else a name that is searched for. An import always has a path.
  std::string name_of(const WrittenOpen& open) const {
    return is_path(open) && !open.path.empty() ? below_top(open.path) : open.path;
  }
  // True for a path. A name without a slash may be a file in the top directory of the environment.
  bool is_path(const WrittenOpen& open) const {
    return open.path.find('/') != std::string::npos || open.by == process::OpenBy::Import ||
           std::ranges::find(out_.world.files, below_top(open.path), &process::File::path) != out_.world.files.end();
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

  const EnvironmentInput& input_;
  Environment out_;
  Disk disk_;
  RuntimeInput around_input_;
  fs::path top_;
  std::string lost_caller_;
  std::set<std::string> searched_;  // names without a slash that the plan opens
};

}  // namespace

Result<Environment> read_environment(const EnvironmentInput& input, const StringSet& platform) {
  return Reader(input, platform).run();
}

}  // namespace wheelcheck
