#include "cli/lockdown.h"

#include <fmt/format.h>

#include "sandbox/sandbox.h"

namespace wheelcheck::cli {
namespace {

// For streams, libraries, the report, directories that are walked, and the files of a cache in each thread.
constexpr std::size_t other_files = 64, files_of_a_thread = 4;

std::size_t most_inputs(unsigned jobs) {
  const std::size_t all = sandbox::raise_open_files(), others = other_files + files_of_a_thread * jobs;
  return all > others ? all - others : 1;
}

Result<void> lock_down(const Options& options, const OpenedLater& later) {
  if (options.sandbox == "off") return {};
  if (later.files > 0)
    fmt::print(
        stderr,
        "wheelcheck: {} of the wheels are more than may be open at once; in the sandbox they are opened when their "
        "turn comes, and they alone\n",
        later.files);
  return sandbox::lock_down({.read = later.read, .write = later.cache, .outputs = options.outputs},
                            options.sandbox == "require" ? sandbox::Demand::All : sandbox::Demand::WhatThereIs);
}

}  // namespace

void enter_sandbox_once_open(Options& options) {
  options.settings.most_open = most_inputs(options.settings.jobs);
  options.settings.inputs_open = [&options](const OpenedLater& later) { return lock_down(options, later); };
}

}  // namespace wheelcheck::cli
