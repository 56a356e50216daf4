// Libraries of GPU drivers and toolkits: what a wheel must not link or contain.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/graphics_stack.h"
#include "model/library_name.h"
#include "rules/common.h"
#include "rules/gpu/gpu_common.h"

// WC407: the wheel contains libraries of a GPU toolkit that another wheel provides.
namespace wheelcheck::rules::gpu_lib_vendored {
namespace {

// True if this wheel is the one that provides the library to others.
bool is_its_provider(const WheelView& view, const KnownGpuLibrary& library) {
  const std::string own = own_name(view);
  return own.starts_with("nvidia-") || std::ranges::any_of(library.providers, [&](const GpuProvider& provider) {
           return provider.distribution == own;
         });
}

struct Vendored {
  std::vector<std::string> files, providers, components, excludes, not_allowed;
  std::uint64_t bytes = 0;
};

void add(const WheelView& view, const GpuReference& one, const KnownGpuLibrary& library, Vendored& into) {
  const MemberFacts& member = view.wheel.members[one.member->value];
  into.files.push_back(member.path.text());
  into.components.push_back(one.component);
  into.bytes += member.size;
  // Which of several distributions fits is known only if METADATA requires one of them, which is then the first.
  if (!one.provided_by.empty())
    into.providers.push_back(one.required ? one.provided_by.front() : join(one.provided_by, " or "));
  const std::string_view number = std::string_view(one.version).substr(0, one.version.find('.'));
  into.excludes.push_back("--exclude " +
                          shell_word(fmt::format("{}.so{}{}", one.stem, number.empty() ? "" : ".", number)));
  if (!library.redistributable) into.not_allowed.push_back(one.name);
}

void report(const Emit& emit, std::string_view vendor, Vendored found) {
  const auto components = distinct(std::move(found.components));
  const auto providers = distinct(std::move(found.providers));
  std::vector<Evidence> evidence{
      {"files", list_of(found.files)}, {"components", list_of(components)}, {"bytes", fmt::to_string(found.bytes)}};
  if (!providers.empty()) evidence.push_back({"distributions that contain them", list_of(providers)});
  if (!found.not_allowed.empty())
    evidence.push_back({"not on the licence's list of what may be passed on", list_of(found.not_allowed)});
  const std::string fix =
      providers.empty() ? std::string("nothing has to be changed: no distribution of the public index contains them")
                        : fmt::format("depend on {} and leave the files out: auditwheel repair {} WHEEL",
                                      list_of(providers), fmt::join(distinct(std::move(found.excludes)), " "));
  emit({.place = WholeWheel{},
        .message = fmt::format("contains {} of {}: {}",
                               found.files.size() == 1 ? "1 library" : fmt::format("{} libraries", found.files.size()),
                               vendor_name(vendor), list_of(components, 4)),
        .evidence = std::move(evidence),
        .fix = fix,
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  std::map<std::string, Vendored> by_vendor;
  for (const GpuReference& one : view.analysis.gpu) {
    if (one.use != GpuUse::Bundled || one.driver || !one.member || one.vendor == "opencl") continue;
    const KnownGpuLibrary* const library = find_gpu_library(view.knowledge.gpu, one.stem);
    if (library != nullptr && !is_its_provider(view, *library)) add(view, one, *library, by_vendor[one.vendor]);
  }
  for (auto& [vendor, found] : by_vendor) report(emit, vendor, std::move(found));
}

}  // namespace

extern const Rule rule{
    .code = "WC407",
    .name = "gpu-lib-vendored",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::gpu_lib_vendored

// WC401: DT_NEEDED contains a library of the GPU driver, so the file cannot be loaded on a machine without that driver.
namespace wheelcheck::rules::driver_linked {
namespace {

std::string fix_of(const std::vector<const GpuReference*>& linked) {
  std::vector<std::string> names, flags;
  bool cuda = false;
  for (const GpuReference* one : linked) {
    names.push_back(one->name);
    flags.push_back(link_flag(one->stem));
    cuda = cuda || one->stem == "libcuda";
  }
  names = distinct(std::move(names));
  return fmt::format(
      "leave {} out of the link line and open {} with dlopen when the GPU is used{}; if the package does nothing "
      "without it, declare it: --external {}",
      fmt::join(distinct(flags), " "), fmt::join(names, ", "),
      cuda ? " (cudaGetDriverEntryPoint of the CUDA runtime returns the driver's functions without linking)" : "",
      fmt::join(names, " --external "));
}

void check(const WheelView& view, const Emit& emit) {
  const std::set<ElfIndex> imported = loaded_by_import(view);
  const NeededMap needed = needed_by_name(view);
  for (const auto& [member, references] : references_by_member(view)) {
    const std::optional<ElfIndex> elf = elf_at(view, member);
    if (!elf) continue;
    std::vector<const GpuReference*> linked;
    std::vector<std::string> names;
    for (const GpuReference* one : references) {
      if (one->use != GpuUse::Needed || !is_only_with_the_device(*one)) continue;
      const auto found = needed.find({*elf, one->name});
      if (found == needed.end() || found->second->found != Found::Outside) continue;
      linked.push_back(one);
      names.push_back(one->name);
    }
    if (linked.empty()) continue;
    const bool by_import = imported.contains(*elf);
    const bool driver = linked.front()->driver;
    emit({.place = AtElf{*elf},
          .message = fmt::format("links {}, which only a machine with {}{} has", first_of(names),
                                 driver && linked.front()->vendor == "cuda" ? "the NVIDIA driver"
                                 : driver                                   ? "the GPU's driver"
                                                                            : vendor_name(linked.front()->vendor),
                                 driver ? "" : " installed"),
          .evidence = {{"libraries", list_of(names)},
                       {"loaded", by_import ? "when the package's modules are imported"
                                            : "by no extension module; Python or another library opens it"}},
          .fix = fix_of(linked),
          .severity = by_import ? Severity::Error : Severity::Warning});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC401",
    .name = "driver-linked",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::driver_linked

// WC408: the wheel contains a copy of a library that loads the graphics driver of the machine.
namespace wheelcheck::rules::graphics_bundled {
namespace {

// What replaced libGL.so.1 in libglvnd.
bool is_part_of_opengl(std::string_view soname) {
  return soname == "libGLX.so.0" || soname == "libOpenGL.so.0" || soname == "libGLdispatch.so.0";
}

// The files of the wheel that load the library.
std::vector<std::string> users_of(const WheelView& view, ElfIndex library) {
  std::vector<std::string> users;
  for (std::uint32_t i = 0; i < view.resolution.needed.size(); ++i)
    if (std::ranges::any_of(view.resolution.needed[i],
                            [&](const NeededFound& found) { return found.provider == ElfRef{WheelIndex{0}, library}; }))
      users.emplace_back(path_of(view, ElfIndex{i}));
  return users;
}

bool contains_driver(const WheelFacts& wheel) {
  return std::ranges::any_of(wheel.members,
                             [](const MemberFacts& member) { return is_graphics_driver(member.path.name()); });
}

// Whether the loader, breadth first, comes to the copy of libGLdispatch before it comes to what the libGL.so.1 of the
// system requires. The functions of the system's libGLX.so.0 then bind to the copy, whose constructor runs later, and
// it calls a null pointer (libglvnd 1.6 with a copy of 1.3: jobshop 0.0.0).
bool comes_before_that_of_system(const Resolution& resolution, ElfIndex module, ElfIndex copy) {
  constexpr ElfIndex of_system{std::numeric_limits<std::uint32_t>::max()};
  std::vector<ElfIndex> queue = {module};
  std::set<ElfIndex> seen = {module};
  for (std::size_t at = 0; at < queue.size(); ++at) {
    if (queue[at] == of_system) return seen.contains(copy);
    if (queue[at].value >= resolution.needed.size()) continue;
    for (const NeededFound& found : resolution.needed[queue[at].value]) {
      std::optional<ElfIndex> next;
      if (found.provider && found.provider->wheel.value == 0) next = found.provider->elf;
      if (!found.provider && (found.name == "libGL.so.1" || found.name == "libGLX.so.0")) next = of_system;
      if (next && seen.insert(*next).second) queue.push_back(*next);
    }
  }
  return false;
}

// The first module that crashes because of the copy; "" if there is none.
std::string_view crashing_module(const WheelView& view, ElfIndex copy) {
  std::string_view result;
  const ElfFacts& facts = view.wheel.elfs[copy.value].facts;
  if (facts.dynamic->soname.value_or("") == "libGLdispatch.so.0") return result;  // the only one of the process
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (result.empty() && std::holds_alternative<ExtensionModule>(elf.role) &&
        comes_before_that_of_system(view.resolution, index, copy))
      result = path_of(view, index);
  });
  return result;
}

void check(const WheelView& view, const Emit& emit) {
  struct Copy {
    ElfIndex file;
    std::string_view soname;
    std::vector<std::string> users;
  };
  std::vector<Copy> copies;
  std::set<std::string_view> excluded;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic) return;
    const std::string_view soname = graphics_library(base_name(path_of(view, index)));
    if (soname.empty()) return;
    std::vector<std::string> users = users_of(view, index);
    if (users.empty()) return;
    copies.push_back({index, soname, std::move(users)});
    if (!is_part_of_opengl(soname)) excluded.insert(soname);
  });
  if (copies.empty() || contains_driver(view.wheel)) return;
  // The copy of libGL brought the others along (bgfx-python 2.0.1).
  const bool with_gl = std::ranges::any_of(view.wheel.members, [](const MemberFacts& member) {
    return plain_library_name(member.path.name()).starts_with("libGL.so.1");
  });
  for (const Copy& copy : copies) {
    // Decoders of videos go on in software without the driver.
    const bool for_videos = copy.soname.starts_with("libva") || copy.soname.starts_with("libvdpau");
    const std::string_view crashing =
        copy.soname == "libGLdispatch.so.0" ? crashing_module(view, copy.file) : std::string_view();
    const std::string effect =
        crashing.empty()
            ? "a copy from another system does not find the driver, or does not fit it"
            : fmt::format("the system's libGL.so.1, which {} loads too, binds to the copy, and the import crashes",
                          base_name(crashing));
    emit({.place = AtElf{copy.file},
          .message = fmt::format("is a copy of {}, which belongs to the graphics driver of the machine: {}",
                                 copy.soname, effect),
          .evidence = {{"needed by", list_of(copy.users)}},
          .fix = for_videos ? "build what needs it without VA-API and VDPAU, if videos need no hardware"
                 : is_part_of_opengl(copy.soname) && with_gl ? "auditwheel repair --exclude libGL.so.1 WHEEL"
                 : is_part_of_opengl(copy.soname)
                     ? "link with libGL.so.1 alone, which every manylinux policy allows: CMake does so with "
                       "-DOpenGL_GL_PREFERENCE=LEGACY"
                     : fmt::format("leave it out: auditwheel repair --exclude {} WHEEL; or open it with dlopen where "
                                   "it is used",
                                   fmt::join(excluded, " --exclude ")),
          .severity = for_videos         ? Severity::Note
                      : crashing.empty() ? Severity::Warning
                                         : Severity::Error});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC408",
    .name = "graphics-bundled",
    .severity = Severity::Warning,
    .stops_import = true,
    .check = check,
};

}  // namespace wheelcheck::rules::graphics_bundled

// WC402: the wheel contains a library of the GPU driver.
namespace wheelcheck::rules::driver_bundled {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (own_name(view).starts_with("nvidia-")) return;  // the owner's own wheels
  for (const GpuReference& one : view.analysis.gpu) {
    if (one.use != GpuUse::Bundled || !one.driver || !one.member) continue;
    const std::string& path = view.wheel.members[one.member->value].path.text();
    // A stub has the symbols but no code. It is for the linker, and the loader does not find it unless a search path
    // leads to it.
    const bool stub = ('/' + path).find("/stubs/") != std::string::npos;
    const std::string soname = one.version.empty() ? one.stem + ".so" : one.stem + ".so." + one.version;
    emit({.place = place_of(view, *one.member),
          .message = fmt::format("is {} of the {} driver{}", one.stem, one.vendor == "cuda" ? "NVIDIA" : "GPU's",
                                 stub ? ", a stub for the linker" : ""),
          .evidence = {{"library", one.name}, {"component", one.component}},
          .fix = fmt::format("leave it out: auditwheel repair --exclude {} WHEEL", shell_word(soname)),
          .severity = stub || one.vendor != "cuda" ? Severity::Warning : Severity::Error});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC402",
    .name = "driver-bundled",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::driver_bundled
