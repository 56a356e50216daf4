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

// Percent-encoding as package URLs require it (purl-spec, "Character encoding").
std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~' || c == ':')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// /lib/x -> /usr/lib/x: dpkg lists paths as packages have them, before or after the merge of /usr.
std::string other_name(std::string_view path) {
  return path.starts_with("/usr/") ? std::string(path.substr(4)) : "/usr" + std::string(path);
}

// The value of a field at the beginning of a line; "" if there is none.
std::string_view field(std::string_view paragraph, std::string_view key) {
  for (std::size_t at = 0; at < paragraph.size();) {
    const std::string_view line = paragraph.substr(at, paragraph.find('\n', at) - at);
    if (line.starts_with(key)) return trim(line.substr(key.size()));
    at += line.size() + 1;
  }
  return "";
}

// The value of a key of os-release; "" if there is none.
std::string os_release(const SystemRoot& root, std::string_view key) {
  for (const char* const path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto text = root.text_of(path);
    if (!text) continue;
    for (const std::string_view line : split(*text, '\n'))
      if (line.starts_with(key)) {
        std::string id(trim(line.substr(key.size())));
        std::erase_if(id, [](char c) { return c == '"' || c == '\''; });
        return id;
      }
  }
  return "";
}

}  // namespace

std::string SystemPackage::purl() const {
  std::string out = "pkg:" + type + "/" + (distro.empty() ? "" : percent_encoded(distro) + "/");
  out += percent_encoded(name) + "@" + percent_encoded(version);
  char before = '?';
  for (const auto& [key, value] : {std::pair{"arch", &arch}, {"distro", &release}, {"epoch", &epoch}}) {
    if (value->empty()) continue;
    out += fmt::format("{}{}={}", std::exchange(before, '&'), key, percent_encoded(*value));
  }
  return out;
}

PackageDatabase::PackageDatabase(const SystemRoot& root, std::string program_path,
                                 const std::vector<std::string>& libraries)
    : root_(root), program_path_(std::move(program_path)) {
  if (libraries.empty()) return;
  for (const std::string& path : libraries) {
    open_.emplace(path, path);
    open_.emplace(other_name(path), path);
  }
  distro_ = os_release(root_, "ID=");
  const std::string number = os_release(root_, "VERSION_ID=");
  release_ = distro_.empty() || number.empty() ? distro_ : distro_ + "-" + number;
  const bool has_dpkg = read_dpkg(), has_apk = read_apk();
  if (!has_dpkg && !has_apk)
    for (const std::string& path : libraries)
      if (auto package = ask_rpm(path)) owner_of_.emplace(path, std::move(*package));
}

void PackageDatabase::take(std::string_view path, const SystemPackage& package) {
  const auto found = open_.find(path);
  if (found == open_.end()) return;
  const std::string library = found->second;
  open_.erase(library);
  open_.erase(other_name(library));
  owner_of_.emplace(library, package);
}

// info/NAME[:ARCH].list has one path a line. The status file has paragraphs of `Package`, `Architecture`, `Version`.
bool PackageDatabase::read_dpkg() {
  const auto status = root_.text_of("/var/lib/dpkg/status");
  const std::string info = root_.real_path("/var/lib/dpkg/info").value_or("");
  if (!status || info.empty()) return false;
  std::vector<std::string> files = root_.names_in(info);
  // Debian has hundreds of lists; most libraries are in packages of this prefix.
  std::ranges::stable_partition(files, [](const std::string& file) { return file.starts_with("lib"); });
  for (const std::string& file : files) {
    if (open_.empty()) break;
    if (!file.ends_with(".list")) continue;
    const auto list = root_.text_of(info + "/" + file);
    if (!list) continue;
    std::size_t end = 0;
    for (std::size_t at = list->find(".so"); at != std::string::npos; at = list->find(".so", end)) {
      const std::size_t begin = list->rfind('\n', at) + 1;  // npos + 1 is 0
      end = std::min(list->find('\n', at), list->size());
      take(std::string_view(*list).substr(begin, end - begin), {.name = file.substr(0, file.size() - 5)});
    }
  }
  read_dpkg_status(*status);
  return !trim(*status).empty();
}

void PackageDatabase::read_dpkg_status(std::string_view status) {
  std::map<std::string, SystemPackage, std::less<>> installed;  // by the names of the lists that are needed
  for (const auto& [path, package] : owner_of_) installed.try_emplace(package.name);
  while (!status.empty()) {
    const std::string_view paragraph = status.substr(0, status.find("\n\n"));
    status.remove_prefix(std::min(paragraph.size() + 2, status.size()));
    const std::string name(field(paragraph, "Package:")), arch(field(paragraph, "Architecture:"));
    for (const std::string& list : {name, name + ":" + arch})
      if (const auto found = installed.find(list); found != installed.end())
        found->second = {.type = "deb",
                         .distro = distro_,
                         .release = release_,
                         .name = name,
                         .version = std::string(field(paragraph, "Version:")),
                         .arch = arch,
                         .licence_files = {"/usr/share/doc/" + name + "/copyright"}};
  }
  for (auto& [path, package] : owner_of_) package = installed.at(package.name);
  std::erase_if(owner_of_, [](const auto& owner) { return owner.second.name.empty(); });
}

// apk's installed database (apk-tools, src/database.c): P name, V version, A machine, F directory, R file in it.
bool PackageDatabase::read_apk() {
  const auto text = root_.text_of("/lib/apk/db/installed");
  if (!text) return false;
  SystemPackage package;
  std::string directory;
  for (const std::string_view line : split(*text, '\n')) {
    if (line.size() < 2 || line[1] != ':') continue;
    const std::string value(line.substr(2));
    if (line[0] == 'P')
      package = {.type = "apk",
                 .distro = distro_,
                 .release = release_,
                 .name = value,
                 .version = {},
                 .arch = {},
                 .licence_files = {}};
    if (line[0] == 'V') package.version = value;
    if (line[0] == 'A') package.arch = value;
    if (line[0] == 'F') directory = value;
    if (line[0] == 'R') take("/" + directory + "/" + value, package);
  }
  return !package.name.empty();
}

std::optional<SystemPackage> PackageDatabase::ask_rpm(const std::string& path) const {
  const std::string rpm = rewrite::find_program("rpm", program_path_);
  if (rpm.empty()) return std::nullopt;
  std::vector<std::string> words = {rpm};
  if (!root_.sysroot().empty()) words.insert(words.end(), {"--root", root_.sysroot()});
  words.insert(words.end(), {"-qf", "--queryformat",
                             "%{NAME}\n%{VERSION}-%{RELEASE}\n%{ARCH}\n%{EPOCHNUM}\n[%{FILENAMES} "
                             "%{FILEFLAGS:fflags}\n]",
                             path});
  const auto ran = rewrite::run_program(words, program_path_);
  if (!ran || ran->status != 0) return std::nullopt;
  const auto lines = split(ran->out, '\n');
  if (lines.size() < 4) return std::nullopt;
  SystemPackage package{.type = "rpm",
                        .distro = distro_,
                        .release = release_,
                        .name = std::string(lines[0]),
                        .version = std::string(lines[1]),
                        .arch = std::string(lines[2]),
                        .epoch = lines[3] == "0" ? "" : std::string(lines[3]),
                        .licence_files = {}};
  for (const std::string_view line : std::span(lines).subspan(4)) {  // flag l: a licence (rpm, RPMFILE_LICENSE)
    const std::size_t space = line.rfind(' ');
    if (space != std::string_view::npos && line.substr(space).find('l') != std::string_view::npos)
      package.licence_files.emplace_back(line.substr(0, space));
  }
  return package;
}

std::optional<SystemPackage> PackageDatabase::package_of(const std::string& path) const {
  const auto found = owner_of_.find(path);
  return found == owner_of_.end() ? std::nullopt : std::optional(found->second);
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
