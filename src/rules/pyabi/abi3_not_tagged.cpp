// WC810: every extension module is built for the stable ABI, but the ABI tag is that of one version.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"
#include "rules/pyabi/python_abi.h"

namespace wheelcheck::rules::abi3_not_tagged {
namespace {

// The python tags if all are of one release and the ABI tags are their own: cp312-cp312.
bool is_for_one_version(const WheelName& name) {
  return name.python.size() == 1 && name.abi == name.python && cpython_minor(name.python.front()).value_or(0) > 2;
}

void check(const WheelView& view, const Emit& emit) {
  const WheelName& name = view.wheel.name;
  if (!is_for_one_version(name)) return;
  std::vector<std::string> files;
  bool all = true;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& file) {
    const auto* const module = std::get_if<ExtensionModule>(&file.role);
    if (module == nullptr) return;
    all = all && module->stable_abi;
    files.emplace_back(path_of(view, index));
  });
  if (!all || files.empty()) return;
  const std::string& tag = name.python.front();
  emit({.place = WholeWheel{},
        .message = fmt::format("its extension modules are built for the stable ABI ({}), but the tag {}-{} gives the "
                               "wheel to CPython 3.{} only",
                               first_of(files), tag, tag, *cpython_minor(tag)),
        .evidence = {{"modules", list_of(files)}},
        .fix = fmt::format("tag it {}-abi3, if the modules were compiled for the limited API of that version "
                           "(setuptools: bdist_wheel.py_limited_api; scikit-build-core: wheel.py-api)",
                           tag)});
}

}  // namespace

extern const Rule rule{
    .code = "WC810",
    .name = "abi3-not-tagged",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::abi3_not_tagged
