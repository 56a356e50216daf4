// Applies a configuration file to the settings of a run. An override in the file applies only to the wheels that its
// pattern matches.
#pragma once

#include <optional>
#include <string>

#include "wheelcheck/config.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::config {

// A single value replaces the previous one; list entries are added.
void apply(const ConfigKeys& keys, Settings& settings);
// The settings for one wheel; nullopt if no override matches it, so that those of the run apply.
std::optional<Settings> settings_for(const std::string& file, const Settings& run);

}  // namespace wheelcheck::config
