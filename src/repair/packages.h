// The distribution package of a bundled library, its licence files, and the SBOM of a repaired wheel.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repair/system_root.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::repair {

struct SystemPackage {
  std::string type;    // of the package URL: "deb", "rpm", "apk"
  std::string distro;  // ID of os-release: "debian"
  std::string name, version, arch;
  std::vector<std::string> licence_files;  // paths below the sysroot
  // Package URL (github.com/package-url/purl-spec).
  std::string purl() const;
};

// The packages that contain files of a system, by its package database: dpkg and apk databases are text and are read;
// for rpm the program rpm is asked.
class PackageDatabase {
 public:
  PackageDatabase(const SystemRoot& root, std::string program_path)
      : root_(root), program_path_(std::move(program_path)) {}
  // path: below the sysroot, without symbolic links.
  std::optional<SystemPackage> package_of(const std::string& path);

 private:
  void read_dpkg();
  void read_apk();
  std::optional<SystemPackage> ask_rpm(const std::string& path) const;

  const SystemRoot& root_;
  std::string program_path_;
  bool read_ = false;
  std::string distro_;
  std::vector<SystemPackage> packages_;
  std::map<std::string, std::size_t, std::less<>> owner_of_;  // path of a library, into packages_
};

struct BundledLibraryOfPackage {
  std::string member, sha256;  // in the result
  std::optional<SystemPackage> package;
};
// A CycloneDX document (PEP 770) in the layout that auditwheel writes, with the hash of each library in the wheel.
std::string sbom_text(const WheelName& name, const std::string& file_name, std::string_view tool_version,
                      const std::vector<BundledLibraryOfPackage>& libraries);

}  // namespace wheelcheck::repair
