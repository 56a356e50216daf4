// Where possible, the text is derived from compiler macros and from the linked program itself, not from build options.
#include "cli/about.h"

#include <fmt/format.h>
#include <link.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <vector>

#include "base/text.h"
#include "sandbox/sandbox.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {
namespace {

// Reads the dynamic section of the program itself; <link.h> declares _DYNAMIC.
ElfW(Xword) dynamic_value(ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag) return entry->d_un.d_val;
  return 0;
}

// The C library in use: the system's, or a statically linked one.
std::string c_library() {
#ifdef __GLIBC__
  return fmt::format("glibc {}{}", ::gnu_get_libc_version(), dynamic_value(DT_NEEDED) == 0 ? ", linked in" : "");
#else
  return "not glibc";
#endif
}

bool has_relro() {
  const auto look = [](dl_phdr_info* program, std::size_t, void* found) {
    for (unsigned i = 0; i < program->dlpi_phnum; ++i)
      *static_cast<bool*>(found) |= program->dlpi_phdr[i].p_type == PT_GNU_RELRO;
    return 1;  // the first entry is the program; the others are not needed
  };
  bool found = false;
  ::dl_iterate_phdr(look, &found);
  return found;
}

std::string hardening() {
  std::vector<std::string> on;
#ifdef __USE_FORTIFY_LEVEL
  if (__USE_FORTIFY_LEVEL > 0) on.push_back(fmt::format("_FORTIFY_SOURCE={}", __USE_FORTIFY_LEVEL));
#endif
#if defined(__SSP_ALL__)
  on.emplace_back("stack protector (all)");
#elif defined(__SSP_STRONG__)
  on.emplace_back("stack protector (strong)");
#endif
  if (compiler_flags.find("stack-clash") != compiler_flags.npos) on.emplace_back("stack clash protection");
#if defined(__CET__) && __CET__ == 3
  on.emplace_back("CET (IBT and SHSTK)");
#elif defined(__ARM_FEATURE_BTI_DEFAULT)
  on.emplace_back("BTI");
#endif
  if (compiler_flags.find("auto-var-init=zero") != compiler_flags.npos) on.emplace_back("zeroed locals");
#ifdef _GLIBCXX_ASSERTIONS
  on.emplace_back("library assertions");
#endif
  if (dynamic_value(DT_FLAGS_1) & DF_1_PIE) on.emplace_back("PIE");
  const bool now = (dynamic_value(DT_FLAGS_1) & DF_1_NOW) != 0 || (dynamic_value(DT_FLAGS) & DF_BIND_NOW) != 0;
  if (has_relro()) on.emplace_back(now ? "full RELRO" : "RELRO");
  return on.empty() ? "none" : join(on, ", ");
}

std::string sandbox() {
  const sandbox::Offer offer = sandbox::offered();
  const std::string kernel =
      fmt::format("the kernel has {} and {}",
                  offer.landlock > 0 ? fmt::format("Landlock ABI {}", offer.landlock) : std::string("no Landlock"),
                  offer.seccomp ? "seccomp filters" : "no seccomp filters");
  if (!sandbox::unable().empty()) return fmt::format("{}; this program uses neither, {}", kernel, sandbox::unable());
  const bool both = offer.landlock > 0 && offer.seccomp;
  const char* const used = both                 ? "both"
                           : offer.landlock > 0 ? "Landlock alone"
                           : offer.seccomp      ? "seccomp alone"
                                                : "neither";
  return fmt::format("{}; --sandbox auto uses {}, require {}", kernel, used, both ? "as well" : "fails");
}

}  // namespace

std::string about() {
  return fmt::format("wheelcheck {}\nhardening: {}\nsandbox: {}\nlibraries: {}\nC library: {}\n", version(),
                     hardening(), sandbox(), library_versions, c_library());
}

}  // namespace wheelcheck::cli
