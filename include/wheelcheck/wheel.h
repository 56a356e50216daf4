// The facts of a wheel: what its name and metadata claim, the members of its archive, and the facts of each ELF and
// Python file. They are read once, from a wheel file or an unpacked wheel, and do not change afterwards. All later
// steps (resolve, assess, judge) use only these facts.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "wheelcheck/elf.h"
#include "wheelcheck/index.h"
#include "wheelcheck/member.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/python.h"

namespace wheelcheck {

// PEP 427: {distribution}-{version}(-{build})?-{python}-{abi}-{platform}.whl; tag sets are split at '.' (PEP 425).
struct WheelName {
  std::string distribution, version, build;
  std::vector<std::string> python, abi;
  std::vector<PlatformTag> platforms;
  std::string variant;  // PEP 825 (draft): -{label} after the platforms; "" if there is none
};

// --- files of *.dist-info -----------------------------------------------------------------------------------------

// Only what the verdict or a rule uses. nullopt in WheelFacts: the file is absent.

// *.dist-info/WHEEL.
struct WheelFile {
  std::string wheel_version;
  std::optional<bool> root_is_purelib;
  // Each `Tag:` line as written, python-abi-platform; it may contain several tags (PEP 425, compressed tag sets).
  std::vector<std::string> tags;
};
// *.dist-info/METADATA (core metadata).
struct Metadata {
  std::string name, version, requires_python;
  std::vector<std::string> requires_dist, provides_extra;
  // License-Expression, License and the License classifiers, in file order, without "UNKNOWN" and empty ones.
  std::vector<std::string> licenses;
  std::vector<std::string> license_files;  // each License-File as written (PEP 639)
};
// One row of *.dist-info/RECORD.
struct RecordRow {
  std::string path;  // as written
  std::string hash;  // "sha256=..." as written, or empty
  std::optional<std::uint64_t> size;
};

// The areas from IndexArchive on are what the upload code of PyPI refuses (Warehouse, warehouse/forklift). Installers
// accept it, so only the rules of --index report these flaws.
enum class WheelArea {
  Name,
  DistInfo,
  Wheel,
  Metadata,
  Record,
  Absent,  // of an environment: RECORD lists a file that is not there
  Member,
  Variant,
  Sbom,
  IndexArchive,
  IndexMetadata,
  IndexClassifier,
  IndexDependency,
  IndexLicence,
  IndexEntryPoints
};
// A defect in the wheel; a rule reports it.
struct WheelFlaw {
  WheelArea area = WheelArea::Member;
  std::optional<MemberIndex> member;  // the affected member, if any
  // The affected path or row, as written. It may name a member that does not exist.
  std::string subject;
  std::string reason;  // starts with a lower-case letter, without a full stop
  bool minor = false;  // every installer on Linux accepts it: a warning
};

// What a software bill of materials lists: CycloneDX components, SPDX packages and files.
struct SbomPart {
  std::string name;
  std::string purl;      // "" if there is none
  bool is_file = false;  // `name` is the path of a file that the part describes
};
// A JSON file below *.dist-info/sboms/ (PEP 770) that is CycloneDX or SPDX 2.
struct Sbom {
  MemberIndex member;
  std::string tool;  // that wrote it; "" if it is not named
  std::vector<SbomPart> parts;
};

// A line of [console_scripts] or [gui_scripts] in entry_points.txt: installers write a program of that name.
struct ScriptEntry {
  std::string name;
  std::string object;  // "pkg.cli:main"
};

// A file of *.data/scripts that begins with "#!": installers copy the line, except one that begins with "#!python".
struct ScriptLine {
  MemberIndex member;
  std::string interpreter;       // what follows "#!" in the first 64 bytes, to the end of the line
  bool carriage_return = false;  // the line ends with CR LF
};

// --- ELF files of a wheel -----------------------------------------------------------------------------------------

// A file that CPython or PyPy can import.

struct ExtensionModule {
  std::string module;               // dotted name without tags: pkg._speedups
  std::optional<int> python_major;  // from the init function: initx = 2, PyInit_x = 3
  bool stable_abi = false;          // .abi3.so or .abi3t.so
};
struct BundledLibrary {};  // in NAME.libs/ or .libs/: copied there by a repair tool
struct PlainLibrary {};    // any other shared object
struct Program {};         // an executable
// Device code, split debug information, relocatable objects, core dumps and data of tests. They are listed but not
// judged as host code.
struct ForeignCode {
  std::string what;
};
struct BrokenElf {};  // has the ELF magic, but its headers cannot be read
using ElfRole = std::variant<ExtensionModule, BundledLibrary, PlainLibrary, Program, ForeignCode, BrokenElf>;
std::string_view name_of(const ElfRole& role);  // "extension module"
bool is_library(const ElfRole& role);           // bundled or plain

// One ELF file.
struct ElfMember {
  MemberIndex member;
  ElfRole role;
  Libc libc = Libc::None;   // ElfFacts::libc, or else the SOABI suffix of the file name
  std::string installed;    // path relative to the installation prefix: lib/python3.11/site-packages/pkg/x.so
  bool disguised = false;   // an ELF file with the name of a text or source file: .py, .txt, .json
  bool in_purelib = false;  // below *.data/purelib/
  ElfFacts facts;
};

// True for code that the loader of a CPU could map. False for device code, objects, debug information and files whose
// headers cannot be read.
bool is_host_code(const ElfMember& file);

// All facts of one wheel.
struct WheelFacts {
  std::string file;  // base name as given; for a distribution of an environment "numpy 2.4.6"
  std::string path;  // as given on the command line; used only in messages
  WheelName name;
  std::optional<std::string> dist_info;  // name of the directory: "foo-1.0.dist-info"
  std::optional<WheelFile> wheel;
  std::optional<Metadata> metadata;
  std::optional<std::vector<RecordRow>> record;
  std::uint64_t size = 0;            // bytes of the archive; 0 without one (is_unpacked)
  std::vector<MemberFacts> members;  // by path, without directories
  std::vector<ElfMember> elfs;       // by member
  std::vector<PythonFile> python;    // by member; files that open libraries or change how they are opened
  // `python` contains every .py file, with its imports: Limits::imports, or a file imports a module that is missing, or
  // opens a library by its file name at module level.
  bool all_python = false;
  std::vector<WheelFlaw> flaws;
  std::vector<Sbom> sboms;               // by member
  std::vector<ScriptEntry> scripts;      // in file order; at most 4,096
  std::vector<ScriptLine> script_lines;  // by member; at most 4,096
  // PEP 825 (draft): the x86-64 level in variant.json (x86_64 :: level :: v3); 1 if there is none.
  std::uint32_t variant_x86_level = 1;
};

// True for the content of a directory and for a distribution of an environment: there is no archive.
const std::string& path_of(const WheelFacts& wheel, ElfIndex elf);
inline bool is_unpacked(const WheelFacts& wheel) { return wheel.size == 0; }

// True if every member was read to its end and hashed. False if Limits::hashes is false or if there is no archive.
bool is_hashed(const WheelFacts& wheel);

// Limits on what is read (docs/security.md gives the reason of each). They are bytes or counts, never seconds, so that
// the result is the same on every machine.
struct Limits {
  std::uint64_t member_bytes = std::uint64_t{8} << 30;  // of one member, inflated
  std::uint64_t total_bytes = std::uint64_t{16} << 30;  // of all members, inflated
  std::uint64_t members = 200'000;
  // Inflated size divided by packed size, of the whole archive. It is checked above ratio_floor.
  std::uint64_t ratio = 50;
  std::uint64_t ratio_floor = std::uint64_t{64} << 20;  // bytes
  // Limits on a member's path: its length, the length of one part, and the number of parts.
  std::uint64_t name_bytes = 1024, part_bytes = 255, depth = 64;
  std::uint64_t record_bytes = std::uint64_t{32} << 20, metadata_bytes = std::uint64_t{8} << 20,
                wheel_bytes = std::uint64_t{1} << 20;
  std::uint32_t symbols = 4'000'000, dynamic_entries = 1'000'000, version_records = 256 * 1024;  // per ELF file
  std::uint64_t note_bytes = std::uint64_t{16} << 20;
  std::uint64_t library_names = std::uint64_t{4} << 20;  // bytes of all library and version names of an ELF file
  std::uint32_t texts = 100'000;                         // per list of TextFacts
  std::uint64_t source_bytes = std::uint64_t{1} << 20;   // size of a .py file; a longer one is not parsed
  // Compute the SHA-256 of every member. Otherwise members that can be neither ELF nor text are not read.
  bool hashes = true;
  // Parse all .py files, for their imports. Otherwise only files that may use the loader are parsed, without tests.
  bool imports = false;
};

}  // namespace wheelcheck
