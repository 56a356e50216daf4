// The keys that a configuration file and its overrides may contain.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>

#include "config/fields.h"
#include "wheelcheck/config.h"

namespace wheelcheck::config {

std::span<const Field<ConfigKeys>> wheel_keys();
std::span<const Field<ExternalLibrary>> external_keys();
std::span<const Field<IgnoreRule>> ignore_keys();
std::span<const Field<NameRule>> export_rule_keys();  // of forbid-exports and allow-exports
std::span<const Field<NameRule>> needed_rule_keys();  // of forbid-needed

}  // namespace wheelcheck::config
