// What is known of the world outside a wheel, as data: third-party libraries, GPU libraries, distributions that provide
// libraries to others, CPython's stable ABI, and how to do without symbols. The files are in data/, each with its
// schema; the user may add more.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/string_pool.h"

namespace wheelcheck {

// A pattern in this header is a shell pattern (base/text.h, glob_match) in which `{version}` may stand once, for a
// version: digits, dots, letters, '_' read as '.' where no dot is found.
struct EndOfLife {
  std::string below;   // versions below this one
  std::string date;    // had their last fix on that day, YYYY-MM-DD
  std::string source;  // who says so, in words
};
// When a program built against one version of a library works with another.
enum class Compatible {
  Unsaid,  // C++: only with the same version; else a stable C interface
  Stable,  // with any newer one
  Major,   // within one major version
  Exact,   // with the same version alone
};
struct KnownLibrary {
  std::string id;                          // openssl; lower case, unique
  std::string name;                        // OpenSSL
  std::string family;                      // two of one family in a process are trouble: "openmp", "blas", "tls" or ""
  std::vector<std::string> namespaces;     // outermost C++ scopes: "llvm", "google::protobuf", "absl::lts_{version}"
  std::vector<std::string> symbols;        // C names: "SSL_*"
  std::vector<std::string> not_symbols;    // C names that `symbols` would take by mistake
  std::vector<std::string> sonames;        // "libssl.so.{version}", "libcrypto*.so*"
  std::vector<std::string> texts;          // strings of the data: " deflate {version} Copyright*"
  std::vector<std::string> version_nodes;  // "OPENSSL_{version}"
  std::vector<std::string> owners;         // distributions whose product it is, normalised (PEP 503): "llvmlite"
  Compatible compatible = Compatible::Unsaid;
  bool checks_version = false;  // refuses, when it starts, to be older than what its user was built with
  bool bare_version = false;    // its version stands alone in a string: "22.1.0" (LLVM)
  std::vector<EndOfLife> ends;
};

struct GpuProvider {
  std::string major;         // "12"; "" where one distribution serves every major
  std::string distribution;  // nvidia-cuda-runtime-cu12
};
struct SonameMajor {
  std::string soname;   // "11" of libcufft.so.11
  std::string toolkit;  // "12": it is the one of CUDA 12
};
struct KnownGpuLibrary {
  std::string stem;             // libcudart: the part before ".so"
  std::string vendor;           // "cuda", "rocm", "oneapi", "opencl"
  std::string component;        // "CUDA runtime"
  bool driver = false;          // comes with the driver: dlopened, never shipped
  bool redistributable = true;  // its licence lets a wheel carry it
  // The file name that a machine without -dev packages has: libcuda.so.1, libcudart.so.{major}; "" unknown.
  std::string on_user_machines;
  bool major_in_soname = false;     // libcudart.so.12: the number is the toolkit's major
  std::vector<SonameMajor> majors;  // where the soname's number is another, but tells the toolkit's
  std::vector<GpuProvider> providers;
};

struct KnownDistribution {
  std::string name;                  // normalised: torch
  std::vector<std::string> sonames;  // that its wheels hold for others to link: "libtorch*.so"
  std::vector<std::string> brings;   // distributions that come with it on Linux, as patterns: "nvidia-*"
};

// How to do without an import that needs a newer system. Each list that holds anything must have a pattern that fits.
struct KnownRemedy {
  std::string name;                    // unique
  std::vector<std::string> symbols;    // imports: "exp2f"
  std::vector<std::string> nodes;      // version nodes: "GLIBC_2.27"
  std::vector<std::string> libraries;  // that the nodes are of
  std::string advice;                  // one clause; {symbol} is the import, {base} the machine's first glibc node
  std::string source;                  // who says so, in words
};

// One name of CPython's stable ABI (Misc/stable_abi.toml).
struct StableSymbol {
  std::string_view name;
  std::uint16_t minor = 2;  // added in 3.minor
  bool abi_only = false;    // kept for old binaries; new code cannot name it
};

struct Knowledge {
  std::vector<KnownLibrary> libraries;           // by id
  std::vector<KnownGpuLibrary> gpu;              // by stem
  std::vector<KnownDistribution> distributions;  // by name
  std::vector<StableSymbol> stable_abi;          // by name
  std::vector<KnownRemedy> remedies;             // by name
  // Hold the names of stable_abi that come from the user's files; the others are constants of the program.
  std::vector<std::shared_ptr<const StringPool>> pools;
};

}  // namespace wheelcheck
