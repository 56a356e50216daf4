// Builds the tree of paths once. A search then costs one look-up per directory.
#include "ldso/process_files.h"

#include <algorithm>

#include "base/text.h"

namespace wheelcheck::resolver {
namespace {

using process::ObjectIndex;

// The checks of the ELF header in elf/dl-load.c, open_verify.
std::optional<std::string_view> header_defect(const ElfFacts& facts, const ElfFacts& program) {
  if (facts.little_endian != program.little_endian)
    return program.little_endian ? "ELF file data encoding not little-endian" : "ELF file data encoding not big-endian";
  if (facts.os_abi != 0 && facts.os_abi != 3) return "ELF file OS ABI invalid";
  if (facts.kind == ElfKind::Relocatable || facts.kind == ElfKind::Core || facts.kind == ElfKind::Other)
    return "only ET_DYN and ET_EXEC can be loaded";
  return std::nullopt;
}

}  // namespace

ProcessFiles::ProcessFiles(const process::World& world, ObjectIndex main, std::string_view working_directory,
                           Budget& work)
    : world_(world), main_(main), working_directory_(working_directory), work_(work) {
  if (!working_directory_.ends_with('/')) working_directory_ += '/';
  const auto put = [&](std::string_view path, ObjectIndex file) {
    if (!path.starts_with('/')) return;
    const std::size_t slash = path.rfind('/');
    const std::string_view above = path.substr(0, slash);
    const DirectoryIndex directory = tree_.add(Directories::prefix, above.empty() ? above : above.substr(1));
    tree_.put(directory, names_.add(path.substr(slash + 1)), FileIndex{file.value});
    base_names_.insert(base_name(path));
  };
  for (std::uint32_t i = 0; i < world.files.size(); ++i) {
    const process::File& file = world.files[i];
    if (file.assumed) {
      assumed_.emplace(file.path, ObjectIndex{i});
      continue;
    }
    put(file.path, ObjectIndex{i});
    for (const std::string& alias : file.aliases) put(alias, ObjectIndex{i});
  }
}

const ElfFacts& ProcessFiles::facts(ObjectIndex index) const {
  static const ElfFacts none;
  const ElfFacts* const facts = world_.files[index.value].facts;
  return facts != nullptr ? *facts : none;
}

std::optional<ObjectIndex> ProcessFiles::assumed(std::string_view name) const {
  const auto found = assumed_.find(name);
  return found == assumed_.end() ? std::nullopt : std::optional(found->second);
}

Opened ProcessFiles::open(const std::string& path) const {
  work_.spend(1 + path.size() / 8);
  const std::string full = path.starts_with('/') ? path : working_directory_ + path;
  const std::size_t slash = full.rfind('/');
  const auto name = names_.find(base_name(full));
  const auto directory = name ? tree_.find(std::string_view(full).substr(0, slash)) : std::nullopt;
  const Entry* const entry = directory ? tree_.at(*directory, *name) : nullptr;
  return entry != nullptr ? judge(ObjectIndex{(*entry)->value}, path) : Opened{};
}

Opened ProcessFiles::judge(ObjectIndex index, const std::string& path) const {
  using enum Opened::What;
  const auto refused = [&](std::string_view why) {
    return Opened{.what = Refused, .error = path + ": " + std::string(why)};
  };
  const ElfFacts* const facts = world_.files[index.value].facts;
  const ElfFacts& program = this->facts(main_);
  if (!rules().skips && (facts == nullptr || facts->machine != program.machine || facts->bits != program.bits))
    return refused("Exec format error");
  if (facts == nullptr) return refused(world_.files[index.value].too_short ? "file too short" : "invalid ELF header");
  if (facts->bits != program.bits && program.bits != 0) return {.what = OtherClass, .file = index, .path = path};
  if (const auto why = header_defect(*facts, program)) return refused(*why);
  if (facts->machine != program.machine && program.machine != 0) return {};
  return {.what = File, .file = index, .path = path};
}

std::optional<std::string_view> ProcessFiles::unmappable(ObjectIndex index) const {
  const ElfFacts& facts = this->facts(index);
  if (!rules().runs_only) return facts.dynamic ? std::nullopt : std::optional<std::string_view>("Exec format error");
  const bool pie = facts.dynamic && facts.dynamic->flags.pie;
  if (facts.kind == ElfKind::Executable && !pie) return "cannot dynamically load executable";
  if (facts.debug_only || !facts.dynamic) return "object file has no dynamic section";
  if (pie) return "cannot dynamically load position-independent executable";
  return std::nullopt;
}

Opened ProcessFiles::search(const std::vector<std::string>& directories, std::string_view name) const {
  Opened other;  // used if there is no better result
  if (!base_names_.contains(name)) return other;
  const auto attempt = [&](const std::string& directory) -> std::optional<Opened> {
    Opened tried = open(directory + std::string(name));
    if (tried.what == Opened::What::OtherClass) other = tried;
    if (tried.what == Opened::What::OtherClass || tried.what == Opened::What::Nothing) return std::nullopt;
    return tried;
  };
  for (const std::string& directory : directories) {
    if (work_.is_spent()) break;
    for (const std::string& hwcap : world_.platform.hwcaps)
      if (auto found = attempt(directory + "glibc-hwcaps/" + hwcap + '/')) return *found;
    if (auto found = attempt(directory)) return *found;
  }
  return other;
}

std::string ProcessFiles::expand(std::string_view name, std::string_view origin) const {
  if (name.find('$') == std::string_view::npos) return std::string(name);
  return replace_tokens(name, {origin, world_.platform.lib, world_.platform.platform}, rules().kind).value_or("");
}

// An empty element is the working directory, and a path without a leading '/' is relative to it. Repeated elements are
// removed.
std::vector<std::string> ProcessFiles::directories(const std::vector<std::string_view>& elements,
                                                   std::string_view origin) const {
  std::vector<std::string> out;
  std::set<std::string, std::less<>> seen;
  for (const std::string_view element : elements) {
    if (work_.is_spent()) break;
    std::string path = expand(element, origin);
    work_.spend(1 + path.size());
    if (path.empty() && !element.empty()) continue;
    if (path.empty()) path = "./";
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (!path.ends_with('/')) path += '/';
    if (seen.insert(path).second) out.push_back(std::move(path));
  }
  return out;
}

std::string ProcessFiles::origin(std::string_view path) const {
  const std::string full = path.starts_with('/') ? std::string(path) : working_directory_ + std::string(path);
  const std::size_t slash = full.rfind('/');
  return full.substr(0, slash == 0 ? 1 : slash);
}

}  // namespace wheelcheck::resolver
