// The stages of the analysis, which call each other. The analysis derives from the facts of each ELF file what it
// exports, which libraries it contains, its C++ ABI and its GPU code.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/attribute.h"
#include "analysis/libraries.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::analysis {

// All symbol analyses run in one pass, because the names of a large file do not fit in any cache. Each symbol is passed
// to two readers.

// exports.cpp: counts what one file exports, by scope and library. mark_own then marks the wheel's own scopes.
class ExportCounter {
 public:
  explicit ExportCounter(const Index& index);  // the index must outlive this object
  ~ExportCounter();
  void add(const Export& symbol);
  ExportSummary summary(const ElfMember& file, const WheelFacts& wheel) const;
  CluesByLibrary namespaces() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};
void mark_own(ExportSummary& summary, const std::vector<std::string>& own);
// cxx_abi.cpp: which std::string the file's symbols use, which runtime it uses, which compiler made it.
class CxxAbiReader {
 public:
  CxxAbiReader();
  ~CxxAbiReader();
  void add(const Export& symbol);
  void add(const Import& symbol);
  CxxAbi abi_of(const ElfMember& file) const;  // `file` must be the one whose symbols were added

 private:
  struct State;
  std::unique_ptr<State> state_;
};
// analyse.cpp
struct SymbolReading {
  ExportSummary exports;      // before mark_own
  CluesByLibrary namespaces;  // clues for libraries of which the file exports symbols
  CxxAbi cxx;
  std::vector<std::string_view> python_exports, python_imports;  // ElfAnalysis::python_imports; not sorted
};
SymbolReading read_symbols(const ElfMember& file, const WheelFacts& wheel, const Index& index);

// attribute.cpp: the C++ scopes and library ids that are the wheel's own product. They come from the user's options,
// the distribution's name, and the scopes of most of its exports. Sorted.
std::vector<std::string> own_scopes(const WheelFacts& wheel, std::span<const SymbolReading> counted, const Index& index,
                                    const RuleOptions& options);
// libraries.cpp
std::vector<IdentifiedLibrary> libraries(const ElfMember& file, const WheelFacts& wheel, const SymbolReading& symbols,
                                         const Index& index);
// gpu.cpp: recognizes the name of a GPU library in a text. It may be a file name, a path, a printf format, or the name
// of a bundled library with a hash.
struct GpuName {
  std::string text;                          // without directory: "libcudart.so.%d"
  const KnownGpuLibrary* library = nullptr;  // never null
  std::string version;                       // the part after ".so.": "12", "%d", "*"
  std::string major;                         // major version of the toolkit, if the version gives it
};

// Nothing for prose that mentions a library, and for names of other libraries. `libraries` is sorted by stem.
std::optional<GpuName> read_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries);
// A name as ctypes.util.find_library takes it ("cudart"), or a full file name.
std::optional<GpuName> read_short_gpu_name(std::string_view text, std::span<const KnownGpuLibrary> libraries);
std::vector<GpuReference> gpu(const WheelFacts& wheel, const Knowledge& knowledge);

}  // namespace wheelcheck::analysis
