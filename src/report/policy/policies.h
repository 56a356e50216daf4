// The output of `wheelcheck policy`: levels, the differences between two levels, and the problems of a policy file.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "report/shared/text.h"
#include "wheelcheck/policies.h"

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

}  // namespace wheelcheck::report
