// WC851 to WC859: what an index refuses, read from the flaws of the wheel.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

// WC852: ZIP structures that PyPI refuses although all readers agree on them.
namespace wheelcheck::rules::index_archive {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexArchive},
                   [](const WheelFlaw&) { return "pack it again: wheel unpack, then wheel pack on the directory"; });
}

}  // namespace

extern const Rule rule{
    .code = "WC852",
    .name = "index-archive",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_archive

// WC855: classifiers that PyPI does not know or no longer takes.
namespace wheelcheck::rules::index_classifier {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexClassifier}, [](const WheelFlaw&) {
    return "choose a classifier from the list of PyPI, the package trove-classifiers";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC855",
    .name = "index-classifier",
    .severity = Severity::Error,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::index_classifier

// WC856: dependencies on a URL, which PyPI refuses.
namespace wheelcheck::rules::index_dependency {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexDependency}, [](const WheelFlaw&) {
    return "name a release of the project, upload a fork under a name of its own, or leave the URL to a requirements "
           "file";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC856",
    .name = "index-dependency",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_dependency

// WC859: PyPI looks for WHEEL, METADATA and RECORD in the directory that the file name spells.
namespace wheelcheck::rules::index_dist_info {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const WheelFacts& wheel = view.wheel;
  if (view.options.index.empty() || is_unpacked(wheel) || !wheel.dist_info) return;  // WC706: there is none
  const std::string expected = fmt::format("{}-{}.dist-info", wheel.name.distribution, wheel.name.version);
  if (*wheel.dist_info == expected) return;
  emit({.place = AtPath{*wheel.dist_info},
        .message = fmt::format("is spelt differently than the file name: PyPI looks for {}", expected),
        .evidence = {{"file name", wheel.file}},
        .fix = fmt::format("spell file name and directory alike: wheel unpack {}, then wheel pack on the directory",
                           shell_word(wheel.file)),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC859",
    .name = "index-dist-info",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_dist_info

// WC858: an entry_points.txt that PyPI refuses.
namespace wheelcheck::rules::index_entry_points {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexEntryPoints}, [](const WheelFlaw&) {
    return "correct the entry points in pyproject.toml and build the wheel again";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC858",
    .name = "index-entry-points",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_entry_points

// WC851: a file name that PyPI refuses although installers accept it.
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
  if (view.options.index.empty() || is_unpacked(wheel)) return;  // a directory has no file name
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

// WC857: a licence file that METADATA names is not where PyPI looks for it.
namespace wheelcheck::rules::index_licence_file {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexLicence}, [](const WheelFlaw&) {
    return "build with a back end that knows PEP 639 (setuptools 77, hatchling 1.27 or newer)";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC857",
    .name = "index-licence-file",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_licence_file

// WC854: values in METADATA that PyPI refuses.
namespace wheelcheck::rules::index_metadata {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (view.options.index.empty()) return;
  emit_wheel_flaws(view, emit, {WheelArea::IndexMetadata},
                   [](const WheelFlaw&) { return "correct it in pyproject.toml and build the wheel again"; });
}

}  // namespace

extern const Rule rule{
    .code = "WC854",
    .name = "index-metadata",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_metadata

// WC853: PyPI refuses the wheel for its size, or as a decompression bomb.
namespace wheelcheck::rules::index_size {
namespace {

// Warehouse, warehouse/forklift/legacy.py: COMPRESSION_RATIO_THRESHOLD and COMPRESSION_RATIO_MIN_SIZE.
constexpr std::uint64_t highest_ratio = 50, least_inflated = std::uint64_t{64} << 20;

void check(const WheelView& view, const Emit& emit) {
  const std::uint64_t size = view.wheel.size, limit = view.options.max_wheel_bytes;
  if (view.options.index.empty() || is_unpacked(view.wheel)) return;
  if (size > limit)
    emit({.place = WholeWheel{},
          .message = fmt::format("has {} bytes, {} above the limit of {}", size, size_text(size - limit), limit),
          .evidence = {},
          .fix = fmt::format("ask PyPI for a higher limit; where it was granted: --max-wheel-bytes {}", size),
          .severity = {}});
  std::uint64_t inflated = 0;
  for (const MemberFacts& member : view.wheel.members) inflated += member.size;
  if (inflated > least_inflated && inflated / size >= highest_ratio && inflated > size * highest_ratio)
    emit({.place = WholeWheel{},
          .message = fmt::format("{} bytes inflate to {}, more than {} to 1", size, inflated, highest_ratio),
          .evidence = {},
          .fix = "leave out the members that are nearly empty, or create them at run time",
          .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC853",
    .name = "index-size",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::index_size
