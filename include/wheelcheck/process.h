// One process, told as data: the files that it could load, the program, what it opens in which order, and what comes of
// that: which definition each symbol reference is bound to, what fails with which words, and who is in the global
// scope. Sources: glibc elf/dl-open.c, elf/dl-deps.c, elf/dl-load.c, elf/dl-lookup.c, elf/dl-version.c, elf/dl-reloc.c,
// elf/rtld.c. Only glibc is modelled; docs/loader.md says what of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/elf.h"
#include "wheelcheck/index.h"

namespace wheelcheck::process {

using ObjectIndex = Index<struct ProcessObjectTag>;  // into World::files

// A platform library of which little more than the name is known. It answers to that name where no file does. Whatever
// version is asked of it, it is taken to define; a name without a version only if no file defines it.
struct Assumed {
  bool versioned = false;                  // all its symbols have versions, so a name without one is not its
  std::vector<std::string> prefixes = {};  // what its names without a version begin with; empty: anything
  // What it defines although the version need names another library: all of these libraries, and these names.
  std::vector<std::string> speaks_for = {}, also = {};
};

// A file of the file system that the process sees.
struct File {
  std::string path;                       // absolute, without "." and ".."; of an assumed file its name
  const ElfFacts* facts = nullptr;        // null: no ELF file, or an assumed one
  bool too_short = false;                 // of no ELF file: too short for an ELF header
  std::vector<std::string> aliases = {};  // other absolute paths that lead to it: symbolic and hard links
  std::optional<Assumed> assumed = {};
  // Not of this file system, but known from a reference, and stands for other releases as well: a version that it lacks
  // and that is asked of it by name it is taken to define, and the versions that it needs are taken to be there.
  bool reference = false;
  // What names without a version begin with that it is taken to define where no file does: the C API of a release of
  // CPython that is not the reference's own.
  std::vector<std::string> further = {};
};

struct Glibc {
  unsigned major = 2, minor = 36;
  auto operator<=>(const Glibc&) const = default;
};

// The machine and its C library, as far as an answer depends on them.
struct Platform {
  Glibc glibc;
  // Searched last: the directories of ld.so.conf, in place of the cache made of them, then the system's own.
  std::vector<std::string> directories = {};
  std::string lib = "lib64", platform = "x86_64";  // what $LIB and $PLATFORM stand for
  std::vector<std::string> hwcaps = {};            // directories below glibc-hwcaps/ that are searched, best first
};

// Files of a process, fixed before it starts. The order of files means nothing.
struct World {
  std::vector<File> files;
  Platform platform;
};

struct OpenFlags {
  bool lazy = false;  // RTLD_LAZY, which wins where RTLD_NOW is set as well; Python's default is NOW
  bool global = false, deepbind = false, noload = false, nodelete = false;
};
enum class OpenBy {
  Import,  // the import of an extension module; one that succeeded is not done again
  Dlopen,  // a call of dlopen
  Ctypes,  // ctypes.CDLL
};
struct Open {
  std::string name;  // as dlopen gets it: with a slash it is a path, else a name to search for; empty: the program
  OpenFlags flags = {};
  OpenBy by = OpenBy::Dlopen;
  std::optional<ObjectIndex> caller = {};  // whose search paths serve a name without a slash; the program if absent
  std::vector<Open> constructors = {};  // what constructors open meanwhile: after relocation, before RTLD_GLOBAL acts
};
struct Step {  // goes on after an open that failed, as a caller that catches the error does
  std::vector<Open> opens;
};
struct Environment {
  bool bind_now = false;                       // LD_BIND_NOW
  bool dynamic_weak = false;                   // LD_DYNAMIC_WEAK
  std::vector<std::string> preload = {};       // LD_PRELOAD
  std::vector<std::string> library_path = {};  // LD_LIBRARY_PATH, split
  std::string directory = "/";                 // the working directory
};
struct Plan {
  ObjectIndex main;
  std::vector<Step> steps;
  Environment environment = {};
  std::vector<std::string> traced = {};  // names whose look-ups are told in full
};

// How a reference got what it is bound to.
enum class Way : std::uint8_t {
  Plain,      // the first definition in scope order
  Unique,     // STB_GNU_UNIQUE: the definition that the process took first
  Protected,  // STV_PROTECTED: the file keeps its own, though another comes first
  Platform,   // an assumed library is taken to define it; without `to`, it is not known which
  WeakNull,   // nobody defines it and it is weak: null
  Missing,    // nobody defines it: the open fails, or, where it was left to the first call, that call ends the process
};
inline constexpr std::uint32_t unknown_definition = UINT32_MAX;
struct BoundReference {
  ObjectIndex from;
  std::uint32_t reference = 0;  // into DynamicFacts::references of `from`
  std::optional<ObjectIndex> to;
  std::uint32_t definition = unknown_definition;  // into DynamicFacts::exports of `to`
  Way way = Way::Plain;
  bool lazy = false;    // a jump slot left to its first call; looked up in the scopes as they are after the last step
  bool undone = false;  // of an open that failed: `from` was unloaded again
};

// What an open that failed lacks, where ld.so names it.
struct Missing {
  enum class What {
    Library,    // `name`: no search of `from` leads to it
    Symbol,     // `name`, and `version` if it has one: no file in the scopes of `from` defines it
    Version,    // `version`: `library` does not define it
    VersionOf,  // a version need of `from` names the library `name`, which is not loaded: an assertion of ld.so
    StaticTls,  // the static TLS block has no room for `library`: bytes that it needs and that are free
  };
  What what = What::Library;
  ObjectIndex from = {};
  std::string name = {}, version = {};
  std::optional<ObjectIndex> library = {};
  std::uint64_t bytes = 0, free = 0;
};
struct Failure {
  std::uint32_t step = 0, open = 0;  // from 0
  std::string error;                 // as dlerror says it, or CPython where that has none; empty: neither (RTLD_NOLOAD)
  bool fatal = false;                // the process ends here
  bool nested = false;               // an open by a constructor, not the one of the plan itself
  bool given_up = false;             // past the limit of steps: the model ends here, and what the process does is open
  std::optional<Missing> missing = {};
};
struct Published {  // joined the global scope
  ObjectIndex file;
  std::uint32_t step = 0, open = 0;  // from 0
};
struct Moment {                      // an open of the plan
  std::uint32_t step = 0, open = 0;  // from 0
};
struct Loaded {
  ObjectIndex file;
  std::optional<Moment> by;  // nullopt: with the program
};
// One look-up of a traced name: the lists that were searched, as they were then.
struct Search {
  struct List {
    ObjectIndex of;      // whose searchlist; the program's is the global scope
    bool alone = false;  // that file alone (DT_SYMBOLIC)
    std::vector<ObjectIndex> files;
  };
  std::uint32_t bound = 0;   // into Outcome::bound
  std::optional<Moment> at;  // nullopt: as the program starts; for a first call, the open that loaded the file
  std::vector<List> scope;
};
struct Outcome {
  std::optional<std::string> refused;  // the program does not start: the words of ld.so
  std::vector<BoundReference> bound;   // in the order of look-up
  std::vector<Failure> failures;
  std::vector<ObjectIndex> global;   // the global scope at start: the program, preloaded files, what they need
  std::vector<Published> published;  // what joined it afterwards, in order
  std::vector<Loaded> loaded;        // what is loaded at the end, in the order of ld.so's list
  std::vector<Search> searches;      // of Plan::traced
};

// A real process of half a million references takes fewer than 2 million.
inline constexpr std::uint64_t steps_of_a_process = 200'000'000;

// The name and version that a reference asks for.
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

// Plays each plan in a process of its own; the tables that all need are made once. `steps` bounds the work on each: a
// process that goes past it ends with a failure that says so, at its start with `refused`.
std::vector<Outcome> predict(const World& world, std::span<const Plan> plans, std::uint64_t steps = steps_of_a_process);

}  // namespace wheelcheck::process
