// WC851: a file name that PyPI refuses although installers accept it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

namespace wheelcheck::rules::index_file_name {
namespace {

// PyPI writes METADATA beside the wheel, to the name with this suffix, and most file systems take 255 bytes.
constexpr std::string_view metadata_suffix = ".metadata";
constexpr std::size_t longest_name = 255;

// Lower case, with each run of '-', '_' and '.' as one '_' (binary distribution format, "Escaping and Unicode").
std::string escaped_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator)
      out += to_lower(c);
    else if (!out.ends_with('_'))
      out += '_';
  }
  return out;
}

void check(const WheelView& view, const Emit& emit) {
  const WheelFacts& wheel = view.wheel;
  if (view.options.index.empty() || wheel.size == 0) return;  // a directory has no file name
  const auto report = [&](std::string message, std::string fix) {
    emit({.place = WholeWheel{},
          .message = std::move(message),
          .evidence = {{"file name", wheel.file}},
          .fix = std::move(fix),
          .severity = {}});
  };
  // WC706 reports a name that is not that of METADATA at all.
  if (const std::string expected = escaped_name(wheel.name.distribution); wheel.name.distribution != expected)
    report(fmt::format("has a file name that PyPI accepts only if the project is spelt {}", expected),
           "build with a back end that normalizes names (setuptools 69.3, hatchling, flit, poetry 1.8 or newer)");
  if (!wheel.name.variant.empty())
    report(fmt::format("has the variant label {}, which PyPI does not accept", wheel.name.variant),
           "upload the wheel without a label; PEP 825 is a draft");
  if (wheel.file.size() + metadata_suffix.size() > longest_name)
    report(fmt::format("has a file name of {} bytes, but PyPI accepts at most {}", wheel.file.size(),
                       longest_name - metadata_suffix.size()),
           "drop platform tags or the build tag");
}

}  // namespace

extern const Rule rule{
    .code = "WC851",
    .name = "index-file-name",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_file_name
