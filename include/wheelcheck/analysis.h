// What the facts of one wheel mean, worked out once before the rules: whose symbols it exports, which libraries are
// inside, which C++ ABI it speaks, which GPU libraries it wants. Pure functions of facts and Knowledge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/finding.h"
#include "wheelcheck/index.h"
#include "wheelcheck/python.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// --- exports ------------------------------------------------------------------------------------------------------
// What one defined symbol is, by its name. Views point into the name or the Knowledge it was made with.
struct Attribution {
  enum class Form {
    C,     // not mangled
    Cxx,   // Itanium C++ ABI
    Rust,  // v0 or legacy mangling
  };
  Form form = Form::C;
  // Vtable, VTT, construction vtable, typeinfo or its name, guard variable: made for a class or variable of the scope.
  bool rtti = false;
  bool standard = false;     // std, __gnu_cxx, __cxxabiv1: also what a template of theirs was instantiated for
  std::string_view scope;    // outermost namespace or class; "" at global scope and for C names
  std::string_view library;  // KnownLibrary::id, "" if none
};

struct ScopeCount {
  std::string scope;  // outermost namespace or class; "" for C++ names at global scope
  std::uint32_t exports = 0;
  std::uint32_t rtti = 0;  // of them
  bool own = false;        // the wheel's own product
};
struct LibraryCount {
  std::string library, name;  // KnownLibrary::id and name
  std::uint32_t exports = 0;
  std::uint32_t cxx = 0;              // of them, by their C++ scope; the others by their C name
  std::uint32_t rtti = 0;             // of them
  bool own = false;                   // the wheel's own product
  bool itself = false;                // the file is that library (its soname or name says so), not a user of it
  std::vector<std::string> examples;  // at most 5; C++ names first, then functions first, then by name
};
struct ExportSummary {
  std::uint32_t all = 0;
  std::uint32_t c = 0, cxx = 0, rust = 0;  // by form; the sum is `all`
  std::uint32_t standard = 0;              // of std, __gnu_cxx, __cxxabiv1
  std::uint32_t rtti = 0;
  std::uint32_t unique = 0;             // STB_GNU_UNIQUE
  std::vector<ScopeCount> scopes;       // most exports first, then by name; C++ names only
  std::vector<LibraryCount> libraries;  // most exports first, then by id
};

// --- libraries inside ---------------------------------------------------------------------------------------------
struct LibraryEvidence {
  std::string what;  // "string", "soname", "version node", "namespace", "symbols"
  std::string text;  // as it stands in the file
};
struct IdentifiedLibrary {
  std::string library, name, family;  // of KnownLibrary
  std::optional<std::string> version;
  Confidence confidence = Confidence::Low;
  bool itself = false;  // the file is that library; else it is linked into the file
  std::vector<LibraryEvidence> evidence;
};

// --- C++ ABI ------------------------------------------------------------------------------------------------------
enum class StringAbi { None, Old, New, Both };  // std::string as of GCC before 5, or __cxx11
std::string_view name_of(StringAbi abi);        // "new"
enum class CxxRuntime {
  None,             // no C++
  Libstdcxx,        // DT_NEEDED libstdc++.so.6
  Hybrid,           // that, and newer parts of libstdc++ linked in, as Red Hat's devtoolset does
  StaticLibstdcxx,  // linked in
  Libcxx,           // DT_NEEDED libc++.so.1
  StaticLibcxx,
  Undecided,  // C++ symbols, but nothing that tells
};
std::string_view name_of(CxxRuntime runtime);  // "libstdc++, linked in"
struct Compiler {
  std::string name, version, text;  // "GCC", "10.2.1", as .comment has it
};
struct CxxAbi {
  CxxRuntime runtime = CxxRuntime::None;
  std::uint32_t defined_old = 0, defined_new = 0, imported_old = 0,
                imported_new = 0;          // symbols that name a std::string
  std::uint32_t own_old = 0, own_new = 0;  // of the defined ones, those outside namespace std: the file's interface
  std::uint32_t runtime_code = 0;          // strong definitions of what libstdc++ or libc++ alone writes
  StringAbi defined = StringAbi::None;     // what the interface speaks
  StringAbi imported = StringAbi::None;    // what its imports speak; what linked parts of libstdc++ import is left out
  std::vector<std::string> examples_old, examples_new;  // at most 5 each, defined ones first
  std::vector<std::string> runtime_evidence;            // at most 3 libraries or symbols that tell the runtime
  std::vector<Compiler> compilers;                      // by name, then version
  // Every GCC of .comment is older than 5, and names of C++11 are used: that GCC's C++11 was unfinished.
  bool early_cxx11 = false;
};

// --- GPU ----------------------------------------------------------------------------------------------------------
enum class GpuUse {
  Needed,    // DT_NEEDED
  Bundled,   // a file of the wheel is it
  Dlopen,    // a string of a file that imports dlopen
  Named,     // a string of a file that does not, or of Python code
  Python,    // a call in Python code
  Declared,  // Requires-Dist asks for the distribution that holds it, and nothing in the wheel names it
};
std::string_view name_of(GpuUse use);  // "named for dlopen"
struct GpuReference {
  std::string name;  // as written: "libcudart.so.12", "libcuda.so.%d"
  std::string stem;  // KnownGpuLibrary::stem
  std::string vendor, component;
  GpuUse use = GpuUse::Named;
  bool driver = false;
  std::string version;                   // what follows ".so.", "" if nothing
  std::string major;                     // of the toolkit, where the name tells it
  std::optional<MemberIndex> member;     // where it was seen
  std::uint32_t line = 0;                // of Python code
  std::vector<std::string> provided_by;  // distributions; those that the wheel requires first, then the table's
  bool required = false;                 // provided_by.front() is in Requires-Dist, maybe under an extra
};

// --- all ----------------------------------------------------------------------------------------------------------
struct ElfAnalysis {
  ExportSummary exports;
  std::vector<IdentifiedLibrary> libraries;  // by id
  CxxAbi cxx;
};
// A call of sys.setdlopenflags with RTLD_GLOBAL that importing a file of the wheel runs.
struct GlobalImports {
  MemberIndex file;
  std::uint32_t line = 0;
  std::optional<MemberIndex> through;  // the other file that calls the function in which it stands, and where
  std::uint32_t through_line = 0;
  Reach reach = Reach::Likely;
  std::vector<ElfIndex> modules;  // extension modules that are imported under these flags, as far as the files that
                                  // were parsed tell; sorted
};

struct Analysis {
  std::vector<ElfAnalysis> elfs;              // by ElfIndex
  std::vector<GpuReference> gpu;              // by stem, use, member, name
  std::vector<GlobalImports> global_imports;  // by file and line
  std::vector<std::string> own_scopes;        // C++ scopes that are taken for the wheel's own, sorted
};

}  // namespace wheelcheck
