// Where an installer puts each member (PEP 427, "Installing a wheel"). It distributes the `.data` directories over the
// prefix, so $ORIGIN and module names must be computed for the installed tree and not for the archive.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

struct Installed {
  std::string path;         // below the prefix; site-packages is lib/python3.11/site-packages
  bool in_purelib = false;  // from *.data/purelib/
};

class InstallLayout {
 public:
  explicit InstallLayout(const WheelName& name);

  Installed place(const MemberPath& member) const;
  // False for a member below *.data/ whose scheme installers do not know.
  static bool knows(const MemberPath& member);
  // True for a member below NAME.data/ if NAME differs from that of the .dist-info directory. pip checks only the
  // ending (operations/install/wheel.py, is_data_scheme_path); uv uses only the directory with the same name.
  static bool is_in_other_data(const MemberPath& member, std::string_view dist_info);
  // A reason why installers refuse a member, or replace what is in it or in another distribution; "" if there is none.
  std::string problem(const MemberPath& member, std::string_view dist_info) const;
  const std::string& site_packages() const { return site_packages_; }

 private:
  std::string site_packages_;
  std::string headers_;
};

// "lib/python3.11/site-packages/a.py" -> "site-packages/a.py", for every version: an attacker writes the version of the
// victim's interpreter into *.data/data/. Other paths are returned unchanged.
std::string shared_site_packages(std::string path);

// The only *.dist-info directory at the root of the archive; nothing if there is none. Error Rejected if there are two,
// because installers would not agree on which one applies.
Result<std::optional<std::string>> find_dist_info(const std::vector<MemberFacts>& members);

// Whether the directory belongs to the wheel, regardless of the spelling of name and version.
bool names_wheel(std::string_view dist_info, const WheelName& name);

}  // namespace wheelcheck::wheel
