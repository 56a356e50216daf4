// data/gpu.json: the libraries of GPU drivers and toolkits, and who provides them.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "knowledge/entries.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

constexpr std::string_view vendors[] = {"cuda", "rocm", "oneapi", "opencl"};

bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// What a soname or a provider says of the toolkit's major version.
void majors(Entry& entry, KnownGpuLibrary& library) {
  library.major_in_soname = entry.flag("major_in_soname", false);
  for (auto& [soname, toolkit] : entry.pairs("majors")) {
    if (!is_number(soname) || !is_number(toolkit)) entry.complain("majors", "holds something other than numbers");
    library.majors.push_back({soname, toolkit});
  }
  if (library.major_in_soname && !library.majors.empty())
    entry.complain("majors", "contradicts \"major_in_soname\"; take one out");
  entry.each("providers", [&](Entry& provider) {
    GpuProvider one{.major = provider.optional_text("major"), .distribution = provider.text("distribution")};
    if (!one.major.empty() && !is_number(one.major)) provider.complain("major", "is no number");
    library.providers.push_back(std::move(one));
  });
}

}  // namespace

Result<void> read_gpu(std::string_view text, std::string_view file, Knowledge& into) {
  std::vector<KnownGpuLibrary> read;
  const auto done = read_table(text, file, "gpu", "stem", [&](Entry& entry) {
    KnownGpuLibrary library;
    library.stem = entry.text("stem");
    library.vendor = entry.text("vendor");
    if (std::ranges::find(vendors, library.vendor) == std::end(vendors))
      entry.complain("vendor", "is none of cuda, rocm, oneapi, opencl");
    library.component = entry.text("component");
    library.driver = entry.flag("driver", false);
    library.redistributable = entry.flag("redistributable", true);
    if (library.driver && library.redistributable)
      entry.complain("redistributable", "must be false for a part of a driver");
    library.on_user_machines = entry.optional_text("on_user_machines");
    majors(entry, library);
    read.push_back(std::move(library));
  });
  if (!done) return done;
  for (KnownGpuLibrary& library : read) put(into.gpu, &KnownGpuLibrary::stem, std::move(library));
  return {};
}

}  // namespace wheelcheck::knowledge
