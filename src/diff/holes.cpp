// Combinations of Python and platform without a wheel.
//
// Nothing says which wheels a release should have. Two sources are used: the release before, and the other wheels of
// this one. A combination that the release before has and this one lacks is a hole. So is the only gap between the
// oldest and the newest Python of a platform. What begins or ends with a Python is not a hole: projects add
// platforms with new Pythons and drop them with old ones; only a newest Python without one of the most used platforms
// that all other Pythons have is reported. abi3 and py3-none wheels cover every later Python, as for pip.
//
// A wheel for a newer C library than before is a wheel that older systems lost. For one Python alone, between others
// with the lower level, that is a hole too: a second wheel for the older systems was not uploaded (scipy#21424).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "diff/release.h"
#include "model/pep440.h"
#include "model/python_tag.h"

namespace wheelcheck::diff {
namespace {

using Topic = ReleaseFinding::Topic;

// All later Pythons, which abi3 and py3-none wheels cover.
constexpr unsigned later = max_python_minor - 1;

// A build of an interpreter that some wheel names.
struct Python {
  enum class Kind { CPython, FreeThreaded, PyPy, Other };
  Kind kind = Kind::CPython;
  unsigned major = 3, minor = 0;
  std::string tag = {};  // of another interpreter: graalpy312
  auto operator<=>(const Python&) const = default;
};

std::string label(const Python& python) {
  const std::string flag = python.kind == Python::Kind::FreeThreaded ? "t" : "";
  if (python.kind == Python::Kind::Other) return python.tag;
  if (python.minor == later) return "all later Pythons" + flag;
  return fmt::format("{} {}.{}{}", python.kind == Python::Kind::PyPy ? "PyPy" : "CPython", python.major, python.minor,
                     flag);
}
// As in the identifiers of cibuildwheel: cp313t.
std::string short_label(const Python& python) {
  if (python.kind == Python::Kind::Other) return python.tag;
  return fmt::format("{}{}{}{}", python.kind == Python::Kind::PyPy ? "pp" : "cp", python.major, python.minor,
                     python.kind == Python::Kind::FreeThreaded ? "t" : "");
}
bool is_ordinary(const Python& python) { return python.kind == Python::Kind::CPython && python.minor != later; }

std::vector<Python> pythons_of(const WheelName& name) {
  std::vector<Python> out;
  const bool abi3 = has_abi(name, "abi3"), none = has_abi(name, "none");
  const bool free_threaded = std::ranges::any_of(name.abi, is_free_threaded);
  const bool gil = abi3 || none || !std::ranges::all_of(name.abi, is_free_threaded);
  for (const std::string& text : name.python) {
    const auto tag = parse_python_tag(text);
    if (!tag || !tag->version.flags.empty()) {
      out.push_back({.kind = Python::Kind::Other, .tag = text});
      continue;
    }
    const bool pypy = tag->implementation == Implementation::PyPy;
    const unsigned major = tag->version.major;
    if (tag->implementation != Implementation::Any && tag->version.minor) {
      if (pypy || gil) out.push_back({pypy ? Python::Kind::PyPy : Python::Kind::CPython, major, *tag->version.minor});
      if (free_threaded) out.push_back({Python::Kind::FreeThreaded, major, *tag->version.minor});
    }
    const bool counts_up = tag->implementation == Implementation::Any ? none : abi3;
    if (major == 3 && counts_up) out.push_back({Python::Kind::CPython, 3, later});
    if (major == 3 && has_abi(name, "abi3t")) out.push_back({Python::Kind::FreeThreaded, 3, later});
  }
  return out;
}

struct Platform {
  std::string name;  // "manylinux x86_64", "macosx arm64", "win_amd64", "any"
  Version floor;     // of the C library, or of macOS; 0: the tag has none
};

// macosx_10_9_x86_64, pyodide_2024_0_wasm32: a system, its version, the machine. A universal2 wheel is for both
// machines of macOS; the first macOS for arm64 is 11.0.
std::vector<Platform> other_platforms(const PlatformTag& tag) {
  std::vector<std::string_view> parts = split(tag.text, '_');
  const auto is_number = [](std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); };
  Version floor;
  std::size_t at = 1;
  for (; at < parts.size() && at < 3 && is_number(parts[at]); ++at) {
    std::uint64_t number = 0;
    if (parse_number(parts[at], number)) floor.parts[at - 1] = static_cast<std::uint32_t>(number);
  }
  if (at == 1 || at == parts.size()) return {{tag.text, {}}};
  const std::string machine = join({parts.begin() + static_cast<std::ptrdiff_t>(at), parts.end()}, "_");
  const std::string system = std::string(parts.front()) + " ";
  if (machine == "universal2")
    return {{system + "x86_64", floor}, {system + "arm64", std::max(floor, Version{{11, 0}})}};
  return {{system + (machine == "intel" ? "x86_64" : machine), floor}};
}

std::vector<Platform> platforms_of(const WheelName& name) {
  std::vector<Platform> out;
  for (const PlatformTag& tag : name.platforms) {
    if (tag.family == PlatformTag::Family::Other) {
      std::ranges::move(other_platforms(tag), std::back_inserter(out));
      continue;
    }
    std::string text(name_of(tag.family));
    if (tag.family != PlatformTag::Family::Any)
      text += ' ' + (tag.isa.empty() ? std::string(name_of(tag.arch)) : tag.isa);
    out.push_back({std::move(text), tag.libc});
  }
  if (!name.variant.empty())
    for (Platform& platform : out) platform.name += " " + name.variant;
  return out;
}

// Each Pyodide and Emscripten is for one Python, so a platform of theirs has no row of Pythons.
bool has_row(const std::string& platform) {
  return platform != "any" && !platform.starts_with("pyodide") && platform.find("emscripten") == platform.npos &&
         platform.find("wasm") == platform.npos;
}
bool is_linux(const std::string& platform) { return platform.find("linux ") != platform.npos; }
bool is_common(const std::string& platform) {
  return is_linux(platform) || platform.starts_with("win") || platform.starts_with("macosx");
}

bool covers(const WheelName& name, const InterpreterTags& tags, const Python& python) {
  using Kind = Python::Kind;
  if (python.kind == Kind::Other) return contains(name.python, python.tag);
  return tags.install_on({.implementation = python.kind == Kind::PyPy ? Implementation::PyPy : Implementation::CPython,
                          .major = python.major,
                          .minor = python.minor,
                          .free_threaded = python.kind == Kind::FreeThreaded});
}

// The lowest floor of a wheel for each combination that has one.
using Cell = std::pair<Python, std::string>;
struct Grid {
  std::set<Python> pythons;
  std::set<std::string> platforms;
  std::map<Cell, Version> floors;

  std::optional<Version> floor(const Python& python, const std::string& platform) const {
    const auto at = floors.find({python, platform});
    return at == floors.end() ? std::nullopt : std::optional(at->second);
  }
  bool has(const Python& python) const {
    return std::ranges::any_of(platforms, [&](const auto& platform) { return floors.contains({python, platform}); });
  }
};

std::set<Python> all_pythons(std::span<const ReleaseFile> files) {
  std::set<Python> out;
  for (const ReleaseFile& file : files)
    for (Python& python : pythons_of(file.name)) {
      // Its ordinary build, which an abi3 wheel may be for.
      if (python.kind == Python::Kind::FreeThreaded) out.insert({Python::Kind::CPython, python.major, python.minor});
      out.insert(std::move(python));
    }
  return out;
}

Grid read_grid(std::span<const ReleaseFile> files, const std::set<Python>& pythons) {
  Grid grid{.pythons = pythons, .platforms = {}, .floors = {}};
  for (const ReleaseFile& file : files) {
    const InterpreterTags tags(file.name);
    for (const Platform& platform : platforms_of(file.name)) {
      grid.platforms.insert(platform.name);
      for (const Python& python : pythons) {
        if (!covers(file.name, tags, python)) continue;
        const auto [at, added] = grid.floors.emplace(Cell{python, platform.name}, platform.floor);
        if (!added) at->second = std::min(at->second, platform.floor);
      }
    }
  }
  return grid;
}

std::string labels(const std::vector<Python>& pythons) {
  std::vector<std::string> out;
  for (const Python& python : pythons) {
    std::string text = label(python);
    // CPython 3.11, 3.12
    const std::string_view kind = std::string_view(text).substr(0, text.find(' ') + 1);
    if (!out.empty() && kind.size() > 1 && out.front().starts_with(kind)) text.erase(0, kind.size());
    out.push_back(std::move(text));
  }
  return list_of(out, 12);
}

// Whether Requires-Python of the release takes some 3.9.z; nullopt if it is unknown.
std::optional<bool> admits(std::span<const ReleaseFile> files, const Python& python) {
  const auto known =
      std::ranges::find_if(files, [](const ReleaseFile& file) { return file.requires_python.has_value(); });
  if (known == files.end()) return std::nullopt;
  if (trim(*known->requires_python).empty()) return true;
  bool any = false;
  for (const unsigned micro : {0U, 60U}) {
    const auto answer = allows(*known->requires_python, fmt::format("{}.{}.{}", python.major, python.minor, micro));
    if (!answer) return std::nullopt;
    any = any || *answer;
  }
  return any;
}

class Holes {
 public:
  Holes(std::span<const ReleaseFile> now, std::span<const ReleaseFile> old) : files_(now), old_files_(old) {
    std::set<Python> pythons = all_pythons(now);
    pythons.merge(all_pythons(old));
    now_ = read_grid(now, pythons);
    old_ = read_grid(old, pythons);
    before_ = old.empty() ? "" : escape(old.front().name.version);
  }

  std::vector<ReleaseFinding> run() {
    if (!old_files_.empty()) {
      add_dropped_platforms();
      add_dropped_pythons();
      add_missing();
      add_raised();
    }
    add_gaps();
    add_newest();
    add_free_threaded_alone();
    return std::move(out_);
  }

 private:
  bool kept(const std::string& platform) const { return now_.platforms.contains(platform); }
  bool has_pure() const { return now_.platforms.contains("any"); }
  std::string pure_text() const { return has_pure() ? "; pip takes the wheel for any platform" : ""; }

  std::vector<Python> row(const Grid& grid, const std::string& platform) const {
    std::vector<Python> out;
    for (const Python& python : grid.pythons)
      if (is_ordinary(python) && grid.floor(python, platform)) out.push_back(python);
    return out;
  }
  // The wheels of the release before for some of these Pythons on some of these platforms.
  template <class Pythons, class Platforms>
  std::vector<std::string> old_wheels(const Pythons& pythons, const Platforms& platforms) const {
    std::vector<std::string> out;
    for (const ReleaseFile& file : old_files_) {
      const InterpreterTags tags(file.name);
      const auto fits = [&](const Platform& one) { return contains(platforms, one.name); };
      if (std::ranges::any_of(platforms_of(file.name), fits) &&
          std::ranges::any_of(pythons, [&](const Python& python) { return covers(file.name, tags, python); }))
        out.push_back(file.file);
    }
    return out;
  }
  // `cibuildwheel --only cp312-musllinux_aarch64`
  static std::string build_command(const Python& python, const std::string& platform) {
    if (python.minor == later || python.kind == Python::Kind::Other || !is_common(platform))
      return "build and upload the wheel, or say in the release notes that there is none";
    std::string identifier = short_label(python) + "-" + platform;
    std::ranges::replace(identifier, ' ', '_');
    return fmt::format("build and upload it: `cibuildwheel --only {}`", identifier);
  }
  void add(Topic topic, Severity severity, std::string message, std::string fix,
           const std::vector<std::string>& wheels = {}) {
    out_.push_back({topic, severity, std::move(message), std::move(fix), wheels, {}});
  }

  void add_dropped_platforms() {
    for (const std::string& platform : old_.platforms) {
      if (now_.platforms.contains(platform)) continue;
      for (const Python& python : old_.pythons) told_.insert({python, platform});
      std::vector<std::string> wheels = old_wheels(old_.pythons, std::array{platform});
      const bool hurts = !has_pure() && (is_common(platform) || platform == "any");
      add(Topic::Hole, hurts ? Severity::Error : Severity::Warning,
          fmt::format("no wheel for {}; {} has {}{}", platform == "any" ? "other platforms (any)" : platform, before_,
                      count_of(wheels.size(), "wheel"), pure_text()),
          "build and upload them, or say in the release notes that the platform is dropped: pip builds the sdist there",
          wheels);
    }
  }

  void add_dropped_pythons() {
    for (const Python& python : old_.pythons) {
      if (!old_.has(python) || now_.has(python)) continue;
      for (const std::string& platform : old_.platforms) told_.insert({python, platform});
      const auto admitted = python.kind == Python::Kind::Other ? std::nullopt : admits(files_, python);
      if (admitted && !*admitted) continue;
      const auto is_kept = [&](const Python& other) { return other.kind == python.kind && now_.has(other); };
      const bool older =
          std::ranges::any_of(now_.pythons, [&](const Python& one) { return one < python && is_kept(one); });
      const bool newer =
          std::ranges::any_of(now_.pythons, [&](const Python& one) { return python < one && is_kept(one); });
      const bool ordinary = python.kind == Python::Kind::CPython;
      // Nothing in the metadata can say that a build of an interpreter is dropped. A later one takes its place.
      const Severity severity = ordinary && admitted ? Severity::Error
                                : ordinary || !newer ? Severity::Warning
                                                     : Severity::Note;
      std::vector<std::string> wheels = old_wheels(std::array{python}, old_.platforms);
      add(Topic::Hole, severity,
          fmt::format("no wheel for {}; {} has {}{}", label(python), before_, count_of(wheels.size(), "wheel"),
                      !ordinary  ? ""
                      : admitted ? ", and Requires-Python admits it"
                                 : ", and Requires-Python is not known"),
          ordinary && !older && newer
              ? fmt::format(
                    "build and upload them, or exclude it in Requires-Python (\"!={}.{}.*\"): pip then installs "
                    "an earlier release instead of building the sdist",
                    python.major, python.minor)
              : "build and upload them, or say in the release notes that it is dropped",
          wheels);
    }
  }

  // Missing combinations, those of Pythons with the same platforms together.
  void add_missing() {
    std::map<Python, std::vector<std::string>> missing;
    for (const auto& [cell, floor] : old_.floors)
      if (!now_.floors.contains(cell) && has_row(cell.second) && told_.insert(cell).second)
        missing[cell.first].push_back(cell.second);
    std::map<std::pair<Severity, std::vector<std::string>>, std::vector<Python>> groups;
    for (auto& [python, platforms] : missing) {
      const bool milder = python.kind == Python::Kind::PyPy || python.kind == Python::Kind::Other || has_pure();
      groups[{milder ? Severity::Warning : Severity::Error, std::move(platforms)}].push_back(python);
    }
    for (const auto& [key, pythons] : groups) {
      const auto& [severity, platforms] = key;
      std::vector<std::string> wheels = old_wheels(pythons, platforms);
      const bool alone = std::ranges::all_of(pythons, [&](const Python& python) {
        return std::ranges::all_of(platforms,
                                   [&](const auto& platform) { return has_free_threaded(python, platform); });
      });
      add(Topic::Hole, severity,
          fmt::format("no wheel for {} on {}; {} has {}{}{}", labels(pythons), list_of(platforms, 12), before_,
                      wheels.size() == 1 ? "one" : "them", alone ? "; its free-threaded wheel is there" : "",
                      pure_text()),
          build_command(pythons.front(), platforms.front()), wheels);
    }
  }

  bool has_free_threaded(Python python, const std::string& platform) const {
    if (!is_ordinary(python)) return false;
    python.kind = Python::Kind::FreeThreaded;
    return now_.floor(python, platform).has_value();
  }

  // The lowest floor of older and of newer Pythons of the platform are both below that one.
  bool is_between_lower(const Python& python, const std::string& platform, const Version& floor) const {
    bool older = false, newer = false;
    for (const Python& other : row(now_, platform)) {
      if (*now_.floor(other, platform) >= floor) continue;
      (other < python ? older : newer) = true;
    }
    return older && newer;
  }

  void add_raised() {
    std::map<std::tuple<std::string, Version, Version, bool>, std::vector<Python>> groups;
    for (const auto& [cell, was] : old_.floors) {
      const auto is = now_.floor(cell.first, cell.second);
      if (!is || *is <= was || !has_row(cell.second)) continue;
      const bool hole = is_ordinary(cell.first) && is_between_lower(cell.first, cell.second, *is);
      groups[{cell.second, was, *is, hole}].push_back(cell.first);
      told_.insert(cell);
    }
    for (const auto& [key, pythons] : groups) {
      const auto& [platform, was, is, hole] = key;
      const std::string_view library = platform.starts_with("many")   ? "glibc "
                                       : platform.starts_with("musl") ? "musl "
                                                                      : "";
      add(hole ? Topic::Hole : Topic::Floor,
          hole                 ? Severity::Error
          : is_linux(platform) ? Severity::Warning
                               : Severity::Note,
          fmt::format("{} of {}: {}{}, in {} {}{}", platform, labels(pythons), library, to_string(is), before_,
                      to_string(was), hole ? "; the wheels of older and newer Pythons require less" : ""),
          hole ? build_command(pythons.front(), platform)
               : "build on the older level, or say in the release notes which systems are dropped",
          hole ? old_wheels(pythons, std::array{platform}) : std::vector<std::string>());
    }
  }

  // The only gap of a platform, between Pythons that have a wheel. What the release before had or lacked is known.
  void add_gaps() {
    for (const std::string& platform : now_.platforms) {
      if (!has_row(platform) || old_.platforms.contains(platform)) continue;
      const std::vector<Python> row_ = row(now_, platform);
      if (row_.size() < 2) continue;
      std::vector<Python> gaps;
      for (const Python& python : now_.pythons) {
        if (!is_ordinary(python) || python < row_.front() || row_.back() < python) continue;
        const auto floor = now_.floor(python, platform);
        if (!floor || is_between_lower(python, platform, *floor)) gaps.push_back(python);
      }
      if (gaps.size() != 1 || !told_.insert({gaps.front(), platform}).second) continue;
      const auto floor = now_.floor(gaps.front(), platform);
      add(Topic::Hole, has_pure() ? Severity::Warning : Severity::Error,
          floor ? fmt::format("{} of {}: {}; the wheels of older and newer Pythons require less", platform,
                              label(gaps.front()), to_string(*floor))
                : fmt::format("no wheel for {} on {}; older and newer Pythons have one{}", label(gaps.front()),
                              platform, pure_text()),
          build_command(gaps.front(), platform));
    }
  }

  // The newest Python lacks a platform that all others have.
  void add_newest() {
    constexpr std::string_view common[] = {"manylinux x86_64", "manylinux aarch64", "win_amd64", "macosx arm64"};
    std::vector<Python> all;
    for (const Python& python : now_.pythons)
      if (is_ordinary(python) && now_.has(python)) all.push_back(python);
    if (all.size() < 3 || old_.has(all.back())) return;
    std::vector<std::string> lacks;
    for (const std::string_view platform : common) {
      const std::string name(platform);
      if (row(now_, name).size() == all.size() - 1 && !now_.floor(all.back(), name) &&
          told_.insert({all.back(), name}).second)
        lacks.push_back(name);
    }
    if (lacks.empty() || has_pure()) return;
    add(Topic::Hole, Severity::Warning,
        fmt::format("no wheel for {} on {}; all other Pythons of this release have one", label(all.back()),
                    list_of(lacks)),
        build_command(all.back(), lacks.front()));
  }

  void add_free_threaded_alone() {
    for (const Python& python : now_.pythons) {
      if (python.kind != Python::Kind::FreeThreaded || python.minor == later) continue;
      const Python ordinary{Python::Kind::CPython, python.major, python.minor};
      std::vector<std::string> platforms;
      for (const std::string& platform : now_.platforms)
        if (has_row(platform) && now_.floor(python, platform) && !now_.floor(ordinary, platform) &&
            told_.insert({ordinary, platform}).second)
          platforms.push_back(platform);
      if (platforms.empty()) continue;
      add(Topic::Hole, has_pure() ? Severity::Warning : Severity::Error,
          fmt::format("no wheel for {} on {}, only for {}", label(ordinary), list_of(platforms, 12), label(python)),
          build_command(ordinary, platforms.front()));
    }
  }

  std::span<const ReleaseFile> files_, old_files_;
  Grid now_, old_;
  std::string before_;
  std::set<Cell> told_;  // combinations that a finding names, and those of dropped Pythons
  std::vector<ReleaseFinding> out_;
};

}  // namespace

ReleaseGrid grid_of(std::span<const ReleaseFile> files) {
  const std::set<Python> pythons = all_pythons(files);
  const Grid grid = read_grid(files, pythons);
  ReleaseGrid out{.pythons = {}, .platforms = {grid.platforms.begin(), grid.platforms.end()}, .cells = {}};
  for (const Python& python : pythons)
    out.pythons.push_back(python.kind == Python::Kind::Other || python.minor == later ? label(python)
                                                                                      : short_label(python));
  for (const std::string& platform : grid.platforms) {
    std::vector<std::string>& cells = out.cells.emplace_back();
    for (const Python& python : pythons) {
      const auto floor = grid.floor(python, platform);
      cells.push_back(!floor ? "" : *floor == Version{} ? "yes" : to_string(*floor));
    }
  }
  return out;
}

std::string place_of(const WheelName& name) {
  std::set<std::string> platforms;
  for (const Platform& platform : platforms_of(name)) platforms.insert(platform.name);
  return fmt::format("{}-{}-{}", join(name.python, "."), join(name.abi, "."),
                     join({platforms.begin(), platforms.end()}, "."));
}

std::vector<ReleaseFinding> find_holes(std::span<const ReleaseFile> now, std::span<const ReleaseFile> old) {
  return Holes(now, old).run();
}

}  // namespace wheelcheck::diff
