// A model of one process and its dynamic loader. The input is plain data: the files that the process could load, the
// program, and a plan of what it opens in which order. The output is what the loader would do: the definition that each
// symbol reference is bound to, the errors, and the global scope. Nothing is executed. The loaders of glibc and
// musl are modelled, from these sources: glibc elf/dl-open.c, elf/dl-deps.c, elf/dl-load.c, elf/dl-lookup.c,
// elf/dl-version.c, elf/dl-reloc.c, elf/rtld.c; musl ldso/dynlink.c. docs/loader.md lists the parts that are modelled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/elf.h"
#include "wheelcheck/index.h"

namespace wheelcheck::resolver {
class Definitions;
}

namespace wheelcheck::process {

using ObjectIndex = Index<struct ProcessObjectTag>;  // into World::files

// A platform library of which only the name and a few properties are known. It is found by its name if no file has that
// name. It is assumed to define every version that is required of it. It is assumed to define a name without a version
// only if no file defines that name.
struct Assumed {
  bool versioned = false;                  // all its symbols have versions, so it does not define a name without one
  std::vector<std::string> prefixes = {};  // prefixes of its names without a version; empty: any name
  // Definitions that it provides although the version need names another library: all names of the libraries
  // `speaks_for`, and the names `also`.
  std::vector<std::string> speaks_for = {}, also = {};
};

// A file of the file system that the process uses.
struct File {
  std::string path;                       // absolute, without "." and ".."; of an assumed file its name
  const ElfFacts* facts = nullptr;        // null: not an ELF file, or an assumed file; not owned
  bool too_short = false;                 // not an ELF file, and shorter than an ELF header
  std::vector<std::string> aliases = {};  // other absolute paths of the file: symbolic and hard links
  std::optional<Assumed> assumed = {};
  // The file comes from a reference system and represents other releases as well. A version that it lacks is assumed to
  // be defined if a file requires it by name, and the versions that it needs are assumed to exist.
  bool reference = false;
  // Prefixes of names without a version that it is assumed to define if no file does. They cover the C API of other
  // releases of CPython than that of the reference.
  std::vector<std::string> further = {};
};

struct Glibc {
  unsigned major = 2, minor = 36;
  auto operator<=>(const Glibc&) const = default;
};

enum class Loader : std::uint8_t { Glibc, Musl };

// The machine and its C library, as far as the result depends on them.
struct Platform {
  Loader loader = Loader::Glibc;
  Glibc glibc;  // of a platform with glibc
  // Searched last: the directories of ld.so.conf (instead of ld.so.cache, which is made from them), then the system
  // directories.
  std::vector<std::string> directories = {};
  std::string lib = "lib64", platform = "x86_64";  // values of $LIB and $PLATFORM
  std::vector<std::string> hwcaps = {};            // subdirectories of glibc-hwcaps/ that are searched, best first
};

// The files that exist before the process starts. Their order has no meaning.
struct World {
  std::vector<File> files;
  Platform platform;
};

// Flags of dlopen(3).
struct OpenFlags {
  bool lazy = false;  // RTLD_LAZY, also if RTLD_NOW is set; Python's default is RTLD_NOW
  bool global = false, deepbind = false, noload = false, nodelete = false;
};
// The kind of call. It determines the error text and whether a repeated call opens the file again.
enum class OpenBy {
  Import,  // the import of an extension module; not repeated after a success
  Dlopen,  // a call of dlopen
  Ctypes,  // ctypes.CDLL
};
// One call that opens a library.
struct Open {
  std::string name;  // argument of dlopen: with a slash a path, otherwise a name to search for; empty: the program
  OpenFlags flags = {};
  OpenBy by = OpenBy::Dlopen;
  // The file whose search paths are used for a name without a slash. nullopt: the program.
  std::optional<ObjectIndex> caller = {};
  // Calls by constructors of the opened files. They run after relocation and before RTLD_GLOBAL takes effect.
  std::vector<Open> constructors = {};
};
// Opens in sequence. A failed open does not end the step, as if the caller catches the error.
struct Step {
  std::vector<Open> opens;
};
// Environment variables of the loader, and the working directory.
struct Environment {
  bool bind_now = false;                       // LD_BIND_NOW
  bool dynamic_weak = false;                   // LD_DYNAMIC_WEAK
  std::vector<std::string> preload = {};       // LD_PRELOAD
  std::vector<std::string> library_path = {};  // LD_LIBRARY_PATH, split into its elements
  std::string directory = "/";                 // the working directory
};
// What the process does. `main` is started first, then the steps run in order.
struct Plan {
  ObjectIndex main;
  std::vector<Step> steps;
  Environment environment = {};
  std::vector<std::string> traced = {};  // symbol names whose look-ups are recorded in Outcome::searches
};

// How a reference is bound.
enum class BindingResult : std::uint8_t {
  Plain,      // the first definition in scope order
  Unique,     // STB_GNU_UNIQUE: the definition that the process used first
  Protected,  // STV_PROTECTED: the definition of the file itself, although another one is earlier
  // An assumed library is assumed to define it. Without `to`, it is not known which one.
  Platform,
  WeakNull,  // no definition, and the reference is weak: the address is null
  // No definition. The open fails; a lazily bound function fails at its first call and ends the process.
  Missing,
};
inline constexpr std::uint32_t unknown_definition = UINT32_MAX;
struct BoundReference {
  // The binding of one reference.
  ObjectIndex from;
  std::uint32_t reference = 0;  // index into DynamicFacts::references of `from`
  std::optional<ObjectIndex> to;
  std::uint32_t definition = unknown_definition;  // index into DynamicFacts::exports of `to`
  BindingResult way = BindingResult::Plain;
  // A lazily bound jump slot. It is looked up in the scopes as they are after the last step.
  bool lazy = false;
  bool undone = false;  // the open failed, and `from` was unloaded
};

// What a failed open lacks, if ld.so reports it.
struct Missing {
  enum class What {
    Library,    // `name` is not found by the search of `from`
    Symbol,     // `name`, with `version` if not empty: no file in the scopes of `from` defines it
    Version,    // `library` does not define `version`
    VersionOf,  // a version need of `from` names the library `name`, which is not loaded: an assertion of ld.so fails
    // `library` needs `bytes` in the static TLS block, of which `free` bytes remain.
    StaticTls,
  };
  What what = What::Library;
  ObjectIndex from = {};
  std::string name = {}, version = {};
  std::optional<ObjectIndex> library = {};
  std::uint64_t bytes = 0, free = 0;
};
// An open that fails.
struct Failure {
  std::uint32_t step = 0, open = 0;  // from 0
  // Text of dlerror, or of CPython if dlerror has none. Empty if there is neither (RTLD_NOLOAD).
  std::string error;
  bool fatal = false;     // the process ends here
  bool nested = false;    // an open by a constructor, not one of the plan
  bool given_up = false;  // the limit of steps is reached: the model ends here, and the real process would continue
  std::optional<Missing> missing = {};
};
// A file that joins the global scope.
struct Published {
  ObjectIndex file;
  std::uint32_t step = 0, open = 0;  // from 0
};
// An open of the plan.
struct Moment {
  std::uint32_t step = 0, open = 0;  // from 0
};
struct Loaded {
  ObjectIndex file;
  std::optional<Moment> by;  // nullopt: with the program
};
// One look-up of a traced name: the lists that are searched, as they are at that time.
struct Search {
  struct List {
    ObjectIndex of;      // the file whose searchlist it is; that of the program is the global scope
    bool alone = false;  // only that file is searched (DT_SYMBOLIC)
    std::vector<ObjectIndex> files;
  };
  std::uint32_t bound = 0;   // index into Outcome::bound
  std::optional<Moment> at;  // nullopt: at program start. For a lazily bound function: the open that loaded the file
  std::vector<List> scope;
};
// The result of a plan.
struct Outcome {
  std::optional<std::string> refused;  // the program does not start: error text of ld.so
  std::vector<BoundReference> bound;   // in look-up order
  std::vector<Failure> failures;
  std::vector<ObjectIndex> global;   // the global scope at start: the program, preloaded files, and what they need
  std::vector<Published> published;  // files that join it later, in order
  std::vector<Loaded> loaded;        // files that are loaded at the end, in the order of ld.so's list
  std::vector<Search> searches;      // of Plan::traced
};

// The default limit. A real process with half a million references takes less than 2 million steps.
inline constexpr std::uint64_t steps_of_a_process = 200'000'000;

// The name and version that a reference requires.
struct SymbolRequest {
  std::string_view name;
  std::optional<std::string_view> version;
};
inline SymbolRequest symbol_request(const ElfFacts& from, std::uint32_t index) {
  const DynamicFacts& facts = *from.dynamic;
  const Reference& reference = facts.references[index];
  const auto of_need = [&](const std::optional<NeedIndex>& need) {
    return need ? std::optional(facts.needs[need->value].version) : std::nullopt;
  };
  if (!reference.own) return {facts.imports[reference.symbol].name, of_need(facts.imports[reference.symbol].need)};
  const Export& symbol = facts.exports[reference.symbol];
  if (!symbol.version) return {symbol.name, of_need(symbol.copied_version)};
  return {symbol.name, facts.provides[*symbol.version].version};
}

// Runs each plan in a process of its own and returns the outcomes in the same order. Tables that all plans use are
// built once. `steps` limits the work per plan: a process that exceeds it ends with a Failure with `given_up`, or with
// `refused` if that happens at its start. Nothing is executed and no file is opened. The outcomes own their texts;
// `world` may be destroyed.
std::vector<Outcome> predict(const World& world, std::span<const Plan> plans, std::uint64_t steps = steps_of_a_process);

// The same for a world whose plans are not all known at once. The world must outlive it, and must not change.
class Predictor {
 public:
  explicit Predictor(const World& world);
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;
  ~Predictor();

  std::vector<Outcome> predict(std::span<const Plan> plans, std::uint64_t steps = steps_of_a_process) const;

 private:
  const World& world_;
  std::unique_ptr<const resolver::Definitions> definitions_;
};

}  // namespace wheelcheck::process
