// The steps of a load, from ld.so's log and from trace.
#include <sstream>

#include "tests/loader_oracle/world.h"

namespace wheelcheck::oracle {
namespace {

namespace fs = std::filesystem;

// The text between the two texts; empty if either is missing.
std::string_view between(std::string_view line, std::string_view before, std::string_view after) {
  const std::size_t from = line.find(before);
  if (from == line.npos) return {};
  const std::string_view rest = line.substr(from + before.size());
  const std::size_t end = rest.find(after);
  return end == rest.npos ? std::string_view() : rest.substr(0, end);
}

}  // namespace

std::string World::below_site(std::string_view path) const {
  return fs::path(path).lexically_normal().lexically_relative(site_).string();
}

// glibc elf/dl-load.c: "file=NAME [0];  needed by USER [0]" is printed only for files that are not loaded yet. The
// search paths and the files that are tried follow; the last one is the result.
std::vector<std::string> World::real_steps(const std::string& root) const {
  std::istringstream lines(
      run({ORACLE_OPEN, at(root).string()}, top_ / "stubs" / "output", {"LD_DEBUG=libs,files", "LD_BIND_NOW=1"}));
  std::vector<std::string> out;
  std::string source;
  bool open = false;
  for (std::string line; std::getline(lines, line);) {
    if (const auto user = between(line, "needed by ", " ["); !user.empty()) {
      const std::string_view name = between(line, "file=", " [");
      const bool is_path = name.find('/') != name.npos;  // not searched, and not logged
      open = user.starts_with(site_.string()) && !is_path;
      if (open) out.push_back(below_site(user) + " needs " + std::string(name) + ": nothing");
    } else if (open && line.find("search path=") != line.npos) {
      const std::string_view kind = between(line, "\t\t(", " from file ");
      source = std::string(kind) + " of " + below_site(between(line, " from file ", ")"));
    } else if (const std::size_t tried = line.find("trying file="); open && tried != line.npos) {
      const std::string place = line.substr(tried + 12);
      if (!fs::exists(place) || !place.starts_with(site_.string())) continue;
      std::string& step = out.back();
      step = step.substr(0, step.rfind(": ") + 2) + below_site(place) + ", " + source;
      open = false;
    }
  }
  return out;
}

// Calls f(need, path_of) for each step of the load of `root`.
void World::each_need(const std::string& root, auto f) const {
  const WheelFacts facts = wheel(root);
  const auto path_of = [&](ElfRef ref) { return facts.members[facts.elfs[ref.elf.value].member.value].path.text(); };
  for (std::uint32_t i = 0; i < facts.elfs.size(); ++i) {
    if (path_of({WheelIndex{0}, ElfIndex{i}}) != root) continue;
    const ElfIndex roots[] = {ElfIndex{i}};
    const std::vector<Load> loads = trace(facts, {}, {}, roots);
    for (const Load::Need& need : loads.front().needs) f(need, path_of);
  }
}

std::vector<std::string> World::predicted_steps(const std::string& root) const {
  std::vector<std::string> out;
  each_need(root, [&](const Load::Need& need, const auto& path_of) {
    const NeededFound& found = need.found;
    if (found.how == How::AlreadyLoaded || found.name.find('/') != found.name.npos) return;
    const std::string step = path_of(need.user) + " needs " + std::string(found.name) + ": ";
    const char* const kind = found.how == How::Rpath ? "RPATH" : "RUNPATH";
    out.push_back(step + (found.provider ? path_of(*found.provider) + ", " + kind + " of " + path_of(*found.by)
                                         : std::string("nothing")));
  });
  return out;
}

std::vector<std::string> World::lucky(const std::string& root) const {
  std::vector<std::string> out;
  each_need(root, [&](const Load::Need& need, const auto& path_of) {
    if (!need.own_search) out.push_back(path_of(need.user) + " needs " + std::string(need.found.name));
  });
  return out;
}

}  // namespace wheelcheck::oracle
