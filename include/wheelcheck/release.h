// A release as a set: all wheels of one version, judged together and against the release before it. Three things are
// visible only there: combinations of Python and platform without a wheel, wheels of one version that contradict each
// other, and growth. For the first, the names of files are enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wheelcheck/diff.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

struct Settings;

// A wheel, as a directory or an index lists it.
struct ReleaseFile {
  std::string file;  // its name
  WheelName name;
  std::uint64_t size = 0;                      // bytes; 0: unknown
  std::optional<std::string> requires_python;  // of METADATA or of the index; nullopt: unknown
  std::string path = {};                       // "" if only its name is known
};

struct ReleaseFinding {
  enum class Topic { Hole, Floor, Version, Metadata, Content, Sdist, Growth };
  Topic topic = Topic::Hole;
  Severity severity = Severity::Error;
  std::string message;               // escaped
  std::string fix;                   // what to type or to do
  std::vector<std::string> wheels;   // names of files: those that are missing or grew, or the two that differ
  std::vector<std::string> members;  // paths in wheels or in the sdist
};
std::string_view name_of(ReleaseFinding::Topic topic);  // "hole"

// Which Pythons have a wheel for which platform.
struct ReleaseGrid {
  std::vector<std::string> pythons;    // "CPython 3.13", "CPython 3.13t", "PyPy 3.11"
  std::vector<std::string> platforms;  // "manylinux x86_64", "win_amd64", "macosx arm64", "any"
  // By platform, then by Python: the lowest version of the C library or of macOS; "yes" where the tag names none, ""
  // where there is no wheel.
  std::vector<std::vector<std::string>> cells;
};

struct ReleaseSize {
  std::string file;
  Both<std::uint64_t> bytes;  // old: 0 if there is none, or if it is unknown
  // What grew, most first, if both were read.
  std::vector<MemberSize> members = {};
  std::vector<SizePart> sections = {}, gpu_code = {};
};

struct ReleaseReport {
  std::string version;  // of wheelcheck
  std::string distribution;
  Both<std::string> release;  // old: "" without --previous
  Both<std::size_t> wheels;
  ReleaseGrid grid;
  std::vector<ReleaseFinding> findings;  // worst first, then by topic
  std::vector<ReleaseSize> sizes;        // in the order of the files
  Report read;                           // what `check` says of the Linux wheels that were read
};

// directory: wheels, or a list of their names: a text with one a line, or the JSON of an index. previous: the same, or
// "". sdist: a .tar.gz, or "". Wheels for other systems are not read. Errors: of check(), Usage, NotFound.
Result<ReleaseReport> judge_release(const std::string& directory, const std::string& previous, const std::string& sdist,
                                    const Settings& settings);

}  // namespace wheelcheck
