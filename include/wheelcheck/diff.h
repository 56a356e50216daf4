// The comparison of two releases of a wheel. It pairs the files of both, although version numbers and hashes in their
// names differ, and lists what changed: platform tags and required versions, libraries, symbols, sizes, metadata,
// findings. The result is used for release notes and in CI. It owns all its data, so it outlives the facts. Names are
// as written in the wheels; renderers escape them.
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

// One value in the old and in the new release.
template <class T>
struct Both {
  T old{}, now{};
  bool changed() const { return old != now; }
};

// --- files --------------------------------------------------------------------------------------------------------

// Why two files are a pair.
enum class MatchedBy {
  None,      // only one release has the file
  Path,      // the same path
  Release,   // a directory whose name contains the release number: foo-1.0.dist-info
  Content,   // the same bytes under another path
  Name,      // the same name apart from a repair tool's hash or the interpreter's suffix
  Soname,    // the same library with another version number: libfoo.so.1, libfoo.so.2
  Library,   // each is the only file that is this known library
  Directory  // the only ELF file of its name, moved to another directory, or a file that moved with it
};
std::string_view name_of(MatchedBy by);  // "path"
struct FilePair {
  // nullopt in a release that does not have the file.
  std::optional<MemberIndex> old, now;
  MatchedBy by = MatchedBy::None;
};

// --- platform -----------------------------------------------------------------------------------------------------

// The direction of a change.
enum class Course { Same, Raised, Lowered, Added, Removed };
std::string_view name_of(Course course);  // "raised"

// A requirement that a level does not meet: GLIBC_2.28 for fcntl64 in two files, or libtiff.so.6.
struct LevelReason {
  Requirement required;                     // of one of the files
  bool decides = false;                     // without this requirement alone, the files would meet the next older level
  std::vector<std::string> symbols, files;  // sorted by name
};
// The change for one policy family on one machine.
struct LevelChange {
  std::string policy_levels;  // "manylinux x86_64"
  // The lowest tag that the content is compatible with. "any" without machine code; "" where the content is for another
  // machine.
  Both<std::string> fits;
  // The lowest tag that is claimed; "any" counts as a tag. "" where none is claimed.
  Both<std::string> claimed;
  Course fits_course = Course::Same, claimed_course = Course::Same;
  // If raised: why the new files do not meet the old tag. If lowered: why the old files do not meet the new tag.
  std::vector<LevelReason> reasons;
};
// The change of the highest version node of one family that the files require of the platform.
struct FloorChange {
  std::string family;      // "GLIBC"
  Both<std::string> node;  // "GLIBC_2.17"; "" where none is required
  Course course = Course::Same;
  std::vector<std::string> symbols;  // the symbols that require the higher of the two nodes
  std::vector<std::string> files;    // paths in the new release
};
struct PlatformChanges {
  Both<std::vector<std::string>> claims;  // claimed platform tags
  Both<TagResult> tag_result;
  std::vector<LevelChange> levels;
  // Over all files of the wheel. FloorChange::files has the files that require that node.
  std::vector<FloorChange> wheel_floors;
  // Over files that both releases have. Files with the same change are one entry.
  std::vector<FloorChange> file_floors;
  // A level that is claimed, or that the content is compatible with, requires more than before or is gone.
  bool raised = false;
};

// --- contents -----------------------------------------------------------------------------------------------------
// An ELF file that was added or removed, or whose name or soname changed.
struct ElfChange {
  Both<std::string> path;
  Both<std::string> soname;  // without a repair tool's hash
  MatchedBy by = MatchedBy::None;
  std::string role;  // "extension module"
};
// A DT_NEEDED entry that changed. Names are without a repair tool's hash.
struct NeededChange {
  // The old one is "" if it was added, the new one is "" if it was removed; both are set if its version number changed.
  Both<std::string> library;
  std::vector<std::string> files;  // paths in the new release
  bool whole = false;              // no file of the old release needed it, or no file of the new one does
};
// A known library, as a file of its own or linked into files.
struct LibraryChange {
  std::string id, name;
  Both<std::vector<std::string>> versions;  // in natural order; empty where unknown
  Both<std::vector<std::string>> files;     // empty: the release does not contain it
};
// A library that is from another package of a distribution (Settings::library_index).
struct PackageChange {
  std::string file;           // path in the new release
  Both<std::string> package;  // package URL; "" where the index does not have the library
};
// A change of the C++ ABI of files. A value that did not change is "none" on both sides.
struct CxxChange {
  Both<std::string> string_abi;  // "old", "new", "both", "none"
  Both<std::string> runtime;     // "libstdc++"
  std::vector<std::string> files;
};
struct ContentChanges {
  std::vector<ElfChange> elfs;
  std::vector<NeededChange> needed;
  std::vector<LibraryChange> libraries;
  std::vector<PackageChange> packages;
  std::vector<CxxChange> cxx;
  std::vector<std::string> device_added, device_removed;  // targets of GPU code: sm_90, compute_80, gfx942
  std::vector<std::string> python_added, python_removed;  // paths of .py, .pyi and py.typed
};

// --- symbols ------------------------------------------------------------------------------------------------------

// Symbols that belong together, and how many were added or removed.
struct SymbolGroup {
  enum class Kind { Namespace, Library, Python, Platform, C, Rust };
  Kind kind = Kind::C;
  // "absl", "OpenSSL", "libc.so.6". "" for C++ names outside namespaces, other C names, and Rust.
  std::string name;
  Both<std::size_t> count;
  std::size_t gained = 0, lost = 0;
  std::vector<std::string> gained_names, lost_names;  // the first few names
};
std::string_view name_of(SymbolGroup::Kind kind);  // "namespace"
// The number of symbols of one file.
struct SymbolFile {
  std::string file;
  Both<std::size_t> count;
};
// The change of the symbol names over all files of the wheel; each name counts once.
struct SymbolChange {
  Both<std::size_t> count;
  std::size_t gained = 0, lost = 0;
  std::vector<SymbolGroup> groups;  // groups that changed, most changes first
  std::vector<SymbolFile> files;    // files with a different number, largest difference first
};

// --- sizes --------------------------------------------------------------------------------------------------------
struct MemberSize {
  Both<std::string> path;     // "" in the release that does not have the member
  Both<std::uint64_t> bytes;  // inflated
};
// The sum of the members of a folder that are not in SizeChanges::members.
struct FolderSize {
  std::string folder;
  Both<std::uint64_t> bytes, files;
};
// Sections of one name over all ELF files, or GPU code for one target.
struct SizePart {
  std::string name;              // ".text", "sm_90"
  Both<std::uint64_t> bytes;     // as stored in the members
  Both<std::uint64_t> unpacked;  // of GPU code, after decompression of the fat binary; sections: 0
};
struct SizeChanges {
  Both<std::uint64_t> archive;   // bytes; 0: the wheel is a directory
  Both<std::uint64_t> unpacked;  // bytes, inflated
  Both<std::uint64_t> files;
  // Files in both releases with different bytes. Files without a hash are not counted.
  std::uint64_t rewritten = 0;
  std::vector<MemberSize> members;  // largest differences first
  std::vector<FolderSize> folders;  // all other members by folder, largest difference first
  // Largest differences first. The sections add up to the ELF files, with "" for what is in none: headers, padding.
  std::vector<SizePart> sections, gpu_code;
};

// --- metadata and findings ----------------------------------------------------------------------------------------

// The versions of another package that the modules accept when they are imported, whatever Requires-Dist declares.
struct ImportFloorChange {
  std::string package;        // "numpy"
  Both<std::string> minimum;  // "1.23"; "" where no limit is known
  Both<std::string> below;    // "2"; "" where there is none
  std::string requirement;    // Requires-Dist of the new release: "numpy>=1.20"; "" where there is none
};
struct MetadataChange {
  Both<std::string> python;  // Python and ABI tags: "cp311-cp311"
  Both<std::string> requires_python;
  std::vector<Both<std::string>> dependencies;  // Requires-Dist; "" in the release that does not have the entry
  Both<std::vector<std::string>> extras;
  std::vector<ImportFloorChange> import_floors;  // entries that changed
};
enum class FindingCourse { New, Worse, Milder, Fixed };
std::string_view name_of(FindingCourse course);  // "new"
struct FindingChange {
  FindingCourse course = FindingCourse::New;
  const Rule* rule = nullptr;
  Severity severity = Severity::Note;  // in the new release; of Fixed: in the old one
  std::optional<Severity> before;      // set for Worse and Milder
  std::string path;                    // "" for the whole wheel
  std::string message;
};
struct FindingChanges {
  std::vector<FindingChange> changes;         // by course, then worst first, then by code and path
  std::array<std::size_t, 3> unchanged = {};  // number of findings that both have, by Severity
  bool failed = false;                        // a finding is new or worse, and it fails the new release
};

struct Diff {
  std::string version;  // of wheelcheck
  Both<std::string> file, distribution, release;
  PlatformChanges platform;
  FindingChanges findings;
  ContentChanges contents;
  SymbolChange exports, imports;  // imports: symbols that no file of the wheel defines
  MetadataChange metadata;
  SizeChanges sizes;
};

// Reads and judges both wheels as `check` does. Each path is a wheel, an unpacked wheel or a facts file. Errors: as
// read_any, load_policies and load_knowledge.
Result<Diff> compare(const std::string& old, const std::string& now, const Settings& settings);

}  // namespace wheelcheck
