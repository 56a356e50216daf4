// What is known of the world outside a wheel, as data: third-distribution libraries, GPU libraries, distributions that
// provide libraries to others, CPython's stable ABI, and how to do without symbols. The files are in data/, each with
// its schema; the user may add more. Texts are views: into constants of the program, or into what Knowledge::owners
// keeps.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "wheelcheck/text_list.h"

namespace wheelcheck {

// A pattern in this header is a shell pattern (base/text.h, glob_match) in which `{version}` may stand once, for a
// version: digits, dots, letters, '_' read as '.' where no dot is found.
struct EndOfLife {
  std::string_view below;   // versions below this one
  std::string_view date;    // had their last fix on that day, YYYY-MM-DD
  std::string_view source;  // who says so, in words
};
// When a program built against one version of a library works with another.
enum class Compatible {
  Unsaid,  // C++: only with the same version; else a stable C interface
  Stable,  // with any newer one
  Major,   // within one major version
  Exact,   // with the same version alone
};
struct KnownLibrary {
  std::string_view id;      // openssl; lower case, unique
  std::string_view name;    // OpenSSL
  std::string_view family;  // two of one family in a process are trouble: "openmp", "blas", "tls" or ""
  TextList namespaces;      // outermost C++ scopes: "llvm", "google::protobuf", "absl::lts_{version}"
  TextList symbols;         // C names: "SSL_*"
  TextList not_symbols;     // C names that `symbols` would take by mistake
  TextList sonames;         // "libssl.so.{version}", "libcrypto*.so*"
  TextList texts;           // strings of the data: " deflate {version} Copyright*"
  TextList version_nodes;   // "OPENSSL_{version}"
  TextList owners;          // distributions whose product it is, normalised (PEP 503): "llvmlite"
  Compatible compatible = Compatible::Unsaid;
  bool checks_version = false;  // refuses, when it starts, to be older than what its user was built with
  bool bare_version = false;    // its version stands alone in a string: "22.1.0" (LLVM)
  std::vector<EndOfLife> ends;
};

struct GpuProvider {
  std::string_view major;         // "12"; "" where one distribution serves every major
  std::string_view distribution;  // nvidia-cuda-runtime-cu12
};
struct SonameMajor {
  std::string_view soname;   // "11" of libcufft.so.11
  std::string_view toolkit;  // "12": it is the one of CUDA 12
};
struct KnownGpuLibrary {
  std::string_view stem;        // libcudart: the part before ".so"
  std::string_view vendor;      // "cuda", "rocm", "oneapi", "opencl"
  std::string_view component;   // "CUDA runtime"
  bool driver = false;          // comes with the driver: dlopened, never shipped
  bool redistributable = true;  // its licence lets a wheel carry it
  // The file name that a machine without -dev packages has: libcuda.so.1, libcudart.so.{major}; "" unknown.
  std::string_view on_user_machines;
  bool major_in_soname = false;     // libcudart.so.12: the number is the toolkit's major
  std::vector<SonameMajor> majors;  // where the soname's number is another, but tells the toolkit's
  std::vector<GpuProvider> providers;
};

struct KnownDistribution {
  std::string_view name;  // normalised: torch
  TextList sonames;       // that its wheels hold for others to link: "libtorch*.so"
  TextList brings;        // distributions that come with it on Linux, as patterns: "nvidia-*"
  TextList alternatives;  // other names under which the project is published, as patterns: "tensorflow-cpu"
};

// How to do without an import that needs a newer system. Each list that holds anything must have a pattern that fits.
struct KnownRemedy {
  std::string_view name;    // unique
  TextList symbols;         // imports: "exp2f"
  TextList nodes;           // version nodes: "GLIBC_2.27"
  TextList libraries;       // that the nodes are of
  std::string_view advice;  // one clause; {symbol} is the import, {base} the machine's first glibc node
  std::string_view source;  // who says so, in words
};

// One name of CPython's stable ABI (Misc/stable_abi.toml).
struct StableSymbol {
  std::string_view name;
  std::uint16_t minor = 2;  // added in 3.minor
  bool abi_only = false;    // kept for old binaries; new code cannot name it
};

struct Knowledge {
  std::vector<KnownLibrary> libraries;              // by id
  std::vector<KnownGpuLibrary> gpu;                 // by stem
  std::vector<KnownDistribution> distributions;     // by name
  std::vector<StableSymbol> stable_abi;             // by name
  std::vector<KnownRemedy> remedies;                // by name
  std::vector<std::shared_ptr<const void>> owners;  // of the texts that come from the user's files
};

}  // namespace wheelcheck
