// What PyPI refuses when a wheel is uploaded, beyond what installers refuse. The source is the upload code of
// Warehouse: warehouse/forklift/metadata.py and legacy.py, warehouse/utils/wheel.py. docs/index.md lists what is
// checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// Adds the flaws of METADATA, in the areas IndexMetadata, IndexClassifier, IndexDependency and IndexLicence. `facts`
// has its members and its .dist-info directory.
void find_index_flaws(std::string_view metadata, MemberIndex member, std::string_view path, WheelFacts& facts);

// The first reason for which Warehouse refuses entry_points.txt; "" if there is none. Names of scripts match [\w.-]+,
// and the file is one that Python's configparser reads with '=' as the only delimiter.
std::string index_entry_points_problem(std::string_view text);

// Whether Warehouse takes the text for a URL: the scheme is http or https, a port is at most 65535, and brackets are
// only around a host.
bool is_index_url(std::string_view text);

// What is wrong with an e-mail address such as "Jane <jane@example.com>"; "" if nothing is known to be.
std::string index_email_problem(std::string_view text);

// The classifiers of PyPI (data/classifiers.txt), and the package and version that the list comes from:
// "trove-classifiers 2026.9.21.13".
std::string_view classifier_list();
struct DeprecatedClassifier {
  std::string_view name;
  std::string_view replacement;  // "" if there is none
};
bool is_classifier(std::string_view text);
std::optional<DeprecatedClassifier> deprecated_classifier(std::string_view text);

}  // namespace wheelcheck::wheel
