// An environment on disk: a directory with installed files, the program that runs there, and a plan of what is opened.
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
  std::string directory;  // read for ELF files, all below it
  std::string plan;       // a JSON file, docs/plan.schema.json
  std::string python;     // as SurroundingsInput::python, where the plan names no program
  std::string sysroot;    // where the platform's libraries lie; empty: the shipped reference
  Limits limits;
  unsigned jobs = 1;
  InputsOpen inputs_open = {};  // called when the plan was read: links and run paths may lead to any file
};

struct Environment {
  process::World world;
  process::Plan plan;
  std::vector<std::string> names;                      // by ObjectIndex, as a report shows them
  std::vector<std::unique_ptr<const ElfFacts>> facts;  // that the world points to
};

// Whether the interpreter or the platform around the files is read from disk, and not only from the shipped references.
bool reads_surroundings(const std::string& python, const std::string& sysroot);
// platform: names of libraries that every promised system has; those that are not found are assumed.
Result<Environment> read_environment(const EnvironmentInput& input, const StringSet& platform);

struct Prediction {
  Environment environment;
  process::Outcome outcome;
};
// Reads, with the libraries of the built-in manylinux policies as the platform, and plays the plan.
Result<Prediction> predict_environment(const EnvironmentInput& input);

}  // namespace wheelcheck
