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
  std::string type;     // of the package URL: "deb", "rpm", "apk"
  std::string distro;   // ID of os-release: "debian"
  std::string release;  // "debian-12": with VERSION_ID, if there is one
  std::string name, version, arch;
  std::string epoch = {};                  // of an rpm, if it is not 0; the version of a deb contains it
  std::vector<std::string> licence_files;  // paths below the sysroot
  // Package URL (github.com/package-url/purl-spec), with the qualifiers arch, distro and epoch.
  std::string purl() const;
};

// The packages that contain some libraries of a system, by its package database: dpkg and apk databases are text and
// are read; for rpm the program rpm is asked.
class PackageDatabase {
 public:
  // libraries: paths below the sysroot, without symbolic links. dpkg's lists are searched for names with ".so".
  PackageDatabase(const SystemRoot& root, std::string program_path, const std::vector<std::string>& libraries);
  // path: one of `libraries`.
  std::optional<SystemPackage> package_of(const std::string& path) const;

 private:
  // False: there is no such database, or it is empty.
  bool read_dpkg();
  bool read_apk();
  void read_dpkg_status(std::string_view status);
  void take(std::string_view path, const SystemPackage& package);
  std::optional<SystemPackage> ask_rpm(const std::string& path) const;

  const SystemRoot& root_;
  std::string program_path_, distro_, release_;
  std::map<std::string, std::string, std::less<>> open_;  // to a library that no package was found for: its names
  std::map<std::string, SystemPackage, std::less<>> owner_of_;
};

struct BundledLibraryOfPackage {
  std::string member, sha256;  // in the result
  std::optional<SystemPackage> package;
};
// A CycloneDX document (PEP 770) in the layout that auditwheel writes, with the hash of each library in the wheel.
std::string sbom_text(const WheelName& name, const std::string& file_name, std::string_view tool_version,
                      const std::vector<BundledLibraryOfPackage>& libraries);

}  // namespace wheelcheck::repair
