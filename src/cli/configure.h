// Between the words and the settings: the configuration file and the baseline. What is said on the command line wins.
#pragma once

#include "cli/options.h"

namespace wheelcheck::cli {

void add_config_options(CLI::App& app, Options& options);    // --config, --no-config
void add_term_options(CLI::App& app, Options& options);      // --require-tag, --today
void add_baseline_options(CLI::App& app, Options& options);  // --baseline, --write-baseline
void add_check_options(CLI::App& app, Options& options);     // these and all others of `check` but what is checked

// Reads the files that the options name, or the nearest configuration, and opens the baseline that is to be written.
// What is not 0 ends the run, after a message on stderr, with that exit code. SystemRequirements nothing where the
// command has no add_config_options.
int configure(Options& options);
// False after a message on stderr.
bool write_baseline(const Options& options, const Report& report);

}  // namespace wheelcheck::cli
