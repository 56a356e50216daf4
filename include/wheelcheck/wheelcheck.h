// The main functions of the library. They form a pipeline: read a wheel into facts, resolve its libraries, assess it
// with the policies, judge it with the rules, and render the report. All are pure functions of their arguments, except
// `read`, which opens one file, and `read_any`, which may also use a cache directory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/baseline.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/config.h"
#include "wheelcheck/input.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"
#include "wheelcheck/rule.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

namespace analysis {
class Index;
}
namespace repair {
class LibraryIndex;
}

// Another wheel that provides libraries to the checked ones.
struct Provider {
  std::string distribution;  // DIST of --provider DIST=WHEEL
  std::string wheel;         // path, the WHEEL of --provider DIST=WHEEL
};
// The settings of a run, from the command line and the configuration.
struct Settings {
  Limits limits;
  unsigned jobs = 1;  // threads; the result does not depend on it
  Severity fail_on = Severity::Error;
  bool never_fail = false;            // --fail-on never
  std::vector<std::string> external;  // globs of sonames that other distributions provide
  std::vector<Provider> providers;
  std::vector<std::string> policies;        // files or directories that add to or replace the built-in policies
  std::vector<std::string> knowledge;       // files that add to or replace the built-in tables of data/
  std::vector<std::string> select, ignore;  // prefixes of rule codes, or rule names
  bool pedantic = false;                    // run the pedantic rules
  RuleOptions rules;
  std::vector<std::string> required_tags;  // the content must be compatible with one of them, whatever the wheel claims
  std::vector<TagsOfMachine> tags_of_machines;  // the same for the content of some machines
  std::vector<SeverityOverride> severities;
  std::vector<IgnoreRule> ignores;
  std::optional<Date> today;                // compared with IgnoreRule::until; nullopt: no ignore rule expires
  std::optional<ConfigFile> configuration;  // the file that some of the settings are from, for the report
  std::vector<ConfigOverride> overrides;    // keys for wheels with matching names
  std::optional<Baseline> baseline;         // findings that do not fail the run
  std::shared_ptr<const repair::LibraryIndex> library_index;  // by which libraries get their packages; null: none
  // Remove the exports, the references and the imports without a version from the facts after the rules have run, so
  // that the report of many large wheels fits into memory. No output format of `check` shows them.
  bool drop_symbols = false;
  bool elf_files = false;               // also accept ELF files outside of wheels, and directories of them
  bool make_baseline = false;           // report what a baseline would contain; nothing fails
  bool verify_with_libarchive = false;  // read every archive a second time and compare
  std::string cache;                    // a directory for facts of wheels from earlier runs; empty: no cache
  std::uint64_t cache_bytes = std::uint64_t{1} << 30;  // maximum size of the cache
  // Called after each member that is read, with the bytes done and the total bytes of one wheel. May be called from any
  // thread.
  std::function<void(std::string_view file, std::uint64_t done, std::uint64_t total)> progress;
  InputsOpen inputs_open;      // for check and check_conflicts; see open_inputs
  std::size_t max_open = 256;  // inputs that are opened at the start; the others are opened when they are read
};

// Reads one wheel. Writes nothing and does not follow paths out of the archive. progress: as in Settings, for this
// wheel. Errors: NotFound, NotAWheel, Rejected, OverLimit, Io.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;
Result<WheelFacts> read(const std::string& path, const Limits& limits, unsigned jobs, const Progress& progress = {});
Result<WheelFacts> read(const OpenedInput& archive, const Limits& limits, unsigned jobs, const Progress& progress = {});
// Reads a directory that contains an unpacked wheel. Facts of the archive stay empty: sizes, hashes, and the comparison
// with RECORD.
Result<WheelFacts> read_unpacked(const std::string& path, const Limits& limits, unsigned jobs,
                                 const Progress& progress = {});
// Reads an ELF file that is not in a wheel, or a directory of them. The facts have no name, tags or metadata. Error:
// NotAWheel if there is no ELF file.
Result<WheelFacts> read_elf_files(const std::string& path, const Limits& limits, unsigned jobs,
                                  const Progress& progress = {});
// Whether the directory has a *.dist-info. An unpacked wheel has one.
bool is_unpacked_wheel(const std::string& directory);
// The kind of input at a path. elf_files: as Settings::elf_files.
InputKind kind_of_input(const std::string& path, bool elf_files = false);
// The file name extension of facts files.
inline constexpr std::string_view facts_extension = ".jsonl.gz";
// Opens the inputs at `paths` and creates the directory of the cache. Calls Settings::inputs_open with everything that
// will be opened later: `besides`, unpacked wheels, the cache, and inputs beyond Settings::max_open. Returns one input
// per path, in order. If an input cannot be opened, the error is returned when it is read.
Result<std::vector<OpenedInput>> open_inputs(std::span<const std::string> paths, const Settings& settings,
                                             std::vector<std::string> besides = {});
// Reads any input. For an archive, uses the facts of an earlier run for the same bytes, if Settings::cache contains
// them. For a facts file, returns the facts that it contains; NotAWheel if Limits::imports requires more than they
// have.
Result<WheelFacts> read_any(const OpenedInput& input, const Settings& settings, unsigned jobs,
                            const Progress& progress = {});
// Reads the distributions that are installed in a directory: a site-packages, or a virtual environment with one.
// `names` ("foo", "foo[extra]") selects distributions and everything that they require; without names all are read. In
// that case the last result has the name not_installed and contains the files that no distribution lists. A
// distribution comes after those that it requires. A distribution that is not selected by name is omitted if it neither
// contains ELF files nor changes how libraries are loaded. Errors: NotFound, Usage, Io.
Result<std::vector<WheelFacts>> read_environment_distributions(const std::string& directory,
                                                               std::span<const std::string> names, const Limits& limits,
                                                               unsigned jobs, const Progress& progress = {});
// The directory that contains all of these files: the prefix of the environment, or the directory itself.
Result<std::string> environment_root(const std::string& directory);
inline constexpr std::string_view not_installed = "(not installed by pip)";
// The built-in policies, then those of `files` in order, which add or replace by name. Error: BadPolicy.
Result<PolicySet> load_policies(std::span<const std::string> files);
// The sonames that some manylinux policy allows.
StringSet manylinux_libraries(const PolicySet& policies);
// Resolves the needed libraries of all files. providers: other installed wheels that a search path can lead to.
// external: globs of sonames that other distributions provide.
Resolution resolve(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                   std::span<const std::string> external);
// Marks the libraries that come with the distributions that METADATA requires, with a driver, or with what an optional
// back end is for (Found::Required), and lists their sources. `of_systems`: the result of manylinux_libraries().
void mark_required(Resolution& resolution, const WheelFacts& wheel, const Knowledge& knowledge,
                   const std::function<StringSet()>& of_systems);
// The load of each root, step by step; `resolve` returns the worst result over all roots. A limit on the work applies:
// if it is exceeded, the loads of the last roots are omitted.
std::vector<Load> trace(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                        std::span<const std::string> external, std::span<const ElfIndex> roots);
// The built-in tables, then those of `files` in order, which add or replace by id. Error: BadPolicy.
Result<Knowledge> load_knowledge(std::span<const std::string> files);
// The analysis that rules and reports use; see analysis.h.
Analysis analyse(const WheelFacts& wheel, const Resolution& resolution, const Knowledge& knowledge,
                 const RuleOptions& options, unsigned jobs = 1);
// Attributes a symbol to a library by its name alone. An Attributor indexes the tables once and is for many symbols; it
// contains views into `knowledge`, which must outlive it.
class Attributor {
 public:
  explicit Attributor(const Knowledge& knowledge);
  ~Attributor();
  Attribution operator()(std::string_view symbol) const;

 private:
  std::unique_ptr<const analysis::Index> index_;
};
Attribution attribute(std::string_view symbol, const Knowledge& knowledge);
// The whole run: one entry per path, in order. Errors: of the settings (Usage, BadPolicy); an input that cannot be read
// is an entry of the report.
Result<Report> check(std::span<const std::string> paths, const Settings& settings);
// The same for the inputs that `open` returns: first those of Settings::providers, then the wheels. It is called after
// all other files were read, because it may take the right to open more (Settings::inputs_open).
using OpenInputs = std::function<Result<std::vector<OpenedInput>>()>;
Result<Report> check_opened(const OpenInputs& open, const Settings& settings);
// 0: no findings at or above fail_on; 1: at least one; 3: an input could not be read as a wheel. 3 takes precedence
// over 1.
int exit_code(const Report& report);
// Finds a renderer by name; null if there is none.
const Renderer* find_renderer(std::string_view name);

std::string_view version();  // of wheelcheck

}  // namespace wheelcheck
