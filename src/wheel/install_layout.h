// Where an installer puts each member (PEP 427, "Installing a wheel"): `.data` directories are spread over the prefix,
// so $ORIGIN and module names must be worked out for the installed tree, not for the archive.
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
  // False for what lies below *.data/, but in no scheme that installers know.
  static bool knows(const MemberPath& member);
  // True below NAME.data/ of another NAME than that of the .dist-info directory. pip looks at the ending alone
  // (operations/install/wheel.py, is_data_scheme_path); uv takes the one directory of that name.
  static bool is_in_other_data(const MemberPath& member, std::string_view dist_info);
  const std::string& site_packages() const { return site_packages_; }

 private:
  std::string site_packages_;
  std::string headers_;
};

// The one *.dist-info directory at the root of the archive; nothing if there is none. Error Rejected if there are two:
// installers would not agree on which one counts.
Result<std::optional<std::string>> find_dist_info(const std::vector<MemberFacts>& members);

// The directory's name is that of the wheel, however name and version are spelled.
bool names_wheel(std::string_view dist_info, const WheelName& name);

}  // namespace wheelcheck::wheel
