// What changed between two releases of a wheel: data for release notes and for CI. Made of copies, so that it outlives
// the facts that it was made from; names are as they stand in the wheels, never escaped.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/finding.h"
#include "wheelcheck/index.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/result.h"
#include "wheelcheck/verdict.h"

namespace wheelcheck {

struct Settings;

// The same thing in both releases.
template <class T>
struct Both {
  T old{}, now{};
  bool changed() const { return old != now; }
};

// --- which file is which ------------------------------------------------------------------------------------------
enum class MatchedBy {
  None,      // only one release has it
  Path,      // the same path
  Release,   // a directory that bears the release's number: foo-1.0.dist-info
  Content,   // the same bytes under another path
  Name,      // the same file but for a repair tool's hash or the interpreter's suffix
  Soname,    // the same library with another number: libfoo.so.1, libfoo.so.2
  Library,   // both are the one file that is that known library
  Directory  // the only ELF file of its name, in another directory, and what moved with it
};
std::string_view name_of(MatchedBy by);  // "path"
struct FilePair {
  std::optional<MemberIndex> old, now;
  MatchedBy by = MatchedBy::None;
};

// --- what users need ----------------------------------------------------------------------------------------------
enum class Course { Same, Raised, Lowered, Added, Removed };
std::string_view name_of(Course course);  // "raised"

// One thing that a level refuses: GLIBC_2.28 for fcntl64 in two files, libtiff.so.6.
struct LevelReason {
  Requirement required;                     // of one of the files
  bool decides = false;                     // it alone would keep the files from the next older level
  std::vector<std::string> symbols, files;  // by name
};
// One C library on one machine.
struct LevelChange {
  std::string policy_levels;  // "manylinux x86_64"
  Both<std::string> fits;     // the tightest tag; "any" without machine code, "" where it is for others
  Both<std::string> claimed;  // the oldest tag that is claimed, "any" among them; "" where none is
  Course fits_course = Course::Same, claimed_course = Course::Same;
  std::vector<LevelReason> reasons;  // raised: what the old tag refuses of the new files; lowered: the other way round
};
// The highest version node of a family that files ask of the platform.
struct FloorChange {
  std::string family;      // GLIBC
  Both<std::string> node;  // GLIBC_2.17; "" where nothing asks
  Course course = Course::Same;
  std::vector<std::string> symbols;  // that ask for the higher of the two
  std::vector<std::string> files;    // as the new release names them
};
struct PlatformChanges {
  Both<std::vector<std::string>> claims;  // platform tags
  Both<TagResult> tag_result;
  std::vector<LevelChange> levels;
  std::vector<FloorChange> wheel_floors;  // over all files of the wheel; files: those with that node
  std::vector<FloorChange> file_floors;   // of files that both have, those with the same change together
  bool raised = false;                    // a level that is claimed or fitted asks more than before, or is gone
};

// --- what is inside -----------------------------------------------------------------------------------------------
struct ElfChange {  // one that came, went, has another name or soname
  Both<std::string> path;
  Both<std::string> soname;  // without a repair tool's hash
  MatchedBy by = MatchedBy::None;
  std::string role;  // "extension module"
};
struct NeededChange {              // DT_NEEDED, without hashes
  Both<std::string> library;       // one of them "" where it came or went; both where its number changed
  std::vector<std::string> files;  // as the new release names them
  bool whole = false;              // no file of the old release needed it, or none of the new one does
};
struct LibraryChange {  // a known library inside, as a file or linked in
  std::string id, name;
  Both<std::vector<std::string>> versions;  // natural order; empty where nothing tells
  Both<std::vector<std::string>> files;     // empty: not inside
};
struct CxxChange {               // what did not change is "none" on both sides
  Both<std::string> string_abi;  // "old", "new", "both", "none"
  Both<std::string> runtime;     // "libstdc++"
  std::vector<std::string> files;
};
struct ContentChanges {
  std::vector<ElfChange> elfs;
  std::vector<NeededChange> needed;
  std::vector<LibraryChange> libraries;
  std::vector<CxxChange> cxx;
  std::vector<std::string> device_added, device_removed;  // targets of GPU code: sm_90, compute_80, gfx942
};

// --- symbols ------------------------------------------------------------------------------------------------------
struct SymbolGroup {
  enum class Kind { Namespace, Library, Python, Platform, C, Rust };
  Kind kind = Kind::C;
  std::string name;  // "absl", "OpenSSL", "libc.so.6"; "" for C++ names outside namespaces, other C names, Rust
  Both<std::size_t> count;
  std::size_t gained = 0, lost = 0;
  std::vector<std::string> gained_names, lost_names;  // the first few
};
std::string_view name_of(SymbolGroup::Kind kind);  // "namespace"
struct SymbolFile {
  std::string file;
  Both<std::size_t> count;
};
// Names over all files of the wheel, each once.
struct SymbolChange {
  Both<std::size_t> count;
  std::size_t gained = 0, lost = 0;
  std::vector<SymbolGroup> groups;  // those that changed, most changes first
  std::vector<SymbolFile> files;    // those with another number, the largest difference first
};

// --- sizes --------------------------------------------------------------------------------------------------------
struct MemberSize {
  Both<std::string> path;     // one "" where it came or went
  Both<std::uint64_t> bytes;  // inflated
};
struct FolderSize {  // the members that `members` leaves out
  std::string folder;
  Both<std::uint64_t> bytes, files;
};
struct SizeChanges {
  Both<std::uint64_t> archive;   // 0: a directory
  Both<std::uint64_t> unpacked;  // bytes
  Both<std::uint64_t> files;
  std::uint64_t rewritten = 0;      // files that both have, with other bytes; hashes that were not read tell of none
  std::vector<MemberSize> members;  // the largest differences, largest first
  std::vector<FolderSize> folders;  // the others, by folder, the largest difference first
};

// --- metadata and findings ----------------------------------------------------------------------------------------
// What the modules refuse of another package when they are imported, whatever Requires-Dist says.
struct ImportFloorChange {
  std::string package;        // "numpy"
  Both<std::string> minimum;  // "1.23"; "" where no limit is known
  Both<std::string> below;    // "2"; "" without
  std::string requirement;    // of the new release: "numpy>=1.20"; "" where there is none
};
struct MetadataChange {
  Both<std::string> python;  // tags: "cp311-cp311"
  Both<std::string> requires_python;
  std::vector<Both<std::string>> dependencies;  // Requires-Dist; one "" where it came or went
  Both<std::vector<std::string>> extras;
  std::vector<ImportFloorChange> import_floors;  // those that changed
};
enum class FindingCourse { New, Worse, Milder, Fixed };
std::string_view name_of(FindingCourse course);  // "new"
struct FindingChange {
  FindingCourse course = FindingCourse::New;
  const Rule* rule = nullptr;
  Severity severity = Severity::Info;  // of the new release; Fixed: of the old one
  std::optional<Severity> before;      // Worse, Milder
  std::string path;                    // "" for the whole wheel
  std::string message;
};
struct FindingChanges {
  std::vector<FindingChange> changes;         // by course, then worst first, then by code and path
  std::array<std::size_t, 3> unchanged = {};  // by Severity
  bool failed = false;                        // one is new or worse and would fail the new release
};

struct Diff {
  std::string version;  // of wheelcheck
  Both<std::string> file, distribution, release;
  PlatformChanges platform;
  FindingChanges findings;
  ContentChanges contents;
  SymbolChange exports, imports;  // imports: of what no file of the wheel defines
  MetadataChange metadata;
  SizeChanges sizes;
};

// Reads and judges both as `check` does; each may be a wheel, an unpacked one, or kept facts.
Result<Diff> compare(const std::string& old, const std::string& now, const Settings& settings);

}  // namespace wheelcheck
