// Rewriting wheels: `fix` makes the changes that findings ask for, `repair` bundles the libraries that a wheel needs,
// `sbom` adds a software bill of materials.
// The result is checked like any other wheel before it gets its name; if it is not good, nothing is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

// One change, for a reader.
struct WheelChange {
  std::string member;              // "" for the file name
  std::string what;                // "RUNPATH", "stack"
  std::string before, after;       // "" for none
  std::vector<std::string> codes;  // of the findings that the change fixes
};

// What the environment provides. The library reads no environment variables itself.
struct RewriteEnvironment {
  std::string program_path;                        // PATH, after the directory of the program itself
  std::optional<std::uint64_t> source_date_epoch;  // the time of all members; otherwise each member keeps its own
  std::string patchelf;                            // path; "": the one in program_path
  std::vector<std::string> protected_files;        // paths; the result must not replace any of them
};

struct FixOptions {
  Settings settings;
  RewriteEnvironment environment;
  std::string wheel;     // path
  std::string output;    // a directory, or the path of a file that ends in .whl; "": replace the wheel
  bool retag = false;    // claim the best tag that the content is compatible with
  bool dry_run = false;  // write nothing
};
struct FixResult {
  std::vector<WheelChange> changes;
  std::string written;  // path; "": nothing was written
  Report before;
  std::optional<Report> after;     // nullopt: there was nothing to change, or dry_run and no patchelf
  std::vector<std::string> notes;  // sentences
};
// Error: the wheel cannot be read, or the result has a new error or still has a finding that was to be fixed.
Result<FixResult> fix_wheel(const FixOptions& options);

// What is removed from the files of a wheel: debug information, also the symbols that no relocation needs, or all of
// .symtab. The dynamic symbols always stay.
enum class StripLevel { None, Debug, Unneeded, All };

struct RepairOptions {
  Settings settings;
  RewriteEnvironment environment;
  std::vector<std::string> wheels;         // paths
  std::string directory = "wheelhouse";    // of the results
  std::string platform = "auto";           // manylinux_2_28, with or without architecture; auto: the oldest possible
  std::vector<std::string> exclude;        // patterns of sonames or paths that are not bundled
  std::vector<std::string> opened;         // libraries that code opens by name: names or paths, bundled unchanged
  std::vector<std::string> library_paths;  // directories that are searched first
  std::optional<std::vector<std::string>> default_directories;  // of the sysroot; nullopt: as its loader has them
  std::string sysroot;  // the system whose libraries are bundled; "": this machine
  std::string libs_suffix = ".libs";
  bool update_tags = true;
  bool only_platform = false;  // no tags of older levels that the result is compatible with too
  StripLevel strip = StripLevel::None;
  std::string debug_directory;       // takes the debug information of stripped files, by build ID; "": it is dropped
  bool any_instruction_set = false;  // accept instruction sets above that of the platform tag
  std::optional<int> compression_level;  // 0 to 9: pack all members again with this level
  bool allow_pure = false;               // a wheel without machine code is copied
  bool verify_run = false;               // run the loader of this machine on the result
  bool matrix = false;                   // only list what each level would need; write nothing
  bool dry_run = false;
};
struct RepairResult {
  struct Library {
    std::string needed_as, source, member;
    std::string package;  // "debian libz1 1.2.13"; "" if unknown
  };
  struct Level {
    std::string platform;
    std::vector<std::string> bundled;  // sonames
    std::string reason;                // why the level cannot be reached; "" if it can
  };
  std::string platform;       // "" for a wheel without machine code
  std::vector<Level> matrix;  // newest first; with RepairOptions::matrix, the only result
  std::vector<Library> bundled;
  std::vector<std::string> excluded, removed;  // sonames; removed: libpython
  std::vector<std::string> notes;              // sentences: what bundling cannot change
  std::string input;                           // file name of the wheel
  std::string file_name, written;              // written: path; "": nothing was written
  std::size_t findings = 0;                    // warnings and errors of the result
};
// Results appear under their names when all wheels are repaired; after an error there is none. Error: a wheel cannot be
// read, a library is missing or must not be bundled, a result would not be compatible, or two would have one name.
Result<std::vector<RepairResult>> repair_wheels(const RepairOptions& options);

struct SbomOptions {
  Settings settings;
  std::string wheel;   // path
  std::string output;  // of the wheel with the bill: a directory, or the path of a file; "": write no wheel
};
struct SbomResult {
  std::string text;     // the bill
  std::string member;   // its path in the wheel
  std::string written;  // path; "": nothing was written
};
// The software bill of materials of a wheel (PEP 770), and a copy of the wheel that contains it. Error: the wheel
// cannot be read; or, where a wheel is to be written, RECORD does not describe it.
Result<SbomResult> sbom_of_wheel(const SbomOptions& options);

struct LibraryIndexOptions {
  Settings settings;
  std::string program_path;        // PATH, for the program rpm
  std::vector<std::string> roots;  // directories that contain root file systems
};
struct LibraryIndexResult {
  std::string text;         // of the index, a JSON document
  std::size_t unowned = 0;  // libraries that belong to no package and are not listed
};
// Lists the libraries of systems with the packages that they belong to. Error: a root has no such library.
Result<LibraryIndexResult> library_index(const LibraryIndexOptions& options);
// Reads such a file, for Settings::library_index.
Result<std::shared_ptr<const repair::LibraryIndex>> load_library_index(const std::string& path);

}  // namespace wheelcheck
