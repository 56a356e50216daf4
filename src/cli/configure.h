// Combines the command line with the configuration file and the baseline into the settings of a run. The command line
// has precedence.
#pragma once

#include "cli/options.h"

namespace wheelcheck::cli {

void add_config_options(CLI::App& app, ConfigurationOptions& options);    // --config, --no-config
void add_term_options(CLI::App& app, Options& options);                   // --require-tag, --today
void add_baseline_options(CLI::App& app, ConfigurationOptions& options);  // --baseline, --write-baseline
void add_check_options(CLI::App& app, Options& options);  // these and all other options of `check`, except the inputs

// Reads the files that the options name, or the nearest configuration file, and opens the baseline for writing. If the
// result is not 0, the run ends with that exit code; a message is already on stderr. Does nothing if the command has no
// add_config_options.
int configure(Options& options);
// False on failure; a message is already on stderr.
bool write_baseline(const ConfigurationOptions& options, const Report& report);

}  // namespace wheelcheck::cli
