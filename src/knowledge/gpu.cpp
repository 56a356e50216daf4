// Reads data/gpu.json: the libraries of GPU drivers and toolkits, and the distributions that provide them.
#include <algorithm>

#include "base/text.h"
#include "knowledge/fields.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

bool is_vendor(std::string_view text) {
  return text == "cuda" || text == "rocm" || text == "cann" || text == "oneapi" || text == "opencl";
}
bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

bool flag(const Field& library, std::string_view key, bool otherwise) {
  const auto field = library.find(key);
  return field ? field->flag() : otherwise;
}

std::span<const SonameMajor> majors_of(const Field& field) {
  std::vector<SonameMajor> result;
  for (const auto& [soname, toolkit] : field.members()) {
    if (!is_number(soname)) toolkit.fail("has a key that is not a number");
    result.push_back({soname, toolkit.text(is_number, "a number, as in \"12\"")});
  }
  return field.keep(std::move(result));
}

std::span<const GpuProvider> providers_of(const Field& field) {
  std::vector<GpuProvider> result;
  for (const Field& provider : field.items()) {
    if (!provider.object({"distribution"}, {"major"})) break;
    GpuProvider& one = result.emplace_back();
    if (const auto major = provider.find("major")) one.major = major->text(is_number, "a number, as in \"12\"");
    one.distribution = provider.find("distribution")->text(is_distribution, distribution_words);
  }
  return field.keep(std::move(result));
}

KnownGpuLibrary library_of(const Field& field) {
  KnownGpuLibrary result;
  if (!field.object({"stem", "vendor", "component"},
                    {"driver", "redistributable", "on_user_machines", "major_in_soname", "majors", "providers"}))
    return result;
  result.stem = field.find("stem")->text(is_plain, plain_words);
  result.vendor = field.find("vendor")->text(is_vendor, "cuda, rocm, oneapi or opencl");
  result.component = field.find("component")->text(is_plain, plain_words);
  result.driver = flag(field, "driver", false);
  result.redistributable = flag(field, "redistributable", true);
  if (result.driver && result.redistributable) field.fail("is part of a driver: \"redistributable\" must be false");
  if (const auto name = field.find("on_user_machines")) result.on_user_machines = name->text(is_plain, plain_words);
  result.major_in_soname = flag(field, "major_in_soname", false);
  if (const auto majors = field.find("majors")) result.majors = majors_of(*majors);
  if (result.major_in_soname && !result.majors.empty())
    field.fail("has both \"majors\" and \"major_in_soname\", which contradict each other; take one out");
  if (const auto providers = field.find("providers")) result.providers = providers_of(*providers);
  return result;
}

}  // namespace

std::vector<KnownGpuLibrary> gpu_of(const Field& table) {
  std::vector<KnownGpuLibrary> result;
  for (const Field& field : table.items("stem")) result.push_back(library_of(field));
  return result;
}

}  // namespace wheelcheck::knowledge
