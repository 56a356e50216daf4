// The effects that distributions have on each other in one process. A process has one list of loaded libraries and one
// global scope, so the libraries of one distribution can change how symbols of another are bound. For each load plan
// the bindings are compared with those that each distribution has when it is loaded without the others. The differences
// are grouped and graded; imports that fail, and runtimes of which the process has two copies, are listed as well. All
// functions are pure functions of an installation and its load plans. The rules about several wheels and the report of
// `wheelcheck conflicts` use these facts.
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

// How the binding of a symbol differs from the one without the other distribution.
enum class RelationKind {
  Capture,       // bound to a file of another distribution, although a file of its own distribution defines the name
  Borrow,        // bound to a file of another distribution; without it no file defines the name
  Displaced,     // its own library is not loaded, because another library with the same soname is
  SharedUnique,  // STB_GNU_UNIQUE: the process has one definition, and it is in the other distribution
};
std::string_view name_of(RelationKind kind);  // "capture"

// Why a relation has its grade. The first that applies, in this order.
enum class Reason {
  TypeInformation,  // only symbols that the C++ ABI or the standard library intends to be shared
  SameBuild,        // all functions have the same sizes
  AbiProof,         // a function instead of data, or data of another size
  Incompatible,     // two implementations, or versions, that are known to be incompatible
  Divided,          // a library that the user requires goes on with the own copy, and passes it objects
  InlineCode,       // a few inline functions and templates, of which each file has a copy
  OlderProvider,    // the provider's version is older than the one that the user was built against
  SameVersion,
  NewerProvider,
  UnknownVersion,
  MissingAlone,  // of Borrow
};
std::string_view name_of(Reason reason);  // "abi-proof"

// One symbol name, as one file requires it.
struct TakenSymbol {
  std::string_view name;
  process::ObjectIndex from;
  // The definition that it would be bound to, and the one that it is bound to. Indices into the exports of
  // Relation::own and Relation::provider.
  std::uint32_t own = process::unknown_definition, taken = process::unknown_definition;
};
// A library that is identified in a file.
struct LibraryInside {
  std::string id, name;
  std::optional<std::string> version;
};
// Counts over the symbols of a relation.
struct Tally {
  std::uint32_t symbols = 0;    // distinct names
  std::uint32_t functions = 0;  // both definitions are functions
  std::uint32_t data = 0;       // both definitions are data
  std::uint32_t standard = 0;   // type information and namespace std, which are intended to be shared
  // A function instead of data, or TLS instead of not TLS; data of another size.
  std::uint32_t kind_differs = 0, size_differs = 0;
  std::uint32_t functions_equal = 0;  // functions of the same size
};
// A group of symbols of one distribution that another distribution provides, for the same reason and between the same
// files.
struct Relation {
  RelationKind kind = RelationKind::Capture;
  // The distribution that requires the symbols. nullopt: the standard library or the platform.
  std::optional<DistributionIndex> distribution;
  DistributionIndex provider_distribution;  // the distribution of `provider`
  process::ObjectIndex own;       // the file that would provide the symbols; of Borrow: the file that requires them
  process::ObjectIndex provider;  // the file that provides the symbols
  std::vector<process::ObjectIndex> by;  // the files that require them
  std::vector<TakenSymbol> symbols;      // each name once, sorted
  std::vector<TakenSymbol> examples;     // at most 5 of `symbols`; those that prove the grade first
  std::vector<std::string> shown;        // their names in the source language (demangled)
  Tally tally;
  std::optional<LibraryInside> library, provider_library;  // the library that most of the names belong to
  Reason reason = Reason::UnknownVersion;
  Severity severity = Severity::Warning;
  Confidence confidence = Confidence::High;
  std::vector<std::uint32_t> load_plans;  // indices of the load plans in which it happens
  // Load plans in which `distribution` comes before the provider's, and it happens only because modules whose import is
  // uncertain come last.
  std::vector<std::uint32_t> late_plans;
  // Load plans in which a library that one of `by` requires was bound to `own` before the provider came. Only of
  // libraries of the system whose objects their users pass to each other.
  std::vector<std::uint32_t> divided;
  bool maybe = false;                   // happens only with opens that are possible, not certain (PlannedOpen::maybe)
  bool required = false;                // the metadata of `distribution` requires the provider's distribution
  std::optional<FlagSource> published;  // why the provider is in the global scope
};

// An open that fails.
struct ImportFailure {
  std::uint32_t load_plan = 0;
  process::Moment at;
  std::optional<DistributionIndex> distribution;
  std::string module, error;  // `module` is "" for a library
  bool fatal = false, maybe = false;
  std::optional<process::Missing> missing = {};
  bool alone = false;    // it also fails without the other distributions, with only what its metadata requires
  bool outside = false;  // what is missing may be in a distribution or library that is not part of the run
  std::optional<DistributionIndex> lost = {};  // whose RECORD lists the missing library, although it is not there
  // It fails where `distribution` is the first import of the process, and not where this one is imported before.
  std::optional<DistributionIndex> import_first = {};
};
// Several copies of a library of which a process can have only one, such as OpenMP runtimes.
struct RuntimeTwice {
  struct Copy {
    process::ObjectIndex object;
    LibraryInside library;
  };
  std::string family;  // KnownLibrary::family: "openmp"
  std::vector<Copy> copies;
  Severity severity = Severity::Note;
  std::vector<std::uint32_t> load_plans;
};
// What one distribution adds to the global scope.
struct Publication {
  DistributionIndex distribution;
  std::vector<process::ObjectIndex> files;
  std::uint64_t exports = 0;
  std::optional<FlagSource> flags;
};

// The result for one installation. All indices refer to `installation` and `load_plans`.
struct Conflicts {
  Installation installation;
  std::vector<LoadPlan> load_plans;
  std::vector<process::Outcome> outcomes;  // by load plan
  std::vector<Relation> relations;         // worst first
  std::vector<ImportFailure> failures;
  std::vector<RuntimeTwice> runtimes;
  std::vector<Publication> publications;  // of the first load plan
  // What could not be opened, read or modelled. Not empty: the answer is incomplete.
  std::vector<std::string> not_known;
  std::size_t files_opened = 0, references_bound = 0;  // of the load plan with most
  // The last files of the world are only assumed: libraries that nobody has and without which an import fails. The
  // outcomes are as if they were there, so that the rest is judged.
  std::size_t assumed_files = 0;
  // By distribution: whose import loads it. Of libraries alone (PyQt5-Qt5), the first that requires it.
  std::vector<DistributionIndex> importers;
};

}  // namespace wheelcheck
