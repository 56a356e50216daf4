// The analysis of one wheel: what its facts mean. It is computed once, after the dependencies are resolved and before
// the rules run, so that several rules can use the same answer. It covers the exported symbols and the libraries they
// belong to, the libraries that are bundled or statically linked, the C++ ABI, and the GPU libraries. All functions are
// pure: their result depends on the facts and on Knowledge only.
#pragma once

#include <algorithm>
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

// The attribution of one defined symbol, derived from its name alone. The views point into the name or into the
// Knowledge that was used.
struct Attribution {
  enum class Form {
    C,     // not mangled
    Cxx,   // Itanium C++ ABI
    Rust,  // v0 or legacy mangling
  };
  Form form = Form::C;
  // True for a vtable, VTT, construction vtable, typeinfo, typeinfo name or guard variable. `scope` is then the class
  // or variable that it was generated for.
  bool rtti = false;
  // In std, __gnu_cxx or __cxxabiv1; also a user's instantiation of a template of these namespaces.
  bool standard = false;
  std::string_view scope;    // outermost namespace or class; "" at global scope and for C names
  std::string_view library;  // KnownLibrary::id, "" if none
};

// Exports of one outermost C++ scope in one file.
struct ScopeCount {
  std::string scope;  // outermost namespace or class; "" for C++ names at global scope
  std::uint32_t exports = 0;
  std::uint32_t rtti = 0;  // of `exports`, those with Attribution::rtti
  bool own = false;        // the wheel's own product
};
// Exports of one known library in one file.
struct LibraryCount {
  std::string library, name;  // KnownLibrary::id and name
  std::uint32_t exports = 0;
  // The number of `exports` that are attributed by their C++ scope. The others are attributed by their C name.
  std::uint32_t cxx = 0;
  std::uint32_t rtti = 0;             // of `exports`, those with Attribution::rtti
  bool own = false;                   // the wheel's own product
  bool itself = false;                // the file is that library (by its soname or name), not a user of it
  std::vector<std::string> examples;  // at most 5: C++ names first, then functions first, then by name
};
// The exports of one file, counted.
struct ExportSummary {
  std::uint32_t all = 0;                   // defined symbols; the counts below are subsets
  std::uint32_t c = 0, cxx = 0, rust = 0;  // by form; the sum is `all`
  std::uint32_t standard = 0;              // in std, __gnu_cxx, __cxxabiv1
  std::uint32_t rtti = 0;
  std::uint32_t unique = 0;             // STB_GNU_UNIQUE
  std::vector<ScopeCount> scopes;       // most exports first, then by name; C++ names only
  std::vector<LibraryCount> libraries;  // most exports first, then by id
};

// --- libraries inside ---------------------------------------------------------------------------------------------

// Why a library is identified in a file.
struct LibraryEvidence {
  std::string what;  // "string", "soname", "version node", "namespace", "symbols"
  std::string text;  // as written in the file
};
// A known library in one file. The file either is the library or has the library linked into it.
struct IdentifiedLibrary {
  std::string library, name, family;  // of KnownLibrary
  std::optional<std::string> version;
  Confidence confidence = Confidence::Low;
  bool itself = false;  // the file is that library; otherwise the library is linked into the file
  std::vector<LibraryEvidence> evidence;
};

// The package of a distribution that a file was copied from (Settings::library_index).
struct LibraryPackage {
  std::string purl, name, version;  // the URL has also the distribution and the machine
  auto operator<=>(const LibraryPackage&) const = default;
};

// --- C++ ABI ------------------------------------------------------------------------------------------------------
// The std::string that an interface uses. Old: as in GCC before 5; New: std::__cxx11::basic_string (libstdc++ manual,
// "Dual ABI").
enum class StringAbi { None, Old, New, Both };
std::string_view name_of(StringAbi abi);  // "new"
// Where the C++ runtime of a file comes from.
enum class CxxRuntime {
  None,             // no C++
  Libstdcxx,        // DT_NEEDED libstdc++.so.6
  Hybrid,           // DT_NEEDED libstdc++.so.6, with newer parts of libstdc++ linked in, as Red Hat's devtoolset does
  StaticLibstdcxx,  // linked in
  Libcxx,           // DT_NEEDED libc++.so.1
  StaticLibcxx,
  Undecided,  // C++ symbols, but no evidence of a runtime
};
std::string_view name_of(CxxRuntime runtime);  // "libstdc++, linked in"
struct Compiler {
  std::string name, version, text;  // "GCC", "10.2.1", and the text of .comment
};
// What one file shows of its C++ ABI. The counts are numbers of symbols.
struct CxxAbi {
  CxxRuntime runtime = CxxRuntime::None;
  // Symbols with std::string in their signature.
  std::uint32_t defined_old = 0, defined_new = 0, imported_old = 0, imported_new = 0;
  // The number of defined symbols outside of namespace std, which are the interface of the file.
  std::uint32_t own_old = 0, own_new = 0;
  std::uint32_t runtime_code = 0;       // strong definitions that only libstdc++ or libc++ contains
  StringAbi defined = StringAbi::None;  // of the interface
  // The ABI of the imports. Imports of statically linked parts of libstdc++ are not counted.
  StringAbi imported = StringAbi::None;
  std::vector<std::string> examples_old, examples_new;  // at most 5 each, defined symbols first
  std::vector<std::string> runtime_evidence;            // at most 3 libraries or symbols that prove `runtime`
  std::vector<Compiler> compilers;                      // by name, then version
  // Every GCC of .comment is older than 5, and C++11 names are used. The C++11 support of these compilers was
  // experimental, so their ABI is not stable.
  bool early_cxx11 = false;
};

// --- GPU ----------------------------------------------------------------------------------------------------------

// How a wheel refers to a GPU library.
enum class GpuUse {
  Needed,    // DT_NEEDED
  Bundled,   // the library is a file of the wheel
  Dlopen,    // a string of a file that imports dlopen
  Named,     // a string of a file that does not import dlopen, or of Python code
  Python,    // a call in Python code
  Declared,  // Requires-Dist names a distribution that provides it, and nothing else in the wheel refers to it
};
std::string_view name_of(GpuUse use);  // "named for dlopen"
// One reference of a wheel to a GPU library.
struct GpuReference {
  std::string name;  // as written: "libcudart.so.12", "libcuda.so.%d"
  std::string stem;  // KnownGpuLibrary::stem
  std::string vendor, component;
  GpuUse use = GpuUse::Named;
  bool driver = false;
  std::string version;                // text after ".so.", "" if there is none
  std::string major;                  // major version of the toolkit; "" where the name does not show it
  std::optional<MemberIndex> member;  // where it was found
  std::uint32_t line = 0;             // line of Python code, from 1
  // Distributions that provide the library: first those that the wheel requires, then those of the knowledge table.
  std::vector<std::string> provided_by;
  bool required = false;  // provided_by.front() is in Requires-Dist, possibly under an extra
};

// --- all ----------------------------------------------------------------------------------------------------------
struct ElfAnalysis {
  ExportSummary exports;
  std::vector<IdentifiedLibrary> libraries;  // by id
  std::optional<LibraryPackage> package;
  CxxAbi cxx;
  // CPython's names (Py..., _Py...) that the file imports, not weakly, and no file of the wheel defines; sorted.
  std::vector<std::string_view> python_imports;

  const IdentifiedLibrary* library(std::string_view id) const {  // null if there is none
    const auto at = std::ranges::find(libraries, id, &IdentifiedLibrary::library);
    return at == libraries.end() ? nullptr : &*at;
  }
};
// A call of sys.setdlopenflags with RTLD_GLOBAL that runs when a file of the wheel is imported, or in a function that
// alone imports some extension module (reach: possible). Every extension module
// that is imported afterwards joins the global scope of the loader (dlopen(3), RTLD_GLOBAL).
struct GlobalImports {
  MemberIndex file;
  std::uint32_t line = 0;
  // The call may be inside a function. This is the file that calls the function, if it is another file.
  std::optional<MemberIndex> through;
  std::uint32_t through_line = 0;
  Reach reach = Reach::Likely;
  // Extension modules that are imported under these flags, as far as the parsed Python files show; sorted.
  std::vector<ElfIndex> modules;
};

// The analysis of one wheel. Entries refer to the wheel by index and own their texts.
struct Analysis {
  std::vector<ElfAnalysis> elfs;              // by ElfIndex
  std::vector<GpuReference> gpu;              // by stem, use, member, name
  std::vector<GlobalImports> global_imports;  // by file and line
  std::string imports_cut;                    // not empty: the search for these ended at this limit
  std::vector<std::string> own_scopes;        // C++ scopes that are considered to be the wheel's own, sorted
};

}  // namespace wheelcheck
