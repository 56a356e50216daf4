// What distributions do to each other in one process: bindings that differ from those that each would have without the
// others, grouped and graded; imports that fail; runtimes that are there twice. Facts for the rules of a set and for
// the report of `wheelcheck conflicts`. Pure functions of an installation and its load_plans.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/finding.h"
#include "wheelcheck/installation.h"
#include "wheelcheck/load_plan.h"
#include "wheelcheck/process.h"

namespace wheelcheck {

enum class RelationKind {
  Capture,       // bound to another distribution's file, though a file of its own defines the name
  Borrow,        // without the other distribution nobody would define the name
  Displaced,     // the library that it would use is not loaded, as another one has its soname
  SharedUnique,  // STB_GNU_UNIQUE: the process has one definition, and it is the other distribution's
};
std::string_view name_of(RelationKind kind);  // "capture"

// Why a relation is graded as it is; the first that applies, in this order.
enum class Reason {
  TypeInformation,  // only what the C++ ABI or the standard library lets be shared
  SameBuild,        // function by function of the same size
  AbiProof,         // function against data, or data of another size
  Incompatible,     // two implementations, or versions, that are known not to fit
  InlineCode,       // a few inline functions and templates, which each file has of its own
  OlderProvider,    // the provider's version is older than what was built against
  SameVersion,
  NewerProvider,
  UnknownVersion,
  MissingAlone,  // Borrow
};
std::string_view name_of(Reason reason);  // "abi-proof"

// One name, as one file asks for it.
struct TakenSymbol {
  std::string_view name;
  process::ObjectIndex from;
  // What it would be bound to, and what it is bound to; into the exports of the relation's own and provider.
  std::uint32_t own = process::unknown_definition, taken = process::unknown_definition;
};
struct LibraryInside {  // as identified in a file
  std::string id, name;
  std::optional<std::string> version;
};
struct Tally {
  std::uint32_t symbols = 0;                         // names
  std::uint32_t functions = 0;                       // of which both definitions are functions
  std::uint32_t data = 0;                            // ... data
  std::uint32_t standard = 0;                        // type information, std: let be shared
  std::uint32_t kind_differs = 0, size_differs = 0;  // function against data, TLS against not; data of another size
  std::uint32_t functions_equal = 0;                 // functions of the same size
};
struct Relation {
  RelationKind kind = RelationKind::Capture;
  std::optional<DistributionIndex>
      distribution;                         // whose reference it is; nullopt: the standard library's or the platform's
  DistributionIndex provider_distribution;  // of `provider`
  process::ObjectIndex own;                 // what would have answered; of Borrow: the file that asks
  process::ObjectIndex provider;            // what answers
  std::vector<process::ObjectIndex> by;     // the files that ask
  std::vector<TakenSymbol> symbols;         // each name once, sorted
  std::vector<TakenSymbol> examples;        // at most 5 of them: what proves the grade first
  std::vector<std::string> shown;           // their names as they were written, not mangled
  Tally tally;
  std::optional<LibraryInside> library, provider_library;  // whose names they are, mostly
  Reason reason = Reason::UnknownVersion;
  Severity severity = Severity::Warning;
  Confidence confidence = Confidence::High;
  std::vector<std::uint32_t> load_plans;  // in which it happens
  bool maybe = false;                     // only if something is imported that need not be
  bool required = false;                  // the metadata of `distribution` requires the provider
  std::optional<FlagSource> published;    // what made the provider global
};

// An open that fails.
struct ImportFailure {
  std::uint32_t load_plan = 0;
  process::Moment at;
  std::optional<DistributionIndex> distribution;
  std::string module, error;  // "" for a library
  bool fatal = false, maybe = false;
  std::optional<process::Missing> missing = {};
  bool alone = false;    // it fails without the others too, with what its metadata requires
  bool outside = false;  // what it lacks may be in a distribution or library that was not given
};
// Two or more files of one process of which it can bear one.
struct RuntimeTwice {
  struct Copy {
    process::ObjectIndex object;
    LibraryInside library;
  };
  std::string family;  // of KnownLibrary: "openmp"
  std::vector<Copy> copies;
  Severity severity = Severity::Info;
  std::vector<std::uint32_t> load_plans;
};
// What one distribution puts into the global scope.
struct Publication {
  DistributionIndex distribution;
  std::vector<process::ObjectIndex> files;
  std::uint64_t exports = 0;
  std::optional<FlagSource> flags;
};

struct Conflicts {
  Installation installation;
  std::vector<LoadPlan> load_plans;
  std::vector<process::Outcome> outcomes;  // by load plan
  std::vector<Relation> relations;         // worst first
  std::vector<ImportFailure> failures;
  std::vector<RuntimeTwice> runtimes;
  std::vector<Publication> publications;  // of the first load plan
  std::vector<std::string> not_known;     // what could not be opened, read or modelled; not empty: incomplete
  std::size_t files_opened = 0, references_bound = 0;  // by the load plan that has most
};

}  // namespace wheelcheck
