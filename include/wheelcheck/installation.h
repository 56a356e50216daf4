// Several distributions in one site-packages, with the interpreter and the platform around them: all that one process
// could load. Plain data; who opens what in which order is told by load_plan.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/index.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/process.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

using DistributionIndex = Index<struct DistributionTag>;  // into Installation::distributions

// One distribution: from a wheel, an unpacked wheel, or installed in an environment.
struct Distribution {
  WheelFacts facts;
  Resolution resolution;
  Analysis analysis;
};

// Whose a file of the process is.
struct Origin {
  enum class Kind {
    Distribution,  // a distribution's
    Interpreter,   // the program, libpython
    Stdlib,        // an extension module of the standard library (lib-dynload)
    Platform,      // a library of the system, read, known from the shipped reference, or assumed
  };
  Kind kind = Kind::Platform;
  DistributionIndex distribution = {};  // of Distribution, as is `elf`
  ElfIndex elf = {};
  std::string module = {};  // of Stdlib: "_ssl"
};

// Releases of CPython 3 by their minor version: 11 is 3.11.
struct PythonReleases {
  static constexpr unsigned any = 1'000'000;
  unsigned oldest = 0, newest = any;
};

// What stands around the distributions.
struct SurroundingsInput {
  // An interpreter, with its lib-dynload beside it; or "shared", "static": the shipped references, by whether libpython
  // is a library of its own; empty: "shared".
  std::string python;
  std::string sysroot;  // a root file system whose libraries are the platform's; empty: the shipped reference
  StringSet promised;   // sonames that every promised system has; those that nothing else provides are assumed
  Limits limits;
  unsigned jobs = 1;
  // That the distributions are for. A reference of another release stands for the nearest of them: of the C API, names
  // that it lacks are taken to be there.
  PythonReleases pythons = {};
};
struct Surroundings {
  process::ObjectIndex main;
  std::vector<Origin> origins;                         // of what was added, in the order of World::files
  std::vector<std::unique_ptr<const ElfFacts>> facts;  // that the world points to
  std::string description;                             // "CPython 3.11.2 and Debian 12, glibc 2.36"
};
// Adds the interpreter, its modules and the platform's libraries to `world`, whose files so far are the distributions',
// and sets its platform. Without python and sysroot no file is opened: the answer does not depend on the machine.
Result<Surroundings> furnish(process::World& world, const SurroundingsInput& input);

struct Installation {
  std::vector<Distribution> distributions;  // in the order given
  process::World world;                     // paths below site_packages for what lies there
  process::ObjectIndex main;
  std::vector<Origin> origins;     // by ObjectIndex
  std::vector<std::string> names;  // by ObjectIndex: "numpy/linalg/lapack_lite...so", <main>, <libpython>, libc.so.6
  std::vector<std::unique_ptr<const ElfFacts>> facts;  // of what no distribution holds
  std::string site_packages;                           // absolute, of the process: "/usr/lib/python3/site-packages"
  std::string description;                             // of the surroundings
  // By the normalised name of a distribution: the project that it is, where that has another name: tensorflow-cpu,
  // tensorflow.
  std::map<std::string, std::string, std::less<>> projects;
  // Of a distribution's file: its World entry. nullopt: not host code of the process's machine.
  std::vector<std::vector<std::optional<process::ObjectIndex>>> objects;  // by DistributionIndex, then ElfIndex

  const ElfMember* member(process::ObjectIndex object) const {  // null: no distribution's
    const Origin& origin = origins[object.value];
    return origin.kind == Origin::Kind::Distribution
               ? &distributions[origin.distribution.value].facts.elfs[origin.elf.value]
               : nullptr;
  }
};

}  // namespace wheelcheck
