// The checks of PyPI's upload code on METADATA and entry_points.txt.

#include "wheel/index_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "model/pep440.h"
#include "model/requirement.h"
#include "wheel/metadata.h"

namespace wheelcheck::wheel {

namespace {

constexpr std::size_t longest_summary = 512, longest_label = 32;  // characters

bool beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

std::size_t characters(std::string_view text) {  // of UTF-8
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The fields that Dynamic may name: DYNAMIC_FIELDS of warehouse/forklift/metadata.py, in lower case.
constexpr auto dynamic_fields = std::to_array<std::string_view>({"platform",
                                                                 "supported-platform",
                                                                 "summary",
                                                                 "description",
                                                                 "description-content-type",
                                                                 "keywords",
                                                                 "home-page",
                                                                 "download-url",
                                                                 "author",
                                                                 "author-email",
                                                                 "maintainer",
                                                                 "maintainer-email",
                                                                 "license",
                                                                 "license-expression",
                                                                 "license-file",
                                                                 "classifier",
                                                                 "requires-dist",
                                                                 "requires-python",
                                                                 "requires-external",
                                                                 "project-url",
                                                                 "provides-extra",
                                                                 "provides-dist",
                                                                 "obsoletes-dist",
                                                                 "requires",
                                                                 "provides",
                                                                 "obsoletes",
                                                                 "import-name",
                                                                 "import-namespace"});
constexpr auto fixed_fields = std::to_array<std::string_view>({"name", "version", "metadata-version"});

// Fields of one value that metadata.cpp does not check for repetition. A form has no place for a second one.
constexpr auto single_fields =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"keywords", "Keywords"},
                                                                  {"home-page", "Home-page"},
                                                                  {"author", "Author"},
                                                                  {"author-email", "Author-email"},
                                                                  {"license", "License"}});

class IndexChecks {
 public:
  IndexChecks(const Headers& headers, MemberIndex member, std::string_view path, WheelFacts& facts)
      : headers_(headers), member_(member), path_(path), facts_(facts) {}

  void run() {
    whole_file();
    for (const Header& header : headers_.fields) {
      field(header);
      repetition(header);
    }
    licence_files();
  }

 private:
  void flaw(WheelArea area, std::string reason) {
    constexpr std::size_t max = 500;  // each is a finding
    if (++counts_[area] > max + 1) return;
    if (counts_[area] > max) reason = "has so many flaws of this kind that the rest is not listed";
    facts_.flaws.push_back(
        {.area = area, .member = member_, .subject = std::string(path_), .reason = std::move(reason)});
  }
  void metadata(std::string reason) { flaw(WheelArea::IndexMetadata, std::move(reason)); }

  std::string_view value_of(std::string_view key) const {
    const auto found = std::ranges::find(headers_.fields, key, &Header::key);
    return found == headers_.fields.end() ? std::string_view() : std::string_view(found->value);
  }

  void whole_file() {
    const std::string_view format = value_of("metadata-version"), version = value_of("version");
    const bool unknown = (format.starts_with("1.") || format.starts_with("2.")) && !is_metadata_version(format);
    if (format == "2.0" || unknown)  // parse_metadata reports other majors
      metadata(fmt::format("Metadata-Version {} {}; the index takes 1.0, 1.1, 1.2 and 2.1 to 2.5", escape(format, 20),
                           unknown ? "is unknown" : "was withdrawn"));
    if (is_package_version(version) && version.contains('+'))
      metadata(fmt::format("Version {} has a local part, which is for other indexes", version));
    if (!value_of("license").empty() && !value_of("license-expression").empty())
      metadata("has License and License-Expression; only the second may be there");
  }

  void field(const Header& header) {
    const std::string& value = header.value;
    const std::string& key = header.key;
    if (key == "summary" && characters(value) > longest_summary)
      metadata(fmt::format("Summary has {} characters, more than {}", characters(value), longest_summary));
    if (key == "author-email") email("Author-email", value);
    if (key == "maintainer-email") email("Maintainer-email", value);
    if (key == "home-page") url("Home-page", value);
    if (key == "download-url") url("Download-URL", value);
    if (key == "project-url") project_url(value);
    if (key == "classifier") classifier(value);
    if (key == "dynamic") dynamic(lower(value));
    if (key == "requires-dist") dependency("Requires-Dist", value, false);
    if (key == "provides-dist") dependency("Provides-Dist", value, true);
    if (key == "obsoletes-dist") dependency("Obsoletes-Dist", value, true);
  }

  void repetition(const Header& header) {
    const auto* const single = std::ranges::find(single_fields, header.key, [](const auto& one) { return one.first; });
    if (single != single_fields.end() && !seen_.insert(single->first).second && repeated_.insert(single->first).second)
      metadata(fmt::format("has more than one {}", single->second));
  }

  void email(std::string_view name, std::string_view value) {
    if (const std::string problem = index_email_problem(value); !problem.empty())
      metadata(fmt::format("{} '{}' {}", name, escape(value), problem));
  }

  void url(std::string_view name, std::string_view value) {
    if (!is_index_url(value))
      metadata(fmt::format("{} '{}' is not a URL with http or https that PyPI accepts", name, escape(value)));
  }

  // LABEL, URL
  void project_url(std::string_view value) {
    const std::size_t comma = value.find(',');
    const std::string_view label = trim(value.substr(0, comma));
    const std::string_view target = comma == value.npos ? std::string_view() : trim(value.substr(comma + 1));
    const auto complain = [&](std::string_view problem) {
      metadata(fmt::format("Project-URL '{}' {}", escape(value), problem));
    };
    if (!labels_.insert(label).second) complain("has the label of another");
    if (label.empty()) return complain("has no label");
    if (characters(label) > longest_label)
      return complain(fmt::format("has a label of {} characters, more than {}", characters(label), longest_label));
    if (target.empty()) return complain("has no URL");
    if (!is_index_url(target)) complain("has no URL with http or https that PyPI accepts");
  }

  void classifier(std::string_view value) {
    if (!classifiers_.insert(value).second) return;
    if (const auto old = deprecated_classifier(value)) {
      flaw(WheelArea::IndexClassifier,
           old->replacement.empty()
               ? fmt::format("the classifier '{}' is deprecated", value)
               : fmt::format("the classifier '{}' is deprecated; use '{}'", value, old->replacement));
    } else if (!is_classifier(value)) {
      flaw(WheelArea::IndexClassifier,
           fmt::format("the classifier '{}' is not in {}", escape(value), classifier_list()));
    }
  }

  void dynamic(const std::string& value) {
    // metadata.cpp reports the three fields that can never be dynamic.
    if (std::ranges::find(fixed_fields, value) != fixed_fields.end()) return;
    if (std::ranges::find(dynamic_fields, value) == dynamic_fields.end())
      metadata(fmt::format("Dynamic '{}' is not a field that can be dynamic", escape(value)));
  }

  // metadata.cpp checks the syntax of Requires-Dist.
  void dependency(std::string_view name, std::string_view value, bool check_syntax) {
    if (parse_dependency(value).specifier.starts_with('@'))
      return flaw(WheelArea::IndexDependency, fmt::format("{} '{}' refers to a URL", name, escape(value)));
    if (!check_syntax) return;
    if (const std::string problem = requirement_problem(value); !problem.empty())
      metadata(fmt::format("{} '{}' {}", name, escape(value), problem));
  }

  // PEP 639: from Metadata-Version 2.4 on, each License-File is below .dist-info/licenses.
  void licence_files() {
    const std::string_view format = value_of("metadata-version");
    if (!is_metadata_version(format) || format < "2.4") return;
    for (const std::string& file : facts_.metadata->license_files) {
      const std::string path = fmt::format("{}/licenses/{}", *facts_.dist_info, file);
      if (!find_member(facts_.members, path))
        flaw(WheelArea::IndexLicence,
             fmt::format("License-File {} is not in the wheel at {}", escape(file), escape(path)));
    }
  }

  const Headers& headers_;
  MemberIndex member_;
  std::string_view path_;
  WheelFacts& facts_;
  std::map<WheelArea, std::size_t> counts_;  // of flaws
  std::set<std::string_view> seen_, repeated_, classifiers_, labels_;
};

}  // namespace

void find_index_flaws(std::string_view metadata, MemberIndex member, std::string_view path, WheelFacts& facts) {
  Headers headers = parse_headers(metadata);
  limit_values(headers);  // a flaw of parse_metadata
  IndexChecks(headers, member, path, facts).run();
}

bool is_index_url(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return false;
  if (const std::string scheme = lower(text.substr(0, colon)); scheme != "http" && scheme != "https") return false;
  text.remove_prefix(colon + 1);
  if (!text.starts_with("//")) return text.substr(0, text.find('#')).find_first_of("[]") == text.npos;
  // rfc3986 takes an authority that it cannot parse for absent, and encodes the rest before it checks it.
  const std::string_view authority = text.substr(2, text.find_first_of("/?#", 2) - 2);
  const std::string_view rest = text.substr(2 + std::min(authority.size(), text.size() - 2));
  if (rest.substr(0, rest.find('#')).find_first_of("[]") != rest.npos) return false;
  const std::size_t last = authority.rfind(':');
  if (last == authority.npos) return true;
  const auto in_host = [](char c) { return is_alnum(c) || std::string_view("-._~").contains(c); };
  const std::string_view port = authority.substr(last + 1);
  std::uint64_t number = 0;
  const bool digits = !port.empty() && std::ranges::all_of(port, is_digit);
  return !digits || !std::ranges::all_of(authority.substr(0, last), in_host) ||
         (parse_number(port, number) && number <= 65535);
}

namespace {

// The part of a domain between dots; `last` is the top-level domain.
bool is_domain_label(std::string_view label, bool last) {
  const auto allowed = [](char c) { return is_alnum(c) || c == '-'; };
  if (label.empty() || label.size() > 63 || label.starts_with('-') || label.ends_with('-')) return false;
  return std::ranges::all_of(label, allowed) && !(last && !is_alpha(label.back()));
}

// email_validator/rfc_constants.py and syntax.py
std::string domain_problem(std::string_view domain) {
  const auto labels = split(domain, '.');
  if (labels.size() < 2) return "has a domain without a dot";
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!is_domain_label(labels[i], i + 1 == labels.size())) return "has an invalid domain";
  const std::string top = lower(labels.back());
  for (const std::string_view special : {"arpa", "invalid", "local", "localhost", "onion", "test"})
    if (top == special) return "has a domain that is reserved for special use";
  return "";
}

bool is_local_part(std::string_view text) {  // RFC 5322, 3.2.3: dot-atom
  const auto atom = [](char c) { return is_alnum(c) || std::string_view("!#$%&'*+-/=?^_`{|}~").contains(c); };
  return std::ranges::all_of(split(text, '.'),
                             [&](std::string_view part) { return !part.empty() && std::ranges::all_of(part, atom); });
}

}  // namespace

std::string index_email_problem(std::string_view text) {
  // Python's parseaddr returns no address for several of them or for one that it cannot parse, and nothing is then
  // checked. Quoted names, comments and letters beyond ASCII in addresses are left to the index.
  if (text.find_first_of(",;:\"()\\\n[]") != text.npos) return "";
  std::string_view address = trim(text);
  if (const std::size_t open = address.find('<'); open != address.npos) {
    if (address.find('>') != address.size() - 1 || address.substr(0, open).contains('@')) return "";
    address = trim(address.substr(open + 1, address.size() - open - 2));
  }
  if (address.empty() || address.find_first_of("<>") != address.npos || std::ranges::any_of(address, beyond_ascii))
    return "";
  const std::size_t at = address.find('@');
  if (at == address.npos) return "has no @";
  const std::string_view local = address.substr(0, at), domain = address.substr(at + 1);
  if (std::ranges::any_of(address, is_blank) || !is_local_part(local) || domain.empty() || domain.contains('@'))
    return "";
  return domain_problem(domain);
}

namespace {

// Reads as configparser.ConfigParser(delimiters=("=",)) does (CPython, Lib/configparser.py, _read).
class EntryPointFile {
 public:
  std::string problem;  // the first

  void line(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') return;
    const std::size_t indent = line.find_first_not_of(" \t\r\f\v");
    if (section_ && has_option_ && indent > indent_) return;  // continues the value
    indent_ = indent;
    if (const std::size_t end = text.rfind(']'); text.front() == '[' && end != text.npos && end > 1)
      return header(text.substr(1, end - 1));
    if (!section_) return fail(fmt::format("'{}' is before the first section", escape(text)));
    option(text);
  }

 private:
  void fail(std::string reason) {
    if (problem.empty()) problem = std::move(reason);
  }

  void header(std::string_view name) {
    has_option_ = false;
    section_ = name;
    if (!sections_.insert(name).second && name != "DEFAULT")
      fail(fmt::format("the section [{}] occurs twice", escape(name)));
  }

  void option(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = trim(text.substr(0, equals));
    if (equals == text.npos || name.empty())
      return fail(fmt::format("'{}' in [{}] is not NAME = VALUE", escape(text), escape(*section_)));
    has_option_ = true;
    if (!options_.insert({*section_, name}).second)
      fail(fmt::format("'{}' is twice in [{}]", escape(name), escape(*section_)));
    const auto allowed = [](char c) { return is_alnum(c) || beyond_ascii(c) || std::string_view("_.-").contains(c); };
    const bool script = *section_ == "console_scripts" || *section_ == "gui_scripts" || *section_ == "DEFAULT";
    if (script && !std::ranges::all_of(name, allowed))
      fail(fmt::format("the name '{}' in [{}] has other characters than letters, digits, '.', '_' and '-'",
                       escape(name), escape(*section_)));
  }

  std::optional<std::string_view> section_;
  bool has_option_ = false;
  std::size_t indent_ = std::numeric_limits<std::size_t>::max();
  std::set<std::string_view> sections_;
  std::set<std::pair<std::string_view, std::string_view>> options_;
};

}  // namespace

std::string index_entry_points_problem(std::string_view text) {
  if (!is_utf8(text)) return "is not UTF-8";
  EntryPointFile file;
  for (const std::string_view line : split(text, '\n')) file.line(line);
  return std::move(file.problem);
}

}  // namespace wheelcheck::wheel
