// The answers of the smaller commands (document.h): what each is made of, and its builder. An answer refers to the
// arguments of its builder.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/shared/document.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/derive.h"
#include "wheelcheck/diff.h"
#include "wheelcheck/interfaces.h"
#include "wheelcheck/policies.h"
#include "wheelcheck/policy_words.h"
#include "wheelcheck/processors.h"
#include "wheelcheck/release.h"
#include "wheelcheck/remediation.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"
#include "wheelcheck/simulation.h"
#include "wheelcheck/system_compatibility.h"

namespace wheelcheck::report {

// --- why (docs/why.schema.json) --------------------------------------------------------------------------------------

// All unmet requirements: file, library, version node, symbols. Error Usage if the wheel was not assessed for the tag.
Result<Answer> why_answer(const WheelReport& wheel, std::string_view tag);
// What must be removed so that the wheel fits the tag; without a tag, the tag that is cheapest to reach, and the other
// levels. `paths` is the result of cheapest().
Result<Answer> why_cheapest_answer(const WheelReport& wheel, std::optional<std::string> tag,
                                   std::span<const RemediationPath> paths);

// --- tree (docs/tree.schema.json) ------------------------------------------------------------------------------------

// What is loaded with the files of a wheel, how each library is found, and which problems there are, as the resolver
// computed it.
struct Tree {
  const WheelReport& wheel;
  std::vector<Load> loads;
  std::size_t left_out = 0;  // number of roots that were skipped because their loads are too much work
};
Answer tree_answer(std::span<const Tree> trees, std::span<const WheelFacts> providers);

// --- runs-on (docs/runs-on.schema.json) ------------------------------------------------------------------------------

struct Compatibility {
  const WheelReport& wheel;
  WheelCompatibility reach;
  std::vector<ProcessorCompatibility> processors = {};  // in the order of the options
};
struct RunsOnOptions {
  std::span<const KnownSystem> systems;  // the `reach` members point into it
  std::string today;                     // the date for comparison with end-of-life dates; empty: not compared
  std::size_t ended = 0;                 // number of systems left out because they are past their end of life
  bool fail_on_broken = false;
  std::span<const KnownProcessor> processors = {};
  bool processors_only = false;  // the text shows no systems
};
Answer runs_on_answer(std::span<const Compatibility> wheels, const RunsOnOptions& options);

// --- interfaces (docs/interfaces.schema.json) ------------------------------------------------------------------------

struct Interfaces {
  const WheelReport& wheel;
  std::span<const WheelFacts> providers;
  WheelInterfaces found;
  std::string absent = {};  // NumPy, if the wheel requires it and the environment to compare with has none
};
Answer interfaces_answer(std::span<const Interfaces> wheels);
// The answer of a command of many wheels, with the inputs that it could not read in its JSON.
Answer with_unreadable(Answer answer, std::vector<Unreadable> inputs);
// By file name, a proposal of variant.json (PEP 825); null for a wheel that requires nothing that a variant can
// express.
std::string render_variants_json(std::span<const Interfaces> wheels);

// --- diff (docs/diff.schema.json) ------------------------------------------------------------------------------------

struct DiffOptions {  // what fails the run
  bool fail_on_new = false, fail_on_raised = false;
};
bool diff_fails(const Diff& diff, const DiffOptions& options);
Answer diff_answer(const Diff& diff, const DiffOptions& options);

// --- release (docs/release.schema.json) ------------------------------------------------------------------------------

int release_exit_code(const ReleaseReport& release);  // 1: an error, or one of `check` in a wheel; 3: one is unreadable
std::string release_sarif(const ReleaseReport& release);
Answer release_answer(const ReleaseReport& release);

// --- policy ----------------------------------------------------------------------------------------------------------

Answer levels_answer(std::span<const policy::Level> levels);
Document level_document(const policy::Level& level);  // its JSON is the policy file

Answer policy_change_answer(const PolicyChange& change);
Answer policy_changes_answer(std::span<const PolicyChange> changes);
std::string render_policy_change_markdown(const PolicyChange& change);  // a table, as in a PEP

Answer policy_check_answer(const PolicyCheck& check);

// `policy explain`: a word of policies, or a code of `policy validate`.
Answer meanings_answer(std::string_view word, std::span<const WordMeaning> meanings);
Answer mistake_answer(const PolicyMistake& mistake);

// What `policy derive` prints in addition to the policy: which root file system lacks which item.
Answer evidence_answer(const Derivation& derivation);

// docs/simulation.schema.json. fail_on_loss: the option of that name, which the last line names.
Answer simulation_answer(const Simulation& simulation, bool fail_on_loss);

}  // namespace wheelcheck::report
