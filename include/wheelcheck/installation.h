// An installation: several distributions in one site-packages, with the interpreter and the platform. It contains every
// file that one process could load. It is plain data; load_plan.h says which files are opened in which order.
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

// The origin of a file of the process.
struct Origin {
  enum class Kind {
    Distribution,  // a file of a distribution
    Interpreter,   // the program or libpython
    Stdlib,        // an extension module of the standard library (lib-dynload)
    Platform,      // a library of the system: read from disk, known from the shipped reference, or assumed
  };
  Kind kind = Kind::Platform;
  DistributionIndex distribution = {};  // of Kind::Distribution; `elf` likewise
  ElfIndex elf = {};
  std::string module = {};  // of Kind::Stdlib: "_ssl"
};

// A range of CPython 3 releases by their minor version: 11 is 3.11.
struct PythonReleases {
  static constexpr unsigned any = 1'000'000;
  unsigned oldest = 0, newest = any;
};

// The interpreter and the platform that distributions are combined with.
struct RuntimeInput {
  // Path of an interpreter with its lib-dynload; or "shared" or "static" for a shipped reference with or without a
  // libpython of its own. Empty: "shared". With musl these two are one, of which only the C API is known.
  std::string python;
  // Root file system with the platform's libraries; empty: the shipped reference, or with musl its C library alone.
  std::string sysroot;
  // Sonames that every system has. Those that no file provides are assumed to exist.
  StringSet promised;
  Limits limits;
  unsigned jobs = 1;
  Libc libc = Libc::Glibc;  // of the distributions: glibc or musl
  // The Python releases that the distributions are for. If the reference is of another release, it is used for the
  // nearest of them: names of the C API that it lacks are assumed to be defined.
  PythonReleases pythons = {};
};
// The result of adding them. It owns the ELF facts that the world points to.
struct Runtime {
  process::ObjectIndex main;
  std::vector<Origin> origins;                         // origins of the added files, in the order of World::files
  std::vector<std::unique_ptr<const ElfFacts>> facts;  // the facts that the world points to
  std::string description;                             // "CPython 3.11.2 and Debian 12, glibc 2.36"
};
// Adds the interpreter, its modules and the platform's libraries to `world`, and sets its platform. `world` must
// contain the files of the distributions and nothing else. Without `python` and `sysroot` no file is opened, so the
// result does not depend on the machine. Errors: NotFound, Io, OverLimit for the interpreter and the sysroot.
Result<Runtime> add_runtime(process::World& world, const RuntimeInput& input);

// All vectors with "by ObjectIndex" are parallel to World::files.
struct Installation {
  std::vector<Distribution> distributions;  // in the order given
  bool is_environment = false;              // they are all that a virtual environment has
  process::World world;                     // files of distributions have paths below site_packages
  process::ObjectIndex main;
  std::vector<Origin> origins;     // by ObjectIndex
  std::vector<std::string> names;  // by ObjectIndex: "numpy/linalg/lapack_lite...so", <main>, <libpython>, libc.so.6
  std::vector<std::unique_ptr<const ElfFacts>> facts;  // facts of the files that are not of a distribution
  std::string site_packages;                           // absolute path in the process: "/usr/lib/python3/site-packages"
  std::string description;                             // of the interpreter and the platform
  // The name of the project by the normalised name of a distribution, where they differ: tensorflow-cpu, tensorflow.
  std::map<std::string, std::string, std::less<>> projects;
  // The World entry of a distribution's ELF file. nullopt: not host code of the process's machine.
  std::vector<std::vector<std::optional<process::ObjectIndex>>> objects;  // by DistributionIndex, then ElfIndex

  // Null if the file is not of a distribution.
  const ElfMember* member(process::ObjectIndex object) const {
    const Origin& origin = origins[object.value];
    return origin.kind == Origin::Kind::Distribution
               ? &distributions[origin.distribution.value].facts.elfs[origin.elf.value]
               : nullptr;
  }
};

}  // namespace wheelcheck
