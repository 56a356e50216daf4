// The parts of the analysis, each in the file of its name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/attribute.h"
#include "analysis/libraries.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::analysis {

// What is asked of every symbol of a file is asked in one pass, because the names of a large one are in no cache: a
// symbol is handed to each of two readers.

// exports.cpp: what one file exports, by scope and library; whose product each is, is said by mark_own.
class ExportCounter {
 public:
  explicit ExportCounter(const Index& index);  // which must live as long
  ~ExportCounter();
  void add(const Export& symbol);
  ExportSummary summary(const ElfMember& file, const WheelFacts& wheel) const;
  CluesByLibrary namespaces() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};
void mark_own(ExportSummary& summary, const std::vector<std::string>& own);
// cxx_abi.cpp: which std::string a file's symbols name, which runtime it uses, who compiled it.
class CxxAbiReader {
 public:
  CxxAbiReader();
  ~CxxAbiReader();
  void add(const Export& symbol);
  void add(const Import& symbol);
  CxxAbi abi_of(const ElfMember& file) const;  // whose symbols were added

 private:
  struct State;
  std::unique_ptr<State> state_;
};
// analyse.cpp
struct SymbolReading {
  ExportSummary exports;      // but for mark_own
  CluesByLibrary namespaces;  // of libraries that the file exports something of
  CxxAbi cxx;
};
SymbolReading read_symbols(const ElfMember& file, const WheelFacts& wheel, const Index& index);

// own_scopes.cpp: the C++ scopes and library ids that are the wheel's own product: what the user says, what the
// distribution's name says, what most of its exports say. Sorted.
std::vector<std::string> own_scopes(const WheelFacts& wheel, std::span<const SymbolReading> counted, const Index& index,
                                    const RuleOptions& options);
// libraries.cpp
std::vector<IdentifiedLibrary> libraries(const ElfMember& file, const WheelFacts& wheel, const SymbolReading& symbols,
                                         const Index& index);
// gpu.cpp
std::vector<GpuReference> gpu(const WheelFacts& wheel, const Knowledge& knowledge);

}  // namespace wheelcheck::analysis
