// Which GPU libraries a wheel links, contains, names or declares, and which distributions provide each. The device code
// in a file is a fact of the file (ElfFacts::device) and not examined here.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/internal.h"
#include "base/text.h"
#include "model/library_name.h"
#include "model/requires_dist.h"

namespace wheelcheck::analysis {

namespace {

// Functions that open a library by a name from the caller. dlvsym and dlsym open nothing.
constexpr std::string_view openers[] = {"dlopen",    "dlmopen",      "__libc_dlopen_mode", "g_module_open",
                                        "lt_dlopen", "lt_dlopenext", "uv_dlopen"};
// Parts of function names by which libraries offer dlopen to others: tsl::internal::LoadDynamicLibrary,
// llvm::sys::DynamicLibrary, onnxruntime's LoadDynamicLibrary, c10's and at::DynamicLibrary.
constexpr std::string_view helpers[] = {"LoadDynamicLibrary", "DynamicLibrary", "LoadLibrary", "DsoLoader", "dlopen"};

bool imports_opener(const DynamicFacts& dynamic) {
  return std::ranges::any_of(dynamic.imports, [](const Import& import) {
    return std::ranges::find(openers, import.name) != std::end(openers);
  });
}

bool imports_helper(const DynamicFacts& dynamic) {
  return std::ranges::any_of(dynamic.imports, [](const Import& import) {
    return std::ranges::any_of(helpers,
                               [&](std::string_view part) { return import.name.find(part) != import.name.npos; });
  });
}

class Collector {
 public:
  Collector(const WheelFacts& wheel, const Knowledge& knowledge) : wheel_(wheel), knowledge_(knowledge) {
    if (!wheel.metadata) return;
    for (const std::string& line : wheel.metadata->requires_dist) {
      Dependency dependency = parse_dependency(line);
      if (dependency.for_linux) required_.insert(std::move(dependency.name));
    }
  }

  std::vector<GpuReference> collect() {
    for (const ElfMember& file : wheel_.elfs) {
      if (!is_host_code(file)) continue;
      bundled(file);
      linked(file);
      named(file);
    }
    for (const PythonFile& file : wheel_.python) python(file);
    declared();
    finish();
    return std::move(result_);
  }

 private:
  std::string_view name_of_member(MemberIndex member) const { return wheel_.members[member.value].path.name(); }

  void add(GpuName name, GpuUse use, std::optional<MemberIndex> member, std::uint32_t line = 0) {
    GpuReference one;
    one.name = std::move(name.text);
    one.stem = name.library->stem;
    one.vendor = name.library->vendor;
    one.component = name.library->component;
    one.use = use;
    one.driver = name.library->driver;
    one.version = std::move(name.version);
    one.major = std::move(name.major);
    one.member = member;
    one.line = line;
    result_.push_back(std::move(one));
  }

  void bundled(const ElfMember& file) {
    auto name = read_gpu_name(name_of_member(file.member), knowledge_.gpu);
    if (!name && file.facts.dynamic && file.facts.dynamic->soname)
      name = read_gpu_name(*file.facts.dynamic->soname, knowledge_.gpu);
    if (name) add(std::move(*name), GpuUse::Bundled, file.member);
  }

  void linked(const ElfMember& file) {
    if (!file.facts.dynamic) return;
    for (const std::string_view needed : file.facts.dynamic->needed)
      if (auto name = read_gpu_name(needed, knowledge_.gpu)) add(std::move(*name), GpuUse::Needed, file.member);
  }

  // The strings of a file include its own name and its DT_NEEDED names, which are not new information.
  void named(const ElfMember& file) {
    std::set<std::string_view> known{name_of_member(file.member)};
    if (file.facts.dynamic) {
      known.insert(file.facts.dynamic->needed.begin(), file.facts.dynamic->needed.end());
      if (file.facts.dynamic->soname) known.insert(*file.facts.dynamic->soname);
    }
    std::optional<GpuUse> use;
    for (const std::string_view text : file.facts.texts.libraries) {
      if (known.contains(text)) continue;
      auto name = read_gpu_name(text, knowledge_.gpu);
      if (!name) continue;
      if (!use) use = can_open(file) ? GpuUse::Dlopen : GpuUse::Named;
      add(std::move(*name), *use, file.member);
    }
  }

  // Whether the file can open a library, by itself or through a library of the wheel that it links. Computed only for
  // files that name a GPU library.
  bool can_open(const ElfMember& file) {
    if (!file.facts.dynamic) return true;  // a static program contains its own dlopen
    const DynamicFacts& dynamic = *file.facts.dynamic;
    if (imports_opener(dynamic)) return true;
    if (!imports_helper(dynamic)) return false;
    if (opens_.empty()) index_openers();
    return std::ranges::any_of(dynamic.needed, [&](std::string_view name) { return opens_.contains(name); });
  }

  void index_openers() {
    opens_.insert("");  // marks the index as built
    for (const ElfMember& file : wheel_.elfs) {
      if (!is_host_code(file) || !file.facts.dynamic || !imports_opener(*file.facts.dynamic)) continue;
      opens_.insert(name_of_member(file.member));
      if (file.facts.dynamic->soname) opens_.insert(*file.facts.dynamic->soname);
    }
  }

  void python(const PythonFile& file) {
    std::set<std::string> called;
    for (const PythonCall& call : file.calls) {
      if (!call.library) continue;
      auto name = call.call == LoadCall::FindLibrary ? read_short_gpu_name(*call.library, knowledge_.gpu)
                                                     : read_gpu_name(*call.library, knowledge_.gpu);
      if (!name) continue;
      called.insert(name->text);
      add(std::move(*name), GpuUse::Python, file.member, call.line);
    }
    for (const PythonName& literal : file.names) {
      auto name = read_gpu_name(literal.text, knowledge_.gpu);
      if (name && !called.contains(name->text)) add(std::move(*name), GpuUse::Named, file.member, literal.line);
    }
  }

  // Names that are built at run time cannot be read from the file. The wheel's dependencies show which libraries they
  // are.
  void declared() {
    std::set<std::string_view> seen;
    for (const GpuReference& one : result_) seen.insert(one.stem);
    std::vector<GpuName> more;
    for (const KnownGpuLibrary& library : knowledge_.gpu) {
      if (seen.contains(library.stem)) continue;
      for (const GpuProvider& provider : library.providers) {
        if (!required_.contains(provider.distribution)) continue;
        const std::string_view version = library.major_in_soname ? provider.major : "*";
        more.push_back({std::string(library.stem).append(".so.").append(version), &library, std::string(version),
                        std::string(provider.major)});
      }
    }
    for (GpuName& name : more) add(std::move(name), GpuUse::Declared, std::nullopt);
  }

  bool is_required(std::string_view distribution) const {
    if (required_.contains(distribution)) return true;
    return std::ranges::any_of(knowledge_.distributions, [&](const KnownDistribution& one) {
      return required_.contains(one.name) &&
             std::ranges::any_of(one.brings, [&](std::string_view p) { return glob_match(p, distribution); });
    });
  }

  // The only major version in the wheel's files and dependencies; "" if they disagree.
  std::string common_major() const {
    std::set<std::string_view> majors;
    for (const GpuReference& one : result_)
      if (one.vendor == "cuda" && !one.major.empty() && one.use != GpuUse::Named) majors.insert(one.major);
    return majors.size() == 1 ? std::string(*majors.begin()) : "";
  }

  void provide(GpuReference& one, const std::string& common) const {
    const KnownGpuLibrary& library = *find_gpu_library(knowledge_.gpu, one.stem);
    const std::string& major = one.major.empty() && one.vendor == "cuda" ? common : one.major;
    const bool known = std::ranges::any_of(library.providers, [&](const GpuProvider& p) { return p.major == major; });
    std::vector<std::string> others;
    for (const GpuProvider& provider : library.providers) {
      if (known && provider.major != major && !provider.major.empty()) continue;
      // If the table does not have the version, it has no provider for it.
      if (!known && !one.major.empty() && !provider.major.empty()) continue;
      std::vector<std::string>& list = is_required(provider.distribution) ? one.provided_by : others;
      if (std::ranges::find(list, provider.distribution) == list.end()) list.emplace_back(provider.distribution);
    }
    one.required = !one.provided_by.empty();
    std::ranges::move(others, std::back_inserter(one.provided_by));
  }

  void finish() {
    const auto key = [](const GpuReference& one) {
      return std::tie(one.stem, one.use, one.member, one.name, one.line);
    };
    const auto same = [](const GpuReference& a, const GpuReference& b) {
      return std::tie(a.stem, a.use, a.member, a.name) == std::tie(b.stem, b.use, b.member, b.name);
    };
    std::ranges::sort(result_, [&](const GpuReference& a, const GpuReference& b) { return key(a) < key(b); });
    const auto rest = std::ranges::unique(result_, same);
    result_.erase(rest.begin(), rest.end());
    const std::string common = common_major();
    for (GpuReference& one : result_) provide(one, common);
  }

  const WheelFacts& wheel_;
  const Knowledge& knowledge_;
  std::set<std::string, std::less<>> required_;  // distributions in Requires-Dist, including those under extras
  std::set<std::string_view> opens_;             // names of the wheel's files that import an opener
  std::vector<GpuReference> result_;
};

}  // namespace

std::vector<GpuReference> gpu(const WheelFacts& wheel, const Knowledge& knowledge) {
  return Collector(wheel, knowledge).collect();
}

namespace {

constexpr std::size_t longest = 512;  // bytes; names of libraries are shorter
constexpr std::size_t hash_length = 8;

// "libcudart-9335f6a2" -> "libcudart": auditwheel repair appends the start of a SHA-256 to the stem; torchvision's own
// repair writes "libnvjpeg.4a0b5c81".
std::string_view stem_without_hash(std::string_view stem) {
  const std::size_t dash = stem.find_last_of("-.");
  if (dash == stem.npos || stem.size() - dash - 1 != hash_length) return stem;
  return std::ranges::all_of(stem.substr(dash + 1), is_lower_hex) ? stem.substr(0, dash) : stem;
}

// The position of ".so" in a file name: at its end, or before a version or a placeholder.
std::size_t find_so(std::string_view name) {
  for (std::size_t at = name.find(".so"); at != name.npos; at = name.find(".so", at + 1)) {
    const std::string_view rest = name.substr(at + 3);
    if (rest.empty() || rest.front() == '.' || rest.front() == '%' || rest.front() == '*') return at;
  }
  return name.npos;
}

// "%slibcuda.so.1": the placeholder is for the directory with its slash.
std::string_view without_placeholder(std::string_view name) {
  return name.starts_with("%slib") || name.starts_with("{}lib") ? name.substr(2) : name;
}

std::string major_of(const KnownGpuLibrary& library, std::string_view version) {
  const std::string_view number = version.substr(0, std::min(version.find_first_not_of("0123456789"), version.size()));
  if (number.empty()) return "";
  if (library.major_in_soname) return std::string(number);
  for (const SonameMajor& known : library.majors)
    if (known.soname == number) return std::string(known.toolkit);
  return "";
}

bool is_version(std::string_view version) {
  return std::ranges::all_of(
      version, [](char c) { return is_alnum(c) || std::string_view("._%*?[]{}-").find(c) != std::string_view::npos; });
}

}  // namespace

std::optional<GpuName> read_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries) {
  if (text.size() > longest) return std::nullopt;
  if (std::ranges::any_of(text, [](char c) { return c <= ' ' || c == 0x7F; })) return std::nullopt;
  std::string_view name = base_name(text);
  name = without_placeholder(name);
  const std::size_t so = find_so(name);
  if (so == name.npos) return std::nullopt;
  const KnownGpuLibrary* library = find_gpu_library(libraries, name.substr(0, so));
  if (library == nullptr) library = find_gpu_library(libraries, stem_without_hash(name.substr(0, so)));
  if (library == nullptr) return std::nullopt;
  std::string_view version = name.substr(so + 3);
  if (version.starts_with('.')) version.remove_prefix(1);
  if (!is_version(version)) return std::nullopt;
  return GpuName{std::string(name), library, std::string(version), major_of(*library, version)};
}

std::optional<GpuName> read_short_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries) {
  if (auto name = read_gpu_name(text, libraries)) return name;
  if (text.size() > longest) return std::nullopt;
  const KnownGpuLibrary* const library = find_gpu_library(libraries, "lib" + std::string(text));
  if (library == nullptr) return std::nullopt;
  return GpuName{std::string(text), library, "", ""};
}

}  // namespace wheelcheck::analysis
