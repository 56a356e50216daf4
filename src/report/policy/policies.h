// The output of `wheelcheck policy`: levels, differences of levels, problems of a file, words explained, and the
// evidence of a derived level.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/shared/text.h"
#include "wheelcheck/derive.h"
#include "wheelcheck/policies.h"
#include "wheelcheck/policy_words.h"

namespace wheelcheck::report {

std::string render_levels_text(std::span<const policy::Level> levels, const Paint& paint = {});
std::string render_levels_json(std::span<const policy::Level> levels);

std::string render_level_text(const policy::Level& level, const Paint& paint = {});

std::string render_policy_change_text(const PolicyChange& change, const Paint& paint = {});
std::string render_policy_change_json(const PolicyChange& change);
std::string render_policy_changes_json(std::span<const PolicyChange> changes);
std::string render_policy_change_markdown(const PolicyChange& change);  // a table, as in a PEP

std::string render_policy_check_text(const PolicyCheck& check);
std::string render_policy_check_json(const PolicyCheck& check);

// The output of `wheelcheck policy explain`.
std::string render_meanings_text(std::string_view word, std::span<const WordMeaning> meanings, const Paint& paint = {});
std::string render_meanings_json(std::string_view word, std::span<const WordMeaning> meanings);
std::string render_mistake_text(const PolicyMistake& mistake, const Paint& paint = {});
std::string render_mistake_json(const PolicyMistake& mistake);

// The evidence that `wheelcheck policy derive` prints in addition to the policy: which root file system lacks which
// item.
std::string render_evidence_text(const Derivation& derivation, const Paint& paint = {});
std::string render_evidence_json(const Derivation& derivation);

}  // namespace wheelcheck::report
