// The verbs: read, resolve, assess, judge, render. Each is a pure function of its arguments, but for read, which opens
// one file, and read_any, which may keep a directory of facts besides.
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

struct Provider {
  std::string distribution;  // as given in --provider DIST=WHEEL
  std::string wheel;         // path
};
struct Settings {
  Limits limits;
  unsigned jobs = 1;  // threads; no answer depends on it
  Severity fail_on = Severity::Error;
  bool never_fail = false;            // --fail-on never
  std::vector<std::string> external;  // globs of sonames that other distributions provide
  std::vector<Provider> providers;
  std::vector<std::string> policies;        // files or directories that add to or replace the built-in ones
  std::vector<std::string> knowledge;       // files that add to or replace the built-in tables of data/
  std::vector<std::string> select, ignore;  // rule code prefixes or names
  bool pedantic = false;                    // pedantic rules take part
  RuleOptions rules;
  std::vector<std::string> required_tags;       // of which the content must fit one, whatever the wheel claims
  std::vector<TagsOfMachine> tags_of_machines;  // the same, of content for some machines
  std::vector<SeverityOverride> severities;
  std::vector<IgnoreRule> ignores;
  std::optional<Date> today;                // that the ends of `ignores` are held against; else none has ended
  std::optional<ConfigFile> configuration;  // where some of these settings are from, to be told in the report
  std::vector<ConfigOverride> overrides;    // for wheels of some names
  std::optional<Baseline> baseline;         // findings that do not fail
  // Facts lose their exports, their references and their imports without a version once the rules were applied, so that
  // the report of many large wheels fits into memory. No output format of `check` shows them.
  bool drop_symbols = false;
  bool elf_files = false;               // ELF files outside of wheels, and directories of them, are read as well
  bool make_baseline = false;           // report what a baseline would hold; nothing fails
  bool verify_with_libarchive = false;  // read every archive a second time and compare
  std::string cache;                    // a directory that keeps facts of wheels from run to run; empty: none
  std::uint64_t cache_bytes = std::uint64_t{1} << 30;  // what it may hold
  // Called after each member that was read: bytes done and in all, of one wheel. May come from any thread.
  std::function<void(std::string_view file, std::uint64_t done, std::uint64_t total)> progress;
  InputsOpen inputs_open;       // of check and check_conflicts: see open_inputs
  std::size_t most_open = 256;  // inputs that are held open; the others are opened when their turn comes
};

// Reads one wheel. Never writes, never follows a path out of the archive. progress: as in Settings, for this wheel.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;
Result<WheelFacts> read(const std::string& path, const Limits& limits, unsigned jobs, const Progress& progress = {});
Result<WheelFacts> read(const OpenedInput& archive, const Limits& limits, unsigned jobs, const Progress& progress = {});
// Reads a directory that holds an unpacked wheel. What is the archive's own stays empty: sizes, hashes, and the
// comparison with RECORD.
Result<WheelFacts> read_unpacked(const std::string& path, const Limits& limits, unsigned jobs,
                                 const Progress& progress = {});
// Reads an ELF file that is in no wheel, or a directory of them: no name, no tags, no metadata.
Result<WheelFacts> read_elf_files(const std::string& path, const Limits& limits, unsigned jobs,
                                  const Progress& progress = {});
InputKind kind_of_input(const std::string& path, bool elf_files = false);
inline constexpr std::string_view kept_ending = ".jsonl.gz";
// Opens what is to be read, makes the directory of the cache, and calls Settings::inputs_open with what will be opened
// later: `besides`, unpacked wheels, the cache, and inputs past Settings::most_open. One input a path, in order; that
// one cannot be opened is told where it is read.
Result<std::vector<OpenedInput>> open_inputs(std::span<const std::string> paths, const Settings& settings,
                                             std::vector<std::string> besides = {});
// Reads any of them. Of an archive, what an earlier run kept of the same bytes, where Settings::cache has it. Of kept
// facts, what they say; NotAWheel where Limits::imports asks for more than they have.
Result<WheelFacts> read_any(const OpenedInput& input, const Settings& settings, unsigned jobs,
                            const Progress& progress = {});
// Distributions that are installed in a directory: a site-packages, or a virtual environment with one. `names` ("foo",
// "foo[extra]") and what they need; without names all, and last, under the name not_installed, the files that none of
// them lists. Each stands after what it needs. Where it was not asked for by name, it is left out if it neither holds
// ELF files nor changes how libraries are loaded.
Result<std::vector<WheelFacts>> read_environment_distributions(const std::string& directory,
                                                               std::span<const std::string> names, const Limits& limits,
                                                               unsigned jobs, const Progress& progress = {});
// The directory below which all of that lies: the prefix of the environment, or the directory itself.
Result<std::string> environment_root(const std::string& directory);
inline constexpr std::string_view not_installed = "(not installed by pip)";
// The policies compiled into the program, then those of `files` in order, which add or replace by name.
Result<PolicySet> load_policies(std::span<const std::string> files);
// Sonames that some manylinux policy promises of every system.
StringSet promised_libraries(const PolicySet& policies);
// providers: wheels installed beside it, of whose files a search path may find one. external: globs of sonames.
Resolution resolve(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                   std::span<const std::string> external);
// How each root's load goes, step by step; `resolve` has the worst that any of them met. Past a bound on work the loads
// of the last roots are left out.
std::vector<Load> trace(const WheelFacts& wheel, std::span<const WheelFacts> providers,
                        std::span<const std::string> external, std::span<const ElfIndex> roots);
// The tables compiled into the program, then those of `files` in order, which add or replace by id. BadPolicy.
Result<Knowledge> load_knowledge(std::span<const std::string> files);
Analysis analyse(const WheelFacts& wheel, const Resolution& resolution, const Knowledge& knowledge,
                 const RuleOptions& options, unsigned jobs = 1);
// Whose a symbol is, by its name alone. For many symbols make one Attributor, which arranges the tables once; it keeps
// views into `knowledge`.
class Attributor {
 public:
  explicit Attributor(const Knowledge& knowledge);
  ~Attributor();
  Attribution operator()(std::string_view symbol) const;

 private:
  std::unique_ptr<const analysis::Index> index_;
};
Attribution attribute(std::string_view symbol, const Knowledge& knowledge);
// The whole run: one entry a path, in order.
Result<Report> check(std::span<const std::string> paths, const Settings& settings);
// The same for open inputs: first those of Settings::providers, then the wheels.
Result<Report> check_opened(std::vector<OpenedInput> opened, const Settings& settings);
// 0 clean, 1 findings at or above fail_on, 3 an input could not be read as a wheel. 3 wins over 1.
int exit_code(const Report& report);
// Looks up a renderer by name; null if there is none.
const Renderer* find_renderer(std::string_view name);

std::string_view version();  // of wheelcheck

}  // namespace wheelcheck
