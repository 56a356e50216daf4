// Compares two releases of a wheel. The input is the facts of both; the output is plain data. The parts of a comparison
// are pure functions of the two releases.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/diff.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/report.h"
#include "wheelcheck/version.h"

namespace wheelcheck::diff {

struct ElfPair {
  std::optional<ElfIndex> old, now;
  MatchedBy by = MatchedBy::None;
};
struct Releases {
  const WheelReport& old;
  const WheelReport& now;
  const Knowledge& knowledge;
  std::vector<FilePair> files = {};
  std::vector<ElfPair> elfs = {};  // in the order of `files`
};
// The owner of a symbol, by its name; and the identity of a finding across releases.
using Attribute = std::function<Attribution(std::string_view)>;
using Identity = std::function<std::string(const WheelReport&, const Finding&)>;

Releases releases(const WheelReport& old, const WheelReport& now, const Knowledge& knowledge);
std::string path_of(const WheelReport& wheel, ElfIndex elf);
// The file's path in the new release, or in the old one if only that has the file.
std::string path_of(const Releases& both, const ElfPair& pair);
const ElfAnalysis& analysis_of(const WheelReport& wheel, ElfIndex elf);

bool is_python(std::string_view path);  // .py, .pyi and py.typed
// The known libraries in a wheel, by id: as files of their own or linked into files.
struct LibraryInside {
  std::string name;
  std::set<std::string, NaturalLess> versions;
  std::set<std::string> files;
};
using Libraries = std::map<std::string, LibraryInside>;
Libraries libraries_of(const WheelReport& wheel);

PlatformChanges compare_platforms(const Releases& both);
std::vector<FloorChange> compare_wheel_floors(const Releases& both);
std::vector<FloorChange> compare_file_floors(const Releases& both);
ContentChanges compare_contents(const Releases& both);
std::vector<NeededChange> compare_needed(const Releases& both);
struct SymbolChanges {
  SymbolChange exports, imports;
};
SymbolChanges compare_symbols(const Releases& both, const Attribute& attribute);
SizeChanges compare_sizes(const Releases& both);
MetadataChange compare_metadata(const Releases& both);
FindingChanges compare_findings(const Releases& both, const Identity& identity);

// --- Compares two releases of a wheel. The input is the facts of both; the output is plain data.

Diff compare(const WheelReport& old, const WheelReport& now, const Knowledge& knowledge, const Attribute& attribute,
             const Identity& identity);

}  // namespace wheelcheck::diff
