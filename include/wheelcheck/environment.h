// An environment on disk: a directory with installed files, the program that runs there, and a plan of what is opened.
// It is the input of the loader model (process.h) when the files are not wheels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wheelcheck/input.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/process.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

struct EnvironmentInput {
  std::string directory;  // the ELF files below it are read
  std::string plan;       // path of a JSON file (docs/plan.schema.json)
  std::string python;     // as RuntimeInput::python; used if the plan names no program
  std::string sysroot;    // root of the file system with the platform's libraries; empty: the shipped reference
  Limits limits;
  unsigned jobs = 1;
  InputsOpen inputs_open = {};  // called after the plan is read; links and run paths can lead to any file
};
// The files of the process and the plan. It owns the ELF facts that `world` points to.

struct Environment {
  process::World world;
  process::Plan plan;
  std::vector<std::string> names;                      // by ObjectIndex, for reports
  std::vector<std::unique_ptr<const ElfFacts>> facts;  // the facts that `world` points to
};

// True if the interpreter or the platform is read from disk, and not only from the shipped references.
bool reads_runtime(const std::string& python, const std::string& sysroot);
// Reads the directory and the plan. platform: sonames that every system has; those that are not found are assumed to
// exist. Errors: NotFound, Io, OverLimit; Usage for a plan that is not valid.
Result<Environment> read_environment(const EnvironmentInput& input, const StringSet& platform);

struct Prediction {
  Environment environment;
  process::Outcome outcome;
};
// Reads the environment and runs its plan in the loader model. The platform is the set of libraries that the built-in
// manylinux policies allow. Errors: as read_environment.
Result<Prediction> predict_environment(const EnvironmentInput& input);

}  // namespace wheelcheck
