// A wheel: what its name and metadata claim, what its archive holds, and the facts of every ELF file in it.
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

// PEP 427: {distribution}-{version}(-{build})?-{python}-{abi}-{platform}.whl, tag sets split at '.' (PEP 425).
struct WheelName {
  std::string distribution, version, build;
  std::vector<std::string> python, abi;
  std::vector<PlatformTag> platforms;
  std::string variant;  // PEP 825 (a draft): -{label} behind the platforms; "" where there is none
};

// Files of *.dist-info that the verdict or a rule reads. nullopt: the file is absent.
struct WheelFile {  // *.dist-info/WHEEL
  std::string wheel_version;
  std::optional<bool> root_is_purelib;
  std::vector<std::string> tags;  // each `Tag:` line as written, python-abi-platform; may itself be compressed
};
struct Metadata {  // *.dist-info/METADATA (core metadata)
  std::string name, version, requires_python;
  std::vector<std::string> requires_dist, provides_extra;
  // License-Expression, License and the License classifiers, in file order; "UNKNOWN" and empty ones are left out.
  std::vector<std::string> licenses;
  std::vector<std::string> license_files;  // each License-File as written (PEP 639)
};
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
struct WheelFlaw {
  WheelArea area = WheelArea::Member;
  std::optional<MemberIndex> member;  // the member it is about, if there is one
  std::string subject;                // the path or row it is about, as written; may name a member that does not exist
  std::string reason;                 // starts small, no full stop
};

struct ExtensionModule {            // CPython or PyPy would import it
  std::string module;               // dotted, without tags: pkg._speedups
  std::optional<int> python_major;  // from the init symbol: initx = 2, PyInit_x = 3
  bool stable_abi = false;          // .abi3.so or .abi3t.so
};
struct BundledLibrary {};  // in NAME.libs/ or .libs/: put there by a repair tool
struct PlainLibrary {};    // any other shared object
struct Program {};         // an executable
struct ForeignCode {       // device code, split debug, relocatable object, core: listed, not judged as host code
  std::string what;        // "device code", "debug information", "relocatable object", "core dump"
};
struct BrokenElf {};  // has the magic, but its headers cannot be read
using ElfRole = std::variant<ExtensionModule, BundledLibrary, PlainLibrary, Program, ForeignCode, BrokenElf>;
std::string_view name_of(const ElfRole& role);  // "extension module"

struct ElfMember {
  MemberIndex member;
  ElfRole role;
  Libc libc = Libc::None;   // ElfFacts::libc, else what the file name's SOABI suffix says
  std::string installed;    // path below the installation prefix: lib/python3.11/site-packages/pkg/x.so
  bool disguised = false;   // ELF magic under a name that says text or source: .py, .txt, .json ...
  bool in_purelib = false;  // below *.data/purelib/
  ElfFacts facts;
};

// Code that a CPU's loader would map. Device code, objects, debug information and files whose headers cannot be read
// are listed and never judged.
bool is_host_code(const ElfMember& file);

struct WheelFacts {
  std::string file;  // base name, as given; of a directory's distribution "numpy 2.4.6"
  std::string path;  // as given on the command line, for messages only
  WheelName name;
  std::optional<std::string> dist_info;  // the directory, foo-1.0.dist-info
  std::optional<WheelFile> wheel;
  std::optional<Metadata> metadata;
  std::optional<std::vector<RecordRow>> record;
  std::uint64_t size = 0;            // bytes of the archive; 0: there is none, the files lie in a directory
  std::vector<MemberFacts> members;  // by path; directories are left out
  std::vector<ElfMember> elfs;       // by member
  std::vector<PythonFile> python;    // by member; those that load libraries or change how they are loaded
  bool all_python = false;           // `python` has every .py file (Limits::imports)
  std::vector<WheelFlaw> flaws;
  // PEP 825, a draft: the x86-64 level that variant.json gives (x86_64 :: level :: v3); 1 where it gives none.
  std::uint32_t variant_x86_level = 1;
};

// Every member was read to its end and hashed: so it is unless Limits::hashes forbids it, or there is no archive.
bool is_hashed(const WheelFacts& wheel);

// Bounds on what is read (docs/security.md says why each). Bytes or counts, never seconds: the answer stays the same.
struct Limits {
  std::uint64_t member_bytes = std::uint64_t{8} << 30;  // one member, inflated
  std::uint64_t total_bytes = std::uint64_t{16} << 30;  // all members, inflated
  std::uint64_t members = 200'000;
  std::uint64_t ratio = 50;                                       // whole archive, inflated : packed, above ratio_floor
  std::uint64_t ratio_floor = std::uint64_t{64} << 20;            // bytes
  std::uint64_t name_bytes = 1024, part_bytes = 255, depth = 64;  // of a member's path: in all, between '/', parts
  std::uint64_t record_bytes = std::uint64_t{32} << 20, metadata_bytes = std::uint64_t{8} << 20,
                wheel_bytes = std::uint64_t{1} << 20;
  std::uint32_t symbols = 4'000'000, dynamic_entries = 1'000'000, version_records = 256 * 1024;  // per ELF file
  std::uint64_t note_bytes = std::uint64_t{16} << 20;
  std::uint64_t library_names = std::uint64_t{4} << 20;  // bytes of all names of libraries and versions of an ELF file
  std::uint32_t texts = 100'000;                         // of each list of TextFacts
  std::uint64_t source_bytes = std::uint64_t{1} << 20;   // one .py file; a longer one is not parsed
  bool hashes = true;    // SHA-256 of every member; else members that can be neither ELF nor text are not read
  bool imports = false;  // all .py files are parsed, for their imports; else those that may touch the loader, no tests
};

}  // namespace wheelcheck
