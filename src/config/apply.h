// What a configuration file says, put into the settings of a run.
#pragma once

#include <optional>
#include <string>

#include "wheelcheck/config.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::config {

// A key takes the place of what was set; entries add to it.
void apply(const ConfigKeys& keys, Settings& settings);
// The settings for one wheel; nullopt where no override is for it, so that those of the run hold.
std::optional<Settings> settings_for(const std::string& file, const Settings& run);

}  // namespace wheelcheck::config
