// Knowledge: what is known about the world outside of a wheel. It contains third-party libraries, GPU libraries,
// distributions that provide libraries to others, CPython's stable ABI, and advice for imports that need a new system.
// The tables are the files in data/, each with a JSON schema; the user can add more. Texts and lists are views into
// constants of the program or into memory that Knowledge::owners owns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace wheelcheck {

using TextSpan = std::span<const std::string_view>;

// A pattern in this header is a shell pattern (base/text.h, glob_match). It may contain `{version}` once, for a
// version: digits, dots and letters; '_' is read as '.' if there is no dot.
//
// The end of support of some versions of a library.
struct EndOfLife {
  std::string_view below;   // the versions below this one
  std::string_view date;    // day of their last fix, YYYY-MM-DD
  std::string_view source;  // where this is published, in words
};
// A file of a library that opens other files of it when it is first used, and ends the process without them.
struct OpenedParts {
  std::string_view file;  // pattern of its name: "libmkl_rt*.so*"
  TextSpan one_of;        // patterns of names that it contains, of which one must be found beside it
};
// When a program that was built against one version of a library works with another version.
enum class Compatible {
  Unsaid,  // not given. Then a C++ library needs the same version, and any other library has a stable C interface
  Stable,  // with any newer one
  Major,   // with any version of the same major version
  Exact,   // with the same version only
};
// A third-party library, and how to recognise it.
struct KnownLibrary {
  std::string_view id;      // openssl; lower case, unique
  std::string_view name;    // OpenSSL
  std::string_view family;  // at most one library of a family can be in a process: "openmp", "blas", "tls" or ""
  TextSpan namespaces;      // outermost C++ scopes: "llvm", "google::protobuf", "absl::lts_{version}"
  TextSpan symbols;         // C names: "SSL_*"
  TextSpan not_symbols;     // C names that match `symbols` but belong to another library
  TextSpan sonames;         // "libssl.so.{version}", "libcrypto*.so*"
  TextSpan texts;           // strings in the data: " deflate {version} Copyright*"
  TextSpan version_nodes;   // "OPENSSL_{version}"
  TextSpan owners;          // distributions that publish it as their own product, normalised (PEP 503): "llvmlite"
  Compatible compatible = Compatible::Unsaid;
  // At start it refuses to run if it is older than the version that its user was built with.
  bool checks_version = false;
  bool bare_version = false;  // its version is a whole string: "22.1.0" (LLVM)
  // Python interpreters have it linked in or load it at start, so its names are in the global scope of the process.
  bool in_interpreters = false;
  std::span<const EndOfLife> ends;
  std::span<const OpenedParts> opens;
};

// A distribution that provides a GPU library for one major version of the toolkit.
struct GpuProvider {
  std::string_view major;         // "12"; "" if the distribution is for every major version
  std::string_view distribution;  // "nvidia-cuda-runtime-cu12"
};
// The number in a soname, and the major version of the toolkit that it belongs to.
struct SonameMajor {
  std::string_view soname;   // "11" of libcufft.so.11
  std::string_view toolkit;  // "12": the library is of CUDA 12
};
// A library of a GPU toolkit or driver.
struct KnownGpuLibrary {
  std::string_view stem;        // the file name up to ".so": "libcudart"
  std::string_view vendor;      // "cuda", "rocm", "cann", "oneapi", "opencl"
  std::string_view component;   // "CUDA runtime"
  bool driver = false;          // part of the driver: opened with dlopen, never shipped
  bool redistributable = true;  // the licence allows a wheel to contain it
  // The file name on a machine without -dev packages: libcuda.so.1, libcudart.so.{major}. "" if unknown.
  std::string_view on_user_machines;
  bool major_in_soname = false;         // the number in the soname is the major version of the toolkit: libcudart.so.12
  std::span<const SonameMajor> majors;  // if the number in the soname is another one
  std::span<const GpuProvider> providers;
};

// Requirements of a distribution that only its older releases have.
struct DroppedRequirement {
  std::string_view pattern;  // "nvidia-*-cu12"
  std::string_view since;    // the first release without them: "2.11"
  std::string_view python;   // the oldest CPython 3 that this release runs on: "10"
};
// A distribution that other distributions use.
struct KnownDistribution {
  std::string_view name;  // normalised name (PEP 503): "torch"
  TextSpan sonames;       // libraries of its wheels that others link: "libtorch*.so"
  TextSpan brings;        // patterns of distributions that it requires on Linux: "nvidia-*"
  TextSpan alternatives;  // patterns of other names of the same project: "tensorflow-cpu"
  std::span<const DroppedRequirement> dropped;
};

// Advice on how to avoid an import that requires a newer system. An import must match a pattern of each list that is
// not empty.
struct KnownRemedy {
  std::string_view name;    // unique
  TextSpan symbols;         // imports: "exp2f"
  TextSpan nodes;           // version nodes: "GLIBC_2.27"
  TextSpan libraries;       // that define the nodes
  std::string_view advice;  // one clause; {symbol} is the import, {base} the first glibc node of the machine
  std::string_view source;  // where this is published, in words
};

// A name of CPython's stable ABI (Misc/stable_abi.toml).
struct StableSymbol {
  std::string_view name;
  std::uint16_t minor = 2;  // added in 3.minor
  bool abi_only = false;    // kept for old binaries; new code cannot use it
};

// All tables. Each list is sorted by the key in its comment.
struct Knowledge {
  std::vector<KnownLibrary> libraries;              // by id
  std::vector<KnownGpuLibrary> gpu;                 // by stem
  std::vector<KnownDistribution> distributions;     // by name
  std::vector<StableSymbol> stable_abi;             // by name
  std::vector<KnownRemedy> remedies;                // by name
  std::vector<std::shared_ptr<const void>> owners;  // memory of the texts that come from the user's files

  const KnownLibrary* library(std::string_view id) const {  // null if there is none
    const auto at = std::ranges::lower_bound(libraries, id, {}, &KnownLibrary::id);
    return at != libraries.end() && at->id == id ? &*at : nullptr;
  }
};

}  // namespace wheelcheck
