#include "repair/packages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "rewrite/elf_edit.h"

namespace wheelcheck::repair {
namespace {

// Percent-encoding of RFC 3986, as package URLs require it.
std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

bool is_library_path(std::string_view path) { return path.find(".so") != std::string_view::npos; }

// /lib/x -> /usr/lib/x: dpkg lists paths as packages have them, before or after the merge of /usr.
std::string other_name(std::string_view path) {
  return path.starts_with("/usr/") ? std::string(path.substr(4)) : "/usr" + std::string(path);
}

std::string_view value_of(std::string_view line, std::string_view key) {
  return line.starts_with(key) ? trim(line.substr(key.size())) : std::string_view();
}

std::string os_release_id(const SystemRoot& root) {
  for (const char* const path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto text = root.text_of(path);
    if (!text) continue;
    for (const std::string_view line : split(*text, '\n'))
      if (line.starts_with("ID=")) {
        std::string id(trim(line.substr(3)));
        std::erase_if(id, [](char c) { return c == '"' || c == '\''; });
        return id;
      }
  }
  return "";
}

}  // namespace

std::string SystemPackage::purl() const {
  std::string out = "pkg:" + type + "/" + (distro.empty() ? "" : percent_encoded(distro) + "/");
  return out + percent_encoded(name) + "@" + percent_encoded(version);
}

// The status file has paragraphs of `Package`, `Architecture` and `Version`; info/NAME[:ARCH].list has the files.
void PackageDatabase::read_dpkg() {
  const auto status = root_.text_of("/var/lib/dpkg/status");
  if (!status) return;
  std::map<std::string, SystemPackage, std::less<>> by_name;  // "libz1:amd64" and "libz1"
  SystemPackage package;
  const auto keep = [&] {
    if (!package.name.empty()) {
      package.licence_files = {"/usr/share/doc/" + package.name + "/copyright"};
      by_name[package.name + ":" + package.arch] = package;
      by_name[package.name] = package;
    }
    package = {.type = "deb", .distro = distro_, .name = {}, .version = {}, .arch = {}, .licence_files = {}};
  };
  keep();
  for (const std::string_view line : split(*status, '\n')) {
    if (line.empty()) keep();
    if (line.starts_with("Package:")) package.name = value_of(line, "Package:");
    if (line.starts_with("Version:")) package.version = value_of(line, "Version:");
    if (line.starts_with("Architecture:")) package.arch = value_of(line, "Architecture:");
  }
  keep();
  for (const std::string& file : root_.names_in("/var/lib/dpkg/info")) {
    if (!file.ends_with(".list")) continue;
    const auto found = by_name.find(std::string_view(file).substr(0, file.size() - 5));
    const auto list = found == by_name.end() ? std::nullopt : root_.text_of("/var/lib/dpkg/info/" + file);
    if (!list || !is_library_path(*list)) continue;
    packages_.push_back(found->second);
    for (const std::string_view path : split(*list, '\n'))
      if (is_library_path(path)) owner_of_.emplace(path, packages_.size() - 1);
  }
}

// apk's installed database (apk-tools, src/database.c): P name, V version, A machine, F directory, R file in it.
void PackageDatabase::read_apk() {
  const auto text = root_.text_of("/lib/apk/db/installed");
  if (!text) return;
  std::string directory;
  for (const std::string_view line : split(*text, '\n')) {
    if (line.size() < 2 || line[1] != ':') continue;
    const std::string value(line.substr(2));
    if (line[0] == 'P')
      packages_.push_back(
          {.type = "apk", .distro = distro_, .name = value, .version = {}, .arch = {}, .licence_files = {}});
    if (packages_.empty()) continue;
    if (line[0] == 'V') packages_.back().version = value;
    if (line[0] == 'A') packages_.back().arch = value;
    if (line[0] == 'F') directory = value;
    if (line[0] == 'R' && is_library_path(value))
      owner_of_.emplace("/" + directory + "/" + value, packages_.size() - 1);
  }
}

std::optional<SystemPackage> PackageDatabase::ask_rpm(const std::string& path) const {
  const std::string rpm = rewrite::find_program("rpm", program_path_);
  if (rpm.empty()) return std::nullopt;
  std::vector<std::string> words = {rpm};
  if (!root_.sysroot().empty()) words.insert(words.end(), {"--root", root_.sysroot()});
  words.insert(words.end(), {"-qf", "--queryformat",
                             "%{NAME}\n%{VERSION}-%{RELEASE}\n%{ARCH}\n[%{FILENAMES} "
                             "%{FILEFLAGS:fflags}\n]",
                             path});
  const auto ran = rewrite::run_program(words, program_path_);
  if (!ran || ran->status != 0) return std::nullopt;
  const auto lines = split(ran->out, '\n');
  if (lines.size() < 3) return std::nullopt;
  SystemPackage package{.type = "rpm",
                        .distro = distro_,
                        .name = std::string(lines[0]),
                        .version = std::string(lines[1]),
                        .arch = std::string(lines[2]),
                        .licence_files = {}};
  for (const std::string_view line : std::span(lines).subspan(3)) {  // flag l: a licence (rpm, RPMFILE_LICENSE)
    const std::size_t space = line.rfind(' ');
    if (space != std::string_view::npos && line.substr(space).find('l') != std::string_view::npos)
      package.licence_files.emplace_back(line.substr(0, space));
  }
  return package;
}

std::optional<SystemPackage> PackageDatabase::package_of(const std::string& path) {
  if (!std::exchange(read_, true)) {
    distro_ = os_release_id(root_);
    read_dpkg();
    read_apk();
  }
  for (const std::string& name : {path, other_name(path)})
    if (const auto found = owner_of_.find(name); found != owner_of_.end()) return packages_[found->second];
  return packages_.empty() ? ask_rpm(path) : std::nullopt;
}

std::string sbom_text(const WheelName& name, const std::string& file_name, std::string_view tool_version,
                      const std::vector<BundledLibraryOfPackage>& libraries) {
  using Json = nlohmann::ordered_json;
  const std::string wheel_purl = fmt::format("pkg:pypi/{}@{}?file_name={}", percent_encoded(name.distribution),
                                             percent_encoded(name.version), percent_encoded(file_name));
  const Json wheel = {{"type", "library"},
                      {"bom-ref", wheel_purl},
                      {"name", name.distribution},
                      {"version", name.version},
                      {"purl", wheel_purl}};
  Json components = Json::array({wheel}), others = Json::array(), depends = Json::array();
  for (const BundledLibraryOfPackage& library : libraries) {
    const std::string origin = library.package ? library.package->purl() : "file:" + percent_encoded(library.member);
    const std::string reference = origin + "#" + sha256_hex(std::as_bytes(std::span(library.member)));
    Json component = {{"type", "library"},
                      {"bom-ref", reference},
                      {"name", library.package ? library.package->name : std::string(base_name(library.member))}};
    if (library.package) {
      component["version"] = library.package->version;
      component["purl"] = library.package->purl();
    }
    component["hashes"] = Json::array({{{"alg", "SHA-256"}, {"content", library.sha256}}});
    component["properties"] = Json::array({{{"name", "wheelcheck:file"}, {"value", library.member}}});
    components.push_back(std::move(component));
    depends.push_back(reference);
    others.push_back({{"ref", reference}});
  }
  Json dependencies = Json::array({{{"ref", wheel_purl}, {"dependsOn", depends}}});
  for (Json& other : others) dependencies.push_back(std::move(other));
  const Json document = {
      {"bomFormat", "CycloneDX"},
      {"specVersion", "1.4"},
      {"version", 1},
      {"metadata",
       {{"component", wheel}, {"tools", Json::array({{{"name", "wheelcheck"}, {"version", tool_version}}})}}},
      {"components", components},
      {"dependencies", dependencies}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelcheck::repair
