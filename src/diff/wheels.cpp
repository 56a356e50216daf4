// Wheels of one version against each other, against the sdist, and against the release before.
//
// Wheels of one version are built on many machines. What pip and the lock files of uv and Poetry read of one of them
// holds for all: METADATA must be the same. Python code, packages and bundled libraries differ without a reason where
// a job of the build used another source or image. A property of all wheels is compared at once: the wheels are grouped
// by its value, so that a difference is told once, with one wheel of each of two groups.
//
// Code is chosen by the version of Python on purpose, so what only depends on the interpreter is a note. So is a file
// that is different on each of at least three platforms, or in each wheel: the build wrote it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "diff/compare.h"
#include "diff/match.h"
#include "diff/release.h"

namespace wheelcheck::diff {
namespace {

using Topic = ReleaseFinding::Topic;
using Wheels = std::span<const WheelReport* const>;

constexpr std::size_t shown = 4;

// numpy.distutils and Meson write what they found into it.
bool is_written_by_build(std::string_view path) { return base_name(path) == "__config__.py"; }

bool is_dist_info(const WheelFacts& wheel, std::string_view path) {
  return wheel.dist_info && path.starts_with(*wheel.dist_info + "/");
}

// One value for each wheel; "" where it has none.
using Values = std::vector<std::string>;

class Properties {
 public:
  explicit Properties(Wheels wheels) : wheels_(wheels) {
    for (std::size_t i = 0; i < wheels.size(); ++i) read(i, wheels[i]->facts);
    for (auto& [module, values] : modules)  // a wheel for any platform has none on purpose
      for (std::size_t i = 0; i < wheels.size(); ++i)
        if (wheels[i]->facts.elfs.empty()) values[i] = "there";
  }

  std::map<std::string, Values> metadata, files, modules;
  Values top_level, interpreters, platforms;

 private:
  void set(std::map<std::string, Values>& properties, const std::string& name, std::size_t wheel, std::string value) {
    properties.try_emplace(name, wheels_.size()).first->second[wheel] = std::move(value);
  }

  void read(std::size_t at, const WheelFacts& wheel) {
    interpreters.push_back(join(wheel.name.python, ".") + "-" + join(wheel.name.abi, "."));
    std::vector<std::string> tags;
    for (const PlatformTag& tag : wheel.name.platforms)
      tags.push_back(fmt::format("{} {}", name_of(tag.family), name_of(tag.arch)));
    std::ranges::sort(tags);
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    platforms.push_back(join(tags, "."));
    if (wheel.metadata) {
      std::vector<std::string> lines = wheel.metadata->requires_dist;
      std::ranges::sort(lines);
      set(metadata, "Requires-Python", at, wheel.metadata->requires_python);
      set(metadata, "Requires-Dist", at, join(lines, "\n"));
      set(metadata, "the licence", at, join(wheel.metadata->licenses, "\n"));
    }
    std::set<std::string> packages;
    for (const MemberFacts& member : wheel.members) {
      const std::string& path = member.path.text();
      if (is_dist_info(wheel, path)) {
        const std::string_view name = std::string_view(path).substr(wheel.dist_info->size() + 1);
        if (name == "METADATA") set(metadata, "METADATA", at, member.sha256);
        if (name == "entry_points.txt") set(metadata, "entry_points.txt", at, member.sha256);
        continue;
      }
      const std::string first(split(path, '/').front());
      if (!first.ends_with(".libs") && !first.ends_with(".data")) packages.insert(first.substr(0, first.find('.')));
      if (is_python(path) && !is_written_by_build(path))
        set(files, path, at, member.size == 0 ? "empty" : member.sha256);
    }
    for (const ElfMember& elf : wheel.elfs)
      if (const auto* module = std::get_if<ExtensionModule>(&elf.role)) set(modules, module->module, at, "there");
    top_level.push_back(join({packages.begin(), packages.end()}, ", "));
  }

  Wheels wheels_;
};

bool differs(const Values& values) {
  return std::ranges::any_of(values, [&](const std::string& value) { return value != values.front(); });
}

// Whether wheels with the same key have the same value.
bool depends_on(const Values& values, const Values& keys) {
  std::map<std::string_view, std::string_view> value_of;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (value_of.emplace(keys[i], values[i]).first->second != values[i]) return false;
  return true;
}

std::size_t count_different(const Values& values) {
  return std::set<std::string_view>(values.begin(), values.end()).size();
}

// Two wheels that differ: the first one of the largest group of equal ones, and the first one of the smallest.
struct Example {
  std::size_t usual = 0, odd = 0;
  std::size_t usual_count = 0, odd_count = 0;
};
Example example_of(const Values& values) {
  std::map<std::string_view, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < values.size(); ++i) groups[values[i]].push_back(i);
  const auto [least, most] = std::ranges::minmax_element(
      groups, {}, [](const auto& group) { return std::pair(group.second.size(), group.second.front()); });
  return {most->second.front(), least->second.front(), most->second.size(), least->second.size()};
}

// Numbers the groups of equal values, so that properties that divide the wheels in the same way are told together.
std::string partition(const Values& values) {
  std::map<std::string_view, std::size_t> numbers;
  std::string out;
  for (const std::string& value : values)
    out += fmt::format("{}{}.", numbers.emplace(value, numbers.size()).first->second, value.empty() ? "-" : "");
  return out;
}

class Comparison {
 public:
  Comparison(Wheels wheels, const Knowledge& knowledge) : wheels_(wheels), knowledge_(knowledge), all_(wheels) {}

  std::vector<ReleaseFinding> run() {
    add_metadata();
    if (differs(all_.top_level))
      add(Topic::Content, severity_of(all_.top_level), "top-level packages differ", all_.top_level, true);
    add_groups(all_.files, "Python file");
    add_groups(all_.modules, "extension module");
    add_libraries();
    return std::move(out_);
  }

 private:
  const std::string& file(std::size_t wheel) const { return wheels_[wheel]->facts.file; }
  std::string name(std::size_t wheel, std::size_t count) const {
    return escape(file(wheel)) + (count > 1 ? fmt::format(" and {}", count_of(count - 1, "other wheel")) : "");
  }
  Severity severity_of(const Values& values) const {
    const std::size_t different = count_different(values);
    const bool written = different == wheels_.size() || (different > 2 && depends_on(values, all_.platforms) &&
                                                         different == count_different(all_.platforms));
    const bool has_all = std::ranges::none_of(values, [](const auto& value) { return value.empty(); });
    return depends_on(values, all_.interpreters) || (written && has_all && wheels_.size() > 2) ? Severity::Note
                                                                                               : Severity::Warning;
  }
  static std::string fix_of(Severity severity) {
    return severity == Severity::Note ? "nothing, if the build writes or chooses it"
                                      : "build all wheels from the same source with the same settings";
  }

  void add(Topic topic, Severity severity, const std::string& message, const Values& values, bool with_values,
           std::vector<std::string> members = {}) {
    const Example one = example_of(values);
    const auto side = [&](std::size_t wheel, std::size_t count) {
      const std::string value = values[wheel].empty() ? "none" : escape(on_one_line(values[wheel]));
      return (with_values ? value + " in " : "") + name(wheel, count);
    };
    out_.push_back({topic,
                    severity,
                    fmt::format("{}: {}; {}", message, side(one.usual, one.usual_count), side(one.odd, one.odd_count)),
                    fix_of(severity),
                    {file(one.usual), file(one.odd)},
                    std::move(members)});
  }
  static std::string on_one_line(std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos;) text.replace(at, 1, ", ");
    return text;
  }

  void add_metadata() {
    bool told = false;
    for (const auto& [what, values] : all_.metadata) {
      if (what == "METADATA" || !differs(values)) continue;
      told = true;
      const bool resolved = what.starts_with("Requires");  // by pip and in lock files
      if (what == "Requires-Dist")
        add_requirements(values);
      else
        add(Topic::Metadata, resolved ? Severity::Error : Severity::Warning, what + " differs", values,
            what != "entry_points.txt");
    }
    const auto whole = all_.metadata.find("METADATA");
    if (!told && whole != all_.metadata.end() && differs(whole->second))
      add(Topic::Metadata, severity_of(whole->second), "METADATA differs", whole->second, false);
  }

  // The lines that differ, as `diff` compares them.
  void add_requirements(const Values& values) {
    const Example one = example_of(values);
    const Releases both{.old = *wheels_[one.usual], .now = *wheels_[one.odd], .knowledge = knowledge_};
    std::vector<std::string> lines;
    for (const Both<std::string>& line : compare_metadata(both).dependencies)
      lines.push_back(fmt::format("{} / {}", line.old.empty() ? "none" : escape(line.old),
                                  line.now.empty() ? "none" : escape(line.now)));
    if (lines.empty()) return;
    add(Topic::Metadata, Severity::Error, fmt::format("Requires-Dist differs ({})", list_of(lines, shown)), values,
        false);
    out_.back().fix = "write the conditions as markers, in all wheels the same: uv and Poetry read one of them";
  }

  void add_groups(const std::map<std::string, Values>& properties, std::string_view what) {
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& [name, values] : properties)
      if (differs(values)) groups[partition(values)].push_back(name);
    for (auto& [key, names] : groups) {
      Values values = properties.at(names.front());
      const bool absent = contains(values, std::string());
      const Severity severity = severity_of(values);
      if (absent)
        for (std::string& value : values) value = value.empty() ? "missing" : "there";
      const std::string text = fmt::format("{}: {}", count_of(names.size(), what), list_of(names, shown));
      add(Topic::Content, severity, text, values, absent, std::move(names));
    }
  }

  // Of manylinux and of musllinux wheels each: their images have different compilers and libraries.
  void add_libraries() {
    std::map<std::pair<std::string, std::string>, Values> versions;
    std::vector<Libraries> inside;
    for (const WheelReport* const wheel : wheels_) inside.push_back(libraries_of(*wheel));
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      for (const auto& [id, library] : inside[i])
        if (!library.versions.empty())
          versions.try_emplace({id, all_.platforms[i].substr(0, all_.platforms[i].find(' '))}, wheels_.size())
              .first->second[i] = join({library.versions.begin(), library.versions.end()}, ", ");
    for (const auto& [key, values] : versions) {
      Values known;
      std::vector<const WheelReport*> having;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].empty()) continue;
        known.push_back(values[i]);
        having.push_back(wheels_[i]);
      }
      if (!differs(known)) continue;
      const Example one = example_of(known);
      const auto place = [&](std::size_t at) { return inside[index_of(having[at])].at(key.first); };
      out_.push_back({Topic::Content,
                      Severity::Warning,
                      fmt::format("versions of {} differ: {} in {}, {} in {}", escape(place(one.usual).name),
                                  escape(known[one.usual]), name(index_of(having[one.usual]), one.usual_count),
                                  escape(known[one.odd]), name(index_of(having[one.odd]), one.odd_count)),
                      "build all wheels with the same version of the library",
                      {having[one.usual]->facts.file, having[one.odd]->facts.file},
                      {*place(one.usual).files.begin(), *place(one.odd).files.begin()}});
    }
  }
  std::size_t index_of(const WheelReport* wheel) const {
    return static_cast<std::size_t>(std::ranges::find(wheels_, wheel) - wheels_.begin());
  }

  Wheels wheels_;
  const Knowledge& knowledge_;
  Properties all_;
  std::vector<ReleaseFinding> out_;
};

// --- sdist --------------------------------------------------------------------------------------------------------

// Files that a build reads, and files for developers. What is left beside modules is data that they read.
bool is_source(std::string_view path) {
  constexpr std::string_view endings[] = {
      ".py",      ".pyx",  ".pxd",   ".pxi", ".c",    ".cc",   ".cpp",    ".cxx",  ".h",     ".hh",    ".hpp",  ".hxx",
      ".inc",     ".inl",  ".S",     ".s",   ".asm",  ".f",    ".f90",    ".pyf",  ".cu",    ".cuh",   ".rs",   ".go",
      ".m",       ".mm",   ".in",    ".src", ".tmpl", ".tp",   ".def",    ".map",  ".build", ".cmake", ".am",   ".ac",
      ".toml",    ".lock", ".cfg",   ".ini", ".md",   ".rst",  ".patch",  ".diff", ".sh",    ".bat",   ".orig", ".pyc",
      ".options", ".ld",   ".proto", ".ipp", ".tcc",  ".hash", ".pyi.in", ".d",    ".o",     ".so",    ".a"};
  constexpr std::string_view names[] = {"Makefile", "CMakeLists.txt", "LICENSE",   "LICENSE.txt",
                                        "README",   "README.txt",     "COPYING",   "NOTICE",
                                        "PKG-INFO", "BUILD",          "SConscript"};
  const std::string_view name = base_name(path);
  return name.starts_with('.') || std::ranges::find(names, name) != std::end(names) ||
         std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// The directory of the sdist in which the packages are: "" or "src/". Most modules of the wheels are below it.
std::string package_root(std::span<const std::string> files, const std::set<std::string, std::less<>>& wheel) {
  std::map<std::string, std::size_t> votes;
  for (const std::string& file : files) {
    if (!file.ends_with(".py")) continue;
    for (std::size_t at = 0;; ++at) {
      if (wheel.contains(std::string_view(file).substr(at))) ++votes[file.substr(0, at)];
      at = file.find('/', at);
      if (at == std::string::npos) break;
    }
  }
  const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  return most == votes.end() ? "" : most->first;
}

}  // namespace

std::vector<ReleaseFinding> compare_wheels(Wheels wheels, const Knowledge& knowledge) {
  return wheels.size() < 2 ? std::vector<ReleaseFinding>() : Comparison(wheels, knowledge).run();
}

// Data beside modules that some wheel has. Directories without such a module are left out on purpose.
std::vector<ReleaseFinding> compare_sdist(std::span<const std::string> files, Wheels wheels) {
  std::set<std::string, std::less<>> inside, packages;
  for (const WheelReport* const wheel : wheels) {
    for (const MemberFacts& member : wheel->facts.members) {
      inside.insert(member.path.text());
      if (member.path.text().ends_with(".py")) packages.insert(std::string(member.path.directory()));
    }
  }
  const std::string root = package_root(files, inside);
  std::vector<std::string> types, data;
  for (const std::string& file : files) {
    if (!file.starts_with(root) || is_source(file)) continue;
    std::string path = file.substr(root.size());
    if (path.find('/') != path.npos && packages.contains(directory_name(path)) && !inside.contains(path))
      (is_python(path) ? types : data).push_back(std::move(path));
  }
  std::vector<ReleaseFinding> out;
  const auto add = [&](Severity severity, std::vector<std::string> paths, const char* fix) {
    if (paths.empty()) return;
    std::ranges::sort(paths);
    std::string message = fmt::format("no wheel contains {}, which the sdist has", list_of(paths, shown));
    out.push_back({Topic::Sdist, severity, std::move(message), fix, {}, std::move(paths)});
  };
  add(Severity::Warning, std::move(types), "add them to the package data of the build: type checkers read them");
  add(Severity::Note, std::move(data), "if the package reads them, add them to the package data of the build");
  return out;
}

// --- sizes --------------------------------------------------------------------------------------------------------

std::vector<ReleaseSize> compare_release_sizes(std::span<const ReleaseFile> now, std::span<const ReleaseFile> old,
                                               Wheels read, const Knowledge& knowledge) {
  std::map<std::string_view, const WheelReport*> reports;
  for (const WheelReport* const wheel : read) reports.emplace(wheel->facts.path, wheel);
  std::map<std::string, const ReleaseFile*> before;
  for (const ReleaseFile& file : old) before.emplace(place_of(file.name), &file);
  std::vector<ReleaseSize> out;
  for (const ReleaseFile& file : now) {
    ReleaseSize& size = out.emplace_back(ReleaseSize{.file = file.file, .bytes = {0, file.size}});
    const auto was = before.find(place_of(file.name));
    if (was == before.end()) continue;
    size.bytes.old = was->second->size;
    const auto left = reports.find(was->second->path), right = reports.find(file.path);
    if (size.bytes.now <= size.bytes.old || left == reports.end() || right == reports.end()) continue;
    SizeChanges changes = compare_sizes(releases(*left->second, *right->second, knowledge));
    const auto keep_grown = [](auto& from) {
      std::erase_if(from, [](const auto& one) { return one.bytes.now <= one.bytes.old; });
      return std::move(from);
    };
    size.members = keep_grown(changes.members);
    size.sections = keep_grown(changes.sections);
    size.gpu_code = keep_grown(changes.gpu_code);
  }
  return out;
}

// Wheels that grew by a quarter and by 1 MB at least, as one finding: usually all grow for one reason.
std::vector<ReleaseFinding> find_growth(std::span<const ReleaseSize> sizes) {
  constexpr std::uint64_t least = 1'000'000, fraction = 4;
  std::vector<const ReleaseSize*> grown;
  for (const ReleaseSize& size : sizes) {
    const auto [old, now] = size.bytes;
    if (old > 0 && now > old && now - old >= least && now - old >= old / fraction) grown.push_back(&size);
  }
  if (grown.empty()) return {};
  const auto difference = [](const ReleaseSize* size) { return size->bytes.now - size->bytes.old; };
  std::ranges::stable_sort(grown, std::greater{}, difference);
  const ReleaseSize& most = *grown.front();
  ReleaseFinding out{
      .topic = Topic::Growth, .severity = Severity::Warning, .message = {}, .fix = {}, .wheels = {}, .members = {}};
  out.message = fmt::format("{} by a quarter or more, {} most: from {} to {}",
                            count_of(grown.size(), "wheel grew", "wheels grew"), escape(most.file),
                            size_text(most.bytes.old), size_text(most.bytes.now));
  const auto tell = [&](const char* what, const auto& grown_parts, const auto& name_of) {
    std::vector<std::string> parts;
    for (const auto& part : grown_parts)
      if (const std::string name = escape(name_of(part)); !name.empty())
        parts.push_back(fmt::format("{} (+{})", name, size_text(part.bytes.now - part.bytes.old)));
    if (!parts.empty()) out.message += fmt::format("; {}{}", what, list_of(parts, shown));
  };
  for (const MemberSize& member : most.members) out.members.push_back(member.path.now);
  tell("", most.members, [](const MemberSize& member) { return member.path.now; });
  tell("sections: ", most.sections, [](const SizePart& part) { return part.name; });
  tell("GPU code: ", most.gpu_code, [](const SizePart& part) { return part.name; });
  out.fix = "compare them: `wheelcheck diff OLD NEW`";
  for (const ReleaseSize* const size : grown) out.wheels.push_back(size->file);
  return {out};
}

}  // namespace wheelcheck::diff
