// Reads the Python code of a wheel, in as much detail as matters. Python code matters because it can load libraries and
// set the flags of dlopen.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "import_plan/own_imports.h"
#include "wheel/read.h"
#include "wheel/roles.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

enum class PythonForm : std::uint8_t {
  None,
  Module,    // .py
  PathFile,  // .pth in site-packages: Python runs the lines that begin with "import" when it starts (Lib/site.py)
  Script,    // of *.data/scripts: Python if its first line says so
};

// Python code that may load libraries. Files in a directory named `tests` are skipped, unless imports are followed.
PythonForm python_form(const archive::Entry& entry, const Limits& limits);
// Whether the first line of a script runs Python.
bool runs_python(std::string_view script);
// The line "#!..." of a file of *.data/scripts; nothing for other files. `start`: its first bytes.
std::unique_ptr<ScriptLine> script_line(MemberIndex member, std::string_view path, std::string_view start);
// Compiled code, and whether it is other code than its source shows: Python imports a file outside of __pycache__
// without a source, and one inside without a look at the source if it says so (PEP 552). Installers write the other
// ones again, or Python does.
bool is_bytecode(const archive::Entry& entry, const Limits& limits);
bool hides_code(std::string_view path, std::string_view bytecode);
// A longer file is only searched for words that load libraries; of its imports, what is left without the functions that
// no import runs is read (modules of SWIG consist of thousands of them).
bool is_too_long(const archive::Entry& entry, const Limits& limits);
// The longest file that is searched.
inline constexpr std::uint64_t max_searched = std::uint64_t{16} << 20;
// The facts of a file that was not read.
std::unique_ptr<PythonFile> not_read(MemberIndex member, PythonCut cut);

// Limits how much Python code of a wheel is kept for later, and how much is parsed for its imports. Members have ranks,
// the order in which they are read. Threads may read them in any order: what is parsed does not depend on it.
class CodeBudget {
 public:
  explicit CodeBudget(std::span<const archive::Entry> entries);

  // False if a text of that size is not kept but inflated again.
  bool keeps(std::size_t size) { return (kept_ += size) <= max_kept; }

  bool is_limited() const { return !costs_.empty(); }
  // Adds a cost to the member of that rank. False if it and those before it cost too much to be parsed.
  bool admits(std::size_t rank, std::uint64_t cost);
  // The same when all costs were added. A member that was admitted before may be refused now.
  bool admits(std::size_t rank) const { return rank < within_; }
  // The members that are not admitted count as not read.
  void refuse(std::span<Reading> readings, std::span<const std::size_t> by_rank) const;
  // The parser was stopped in it, which no real code does.
  void add_stopped(std::size_t rank, std::uint64_t size) { admits(rank, 16 * size); }

 private:
  static constexpr std::uint64_t max_kept = std::uint64_t{8} << 20;
  std::atomic<std::uint64_t> kept_ = 0;

  std::mutex mutex_;
  std::vector<std::uint64_t> costs_;  // by rank; empty if there is no limit
  std::uint64_t max_ = 0, sum_ = 0;   // of the ranks below within_
  std::size_t within_ = 0;
};

// Reads the Python code of one member, or keeps it for later: whether its events matter depends on the other members.
// `own`: finds imports of modules that the wheel lacks; null if they are not searched.
void read_code(Reading& reading, const archive::Entry& entry, std::string_view bytes, MemberIndex member,
               const Limits& limits, CodeBudget& budget, std::size_t rank, const import_plan::OwnModules* own,
               const DataNames& data);

// Reads the Python code of all members again, with their imports (Limits::imports).
Result<void> read_imports(const archive::Source& source, std::span<Reading> readings, const Limits& limits,
                          unsigned jobs);

// Reads the Python files that had to wait. If a file of the wheel sets RTLD_GLOBAL, the flag affects all later imports,
// so other files with such calls are read with their events. Few wheels do that. If imports are followed, test suites
// had to wait. `readings` is indexed by the source's entries.
Result<void> read_waiting(const archive::Source& source, std::span<Reading> readings, const Limits& limits,
                          unsigned jobs);

}  // namespace wheelcheck::wheel
